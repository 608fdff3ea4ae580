/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - nodes: as slurmctld shows them to this user, sets of them, and what
 *	     they have
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/exit_status.h"
#include "slurm/api.h"
#include "slurm/controller.h"
#include "slurm/nodes.h"

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
	v->memory = (int64_t) node->real_memory - (int64_t) node->mem_spec_limit;
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

/* NULL: there is no such partition, or it is hidden from the user */
static const partition_info_t *partition_find(const struct question *q, const char *name)
{
	for (uint32_t i = 0; i < q->parts->record_count; i++) {
		const partition_info_t *part = &q->parts->partition_array[i];

		if (part->name && !strcmp(part->name, name))
			return part;
	}
	return NULL;
}

int node_views_load(struct node_view_list *list, const char *partition, char *err, size_t size)
{
	/* a question that took too long may still be answered later */
	static struct question q;
	const partition_info_t *part = NULL;

	memset(list, 0, sizeof(*list));
	q = (struct question) { .partitions = partition != NULL };
	if (!timed_question(ask, &q, &q.error, err, size))
		return STATUS_DOWN;
	list->message = q.nodes;
	list->views = calloc(q.nodes->record_count + 1, sizeof(*list->views));
	if (!list->views)
		snprintf(err, size, "out of memory");
	if (partition)
		part = partition_find(&q, partition);
	for (uint32_t i = 0; list->views && (part || !partition) && i < q.nodes->record_count;
	     i++) {
		node_info_t *node = &q.nodes->node_array[i];

		if (node->name && index_is_in(part ? part->node_inx : NULL, (int) i))
			view_fill(&list->views[list->n++], node);
	}
	if (q.parts)
		slurm_free_partition_info_msg(q.parts);
	return list->views ? STATUS_OK : STATUS_FAILED;
}

void node_views_free(struct node_view_list *list)
{
	free(list->views);
	if (list->message)
		slurm_free_node_info_msg(list->message);
	memset(list, 0, sizeof(*list));
}

/* ---- lists like n[1-4,7] ---- */

bool nodes_all_among(const char *nodes, const char *among, char *bad, size_t size)
{
	api_hostlist_t all = slurm_hostlist_create(among);
	api_hostlist_t some = slurm_hostlist_create(nodes);
	bool in = some != NULL;
	char *node;

	snprintf(bad, size, "%s", "");
	while (in && (node = slurm_hostlist_shift(some))) {
		in = slurm_hostlist_find(all, node) >= 0;
		if (!in)
			snprintf(bad, size, "%s", node);
		free(node);
	}
	if (some)
		slurm_hostlist_destroy(some);
	slurm_hostlist_destroy(all);
	return in;
}

bool nodes_are_among(const char *nodes, const char *among)
{
	char bad[256];

	return !among || nodes_all_among(nodes, among, bad, sizeof(bad));
}

struct node_set {
	api_hostlist_t list;
};

struct node_set *node_set_make(const char *nodes)
{
	struct node_set *set = nodes ? calloc(1, sizeof(*set)) : NULL;

	if (set)
		set->list = slurm_hostlist_create(nodes);
	return set;
}

bool node_set_has(struct node_set *set, const char *node)
{
	return !set || (set->list && slurm_hostlist_find(set->list, node) >= 0);
}

size_t node_set_count(struct node_set *set, const char *nodes)
{
	api_hostlist_t list = slurm_hostlist_create(nodes);
	size_t n = 0;
	char *node;

	while (list && (node = slurm_hostlist_shift(list))) {
		n += node_set_has(set, node);
		free(node);
	}
	if (list)
		slurm_hostlist_destroy(list);
	return n;
}

void node_set_free(struct node_set *set)
{
	if (set && set->list)
		slurm_hostlist_destroy(set->list);
	free(set);
}

/* ---- what a node has ---- */

/* How long an item of "gpu:a100:4(S:0-1),shard:8(a100:8/8)" is: commas in parentheses are
 * part of it. */
static size_t item_length(const char *text)
{
	size_t i = 0;

	for (int depth = 0; text[i] && (depth > 0 || text[i] != ','); i++)
		depth += (text[i] == '(') - (text[i] == ')');
	return i;
}

/* Of "gpu:a100:4(S:0-1)" the number behind so many characters; one if there is none */
static int64_t item_count(const char *item, size_t name)
{
	size_t end = strcspn(item, "(,"), at = end;

	while (at > name && item[at - 1] != ':')
		at--;
	return at > name && at + strspn(item + at, "0123456789") == end && at < end
	       ? strtoll(item + at, NULL, 10) : 1;
}

int64_t gres_count(const char *list, const char *name)
{
	size_t len = strlen(name);
	int64_t sum = 0;

	while (list && *list) {
		if (!strncmp(list, name, len) && strchr(":(,", list[len]))
			sum += item_count(list, len);
		list += item_length(list);
		list += *list == ',';
	}
	return sum;
}

int64_t node_amount(const char *resource, int64_t cpus, int64_t memory, const char *gres)
{
	if (!strcmp(resource, "cpu"))
		return cpus;
	if (!strcmp(resource, "mem"))
		return memory;
	if (!strcmp(resource, "node"))
		return 1;
	return strncmp(resource, "gres/", 5) ? -1 : gres_count(gres, resource + 5);
}
