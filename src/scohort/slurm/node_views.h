/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_views.h - nodes, as slurmctld shows them to this user
 */
#ifndef SCOHORT_NODE_VIEWS_H
#define SCOHORT_NODE_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * PrivateData=nodes has it; STATUS_DOWN or STATUS_FAILED with a message in
 * err. */
int node_views_load(struct node_view_list *list, const char *partition,
		    char *err, size_t size);
/* A list that could not be loaded may be freed, too. */
void node_views_free(struct node_view_list *list);

#endif /* SCOHORT_NODE_VIEWS_H */
