/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.h - sets of nodes, as Slurm writes them: n[1-4,7]
 */
#ifndef SCOHORT_HOSTLIST_H
#define SCOHORT_HOSTLIST_H

#include <stdbool.h>
#include <stddef.h>

/* Is every one of `nodes` in `among` (NULL: all nodes of the cluster)? Both are
 * lists like n[1-4,7]. */
bool nodes_are_among(const char *nodes, const char *among);

/* The same, with a list of all; the first node that is not in it is written to
 * bad, "" if `nodes` is no such list. */
bool nodes_all_among(const char *nodes, const char *among, char *bad,
		     size_t size);

/* A list like n[1-4,7] that is read once, for many questions. NULL stands for all
 * nodes, also as the result; no node is in one that can't be read. */
struct node_set;
struct node_set *node_set_make(const char *nodes);
bool node_set_has(struct node_set *set, const char *node);
void node_set_free(struct node_set *set);

#endif /* SCOHORT_HOSTLIST_H */
