/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.h - nodes: as slurmctld shows them to this user, sets of them, and what
 *	     they have
 */
#ifndef SCOHORT_NODES_H
#define SCOHORT_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- as slurmctld shows them ---- */

/* A node; texts may be NULL and belong to the list. Memory is in MB. */
struct node_view {
	const char *name;
	bool up;		/* neither down, drained nor being cleaned up */
	int64_t cpus, free_cpus, memory, free_memory;
	const char *gres, *gres_used;	/* "gpu:a100:4(S:0-1),shard:8" */
	int64_t owner;		/* uid: only jobs of that user may use it; or -1 */
};

struct node_view_list {
	struct node_view *views;
	size_t n;
	void *message;		/* libslurm's */
};

/* The nodes of a partition, or of all (NULL). STATUS_OK, also for none at all, as
 * PrivateData=nodes has it; STATUS_DOWN or STATUS_FAILED with a message in err. */
int node_views_load(struct node_view_list *list, const char *partition, char *err, size_t size);
/* A list that could not be loaded may be freed, too. */
void node_views_free(struct node_view_list *list);

/* ---- lists like n[1-4,7] ---- */

/* Is every one of `nodes` in `among` (NULL: all nodes of the cluster)? */
bool nodes_are_among(const char *nodes, const char *among);

/* The same, with a list of all; the first node that is not in it is written to
 * bad, "" if `nodes` is no such list. */
bool nodes_all_among(const char *nodes, const char *among, char *bad, size_t size);

/* A list that is read once, for many questions. NULL stands for all nodes, also as the
 * result; no node is in one that can't be read. */
struct node_set;
struct node_set *node_set_make(const char *nodes);
bool node_set_has(struct node_set *set, const char *node);
/* How many of these nodes are in it */
size_t node_set_count(struct node_set *set, const char *nodes);
void node_set_free(struct node_set *set);

/* ---- what a node has ---- */

/* How many of a GRES ("gpu" or "gpu:a100") such a list has: "gpu:a100:4(S:0-1),shard:8",
 * or NULL. An item without a number is one. */
int64_t gres_count(const char *list, const char *name);

/* How much of a resource, of so many CPUs, MB of memory and such a
 * list; -1: nodes have none of it ("license/a") */
int64_t node_amount(const char *resource, int64_t cpus, int64_t memory, const char *gres);

#endif /* SCOHORT_NODES_H */
