/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node_views.c - nodes, as slurmctld shows them to this user
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/exit_status.h"
#include "slurm/api.h"
#include "slurm/node_views.h"
#include "slurm/timed_call.h"

#define SECONDS_MAX 20		/* a busy slurmctld may need that long */

struct question {
	bool partitions;	/* these are asked for, too */
	node_info_msg_t *nodes;
	partition_info_msg_t *parts;
	int error;
};

static void ask(void *arg)
{
	struct question *q = arg;
	int rc = slurm_load_node(0, &q->nodes, SHOW_ALL | SHOW_DETAIL);

	if (!rc && q->partitions)
		rc = slurm_load_partitions(0, &q->parts, SHOW_ALL);
	q->error = rc ? errno : 0;
}

static bool node_is_up(const node_info_t *node)
{
	uint32_t base = node->node_state & NODE_STATE_BASE;

	return base != NODE_STATE_DOWN && base != NODE_STATE_FUTURE
	       && !(node->node_state & (NODE_STATE_DRAIN | NODE_STATE_FAIL
					| NODE_STATE_COMPLETING));
}

static void view_fill(struct node_view *v, node_info_t *node)
{
	v->name = node->name;
	v->up = node_is_up(node);
	v->cpus = node->cpus_efctv ? node->cpus_efctv : node->cpus;
	v->memory = (int64_t) node->real_memory
		    - (int64_t) node->mem_spec_limit;
	v->free_cpus = v->cpus - api_node_cpus_in_use(node);
	v->free_memory = v->memory - api_node_memory_in_use(node);
	v->gres = node->gres;
	v->gres_used = node->gres_used;
	v->owner = node->owner == NO_VAL ? -1 : (int64_t) node->owner;
}

/* Pairs of first and last index in the table of nodes, up to -1; NULL: all */
static bool index_is_in(const int *pairs, int index)
{
	if (!pairs)
		return true;
	for (; pairs[0] >= 0 && pairs[1] >= 0; pairs += 2) {
		if (index >= pairs[0] && index <= pairs[1])
			return true;
	}
	return false;
}

/* False: there is no such partition, or it is hidden from the user */
static bool partition_find(const struct question *q, const char *name,
			   const int **pairs)
{
	for (uint32_t i = 0; i < q->parts->record_count; i++) {
		const partition_info_t *part = &q->parts->partition_array[i];

		if (!part->name || strcmp(part->name, name) != 0)
			continue;
		*pairs = part->node_inx;
		return true;
	}
	return false;
}

static int views_fill(struct node_view_list *list, struct question *q,
		      const char *partition, char *err, size_t size)
{
	const int *pairs = NULL;

	list->message = q->nodes;
	list->views = calloc(q->nodes->record_count + 1, sizeof(*list->views));
	if (!list->views) {
		snprintf(err, size, "out of memory");
		return STATUS_FAILED;
	}
	if (partition && !partition_find(q, partition, &pairs))
		return STATUS_OK;
	for (uint32_t i = 0; i < q->nodes->record_count; i++) {
		node_info_t *node = &q->nodes->node_array[i];

		if (node->name && index_is_in(pairs, (int) i))
			view_fill(&list->views[list->n++], node);
	}
	return STATUS_OK;
}

int node_views_load(struct node_view_list *list, const char *partition,
		    char *err, size_t size)
{
	/* a question that took too long may still be answered later */
	static struct question q;
	int status;

	memset(list, 0, sizeof(*list));
	q = (struct question) { .partitions = partition != NULL };
	if (!timed_call(ask, &q, SECONDS_MAX)) {
		snprintf(err, size, "slurmctld does not answer");
		return STATUS_DOWN;
	}
	if (q.error) {
		snprintf(err, size, "%s", slurm_strerror(q.error));
		return STATUS_DOWN;
	}
	status = views_fill(list, &q, partition, err, size);
	if (q.parts)
		slurm_free_partition_info_msg(q.parts);
	return status;
}

void node_views_free(struct node_view_list *list)
{
	free(list->views);
	if (list->message)
		slurm_free_node_info_msg(list->message);
	memset(list, 0, sizeof(*list));
}
