/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.h - sets of nodes, as Slurm writes them: n[1-4,7]
 */
#ifndef SCOHORT_HOSTLIST_H
#define SCOHORT_HOSTLIST_H

#include <stdbool.h>

/* Is every one of `nodes` in `among` (NULL: all nodes of the cluster)? Both are
 * lists like n[1-4,7]. */
bool nodes_are_among(const char *nodes, const char *among);

#endif /* SCOHORT_HOSTLIST_H */
