/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room.c - what a job wants of nodes, what they have free, and what it is charged
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/json_members.h"
#include "ledger/lookup.h"
#include "output/text.h"
#include "story/room.h"
#include "value/tres.h"

/* ---- TRES as Slurm writes them ---- */

/* The next element that is one. False: the end */
static bool element_next(const char **tres, struct tres *item)
{
	char err[160];
	int rc = *tres ? -1 : 0;

	while (rc < 0)
		rc = tres_next(tres, item, err, sizeof(err));
	return rc;
}

bool tres_find(const char *tres, const char *resource, struct tres *item)
{
	while (element_next(&tres, item))
		if (!strcmp(item->name, resource))
			return true;
	return false;
}

/* "4", "1.50G"; of memory a number alone is in MB, and so is the result. 0: it is none */
static int64_t amount_of(const char *text, bool memory)
{
	char *end;
	double amount = strtod(text, &end);

	if (!(amount >= 0 && amount <= 1e15))	/* nor nan */
		return 0;
	if (memory && *end == 'K')
		return (int64_t) (amount / 1024);
	if (memory && *end == 'G')
		return (int64_t) (amount * 1024);
	if (memory && *end == 'T')
		return (int64_t) (amount * 1024 * 1024);
	return (int64_t) amount;
}

/* ---- what the job asks for ---- */

/* On each of that many nodes its part */
static void want_add(struct room_want *want, const char *resource, int64_t amount, int64_t nodes)
{
	if (want->n == ROOM_MAX || amount <= 0 || strlen(resource) >= ROOM_NAME)
		return;
	strcpy(want->list[want->n].resource, resource);
	want->list[want->n++].amount = (amount + nodes - 1) / nodes;
}

/* "cpu=4,mem=8G,node=2,billing=4,gres/gpu=2" */
static void tres_add(struct room_want *want, const char *text)
{
	struct tres item;

	while (element_next(&text, &item)) {
		bool memory = !strcmp(item.name, "mem");

		if (memory || !strcmp(item.name, "cpu") || !strncmp(item.name, "gres/", 5))
			want_add(want, item.name, amount_of(item.value, memory), want->nodes);
	}
}

/* "gres:gpu:a100:2", "gres/gpu=2", "gpu:2", "gpu" */
static void gres_add(struct room_want *want, const char *text, int64_t nodes)
{
	char name[ROOM_NAME];

	for (size_t len; text && *text; text += len + (text[len] == ',')) {
		const char *from = text;
		size_t n, number;

		len = strcspn(text, ",");
		if (!strncmp(from, "gres:", 5) || !strncmp(from, "gres/", 5))
			from += 5;
		n = number = len - (size_t) (from - text);
		if (!n)
			continue;
		while (number && strchr("0123456789.KMG", from[number - 1]))
			number--;
		if (!number || !strchr(":=", from[number - 1]))
			number = n + 1;		/* no number: one */
		snprintf(name, sizeof(name), "gres/%.*s", (int) (number - 1), from);
		want_add(want, name, number > n ? 1 : amount_of(from + number, false), nodes);
	}
}

void room_want_make(struct room_want *want, int64_t nodes, bool whole, const char *tres,
		    const char *per_job, const char *per_node)
{
	*want = (struct room_want) {
		.nodes = nodes > 0 ? nodes : 1, .whole = whole, .user = -1,
	};
	tres_add(want, tres);
	if (tres && strstr(tres, "gres/"))
		return;
	gres_add(want, per_job, want->nodes);
	gres_add(want, per_node, 1);
}

/* ---- what nodes have ---- */

static int64_t free_of(const struct node_view *v, const char *resource)
{
	if (!strcmp(resource, "cpu"))
		return v->free_cpus;
	if (!strcmp(resource, "mem"))
		return v->free_memory;
	if (!strncmp(resource, "gres/", 5))
		return gres_count(v->gres, resource + 5) - gres_count(v->gres_used, resource + 5);
	return v->free_cpus == v->cpus;		/* a whole node */
}

static int rank_of(const char *resource)
{
	return !strncmp(resource, "gres/", 5) ? 0 : !strcmp(resource, "mem") ? 1 : 2;
}

static int by_scarcity(const void *x, const void *y)
{
	const struct room_lack *a = x, *b = y;
	double left = (double) a->largest * (double) b->need;
	double right = (double) b->largest * (double) a->need;

	if (a->nodes != b->nodes)
		return a->nodes < b->nodes ? -1 : 1;
	if (left != right)
		return left < right ? -1 : 1;
	return rank_of(a->resource) - rank_of(b->resource);
}

/* Has it room for one node of the job? Counts for each resource. */
static bool node_look(const struct node_view *v, struct room_lack *looks, size_t n)
{
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		int64_t has = free_of(v, looks[i].resource);

		if (has > looks[i].largest)
			looks[i].largest = has;
		looks[i].nodes += has >= looks[i].need;
		all = all && has >= looks[i].need;
	}
	return all;
}

int64_t room_look(const struct room_want *want, const struct node_view_list *nodes,
		  const char *among, struct room_lack *lacks, size_t *nlacks, int64_t *owned)
{
	struct room_lack looks[ROOM_MAX + 1] = { { .resource = NULL } };
	struct node_set *set = node_set_make(among);
	int64_t together = 0, seen = 0;
	size_t n = 0;

	for (; n < want->n; n++)
		looks[n] = (struct room_lack) { .resource = want->list[n].resource,
						.need = want->list[n].amount };
	if (want->whole)
		looks[n++] = (struct room_lack) { .resource = "node", .need = 1 };
	*owned = 0;
	for (size_t i = 0; i < nodes->n; i++) {
		const struct node_view *v = &nodes->views[i];

		if (!v->up || !node_set_has(set, v->name))
			continue;
		if (v->owner >= 0 && v->owner != want->user)
			++*owned;
		else
			together += node_look(v, looks, n);
		seen++;
	}
	node_set_free(set);
	*nlacks = 0;
	qsort(looks, n, sizeof(*looks), by_scarcity);
	for (size_t i = 0; i < n && *nlacks < ROOM_MAX && !(seen && *owned == seen); i++)
		if (looks[i].nodes < want->nodes)
			lacks[(*nlacks)++] = looks[i];
	return together;
}

/* ---- what a running job is charged ---- */

/* Without a database GPUs are not in TRES: "gpu:2" or "gpu:a100:2". */
static void charge_add(const struct published *p, struct json_object *queue, const struct view *v,
		       const char *resource, struct json_object *charges)
{
	bool gres = !strncmp(resource, "gres/", 5);
	int64_t count = gres ? gres_count(v->gres_given, resource + 5) : 0;
	struct json_object *o;
	struct tres item;

	if (!tres_find(v->tres_given, resource, &item)) {
		if (!count)
			return;
		snprintf(item.value, sizeof(item.value), "%" PRId64, count);
	}
	o = json_append(charges);
	json_add_text(o, "resource", resource);
	json_add_text(o, "amount", item.value);
	json_add_text(o, "flavor", v->nodes ? published_flavor_of(p, queue, resource, v->nodes)
					    : "");
}

struct json_object *job_charges(const struct published *p, struct json_object *queue,
				const struct view *v)
{
	struct json_object *charges = json_object_new_array();

	for (size_t i = 0; i < json_items(queue, "quota"); i++) {
		struct json_object *quota = json_item(queue, "quota", i);
		const char *resource = json_text(quota, "resource");

		if (published_quota(queue, "", resource) == quota)
			charge_add(p, queue, v, resource, charges);
	}
	return charges;
}

int64_t job_holds(const struct view *v, const char *resource)
{
	struct tres item;

	if (tres_find(v->tres_given, resource, &item))
		return amount_of(item.value, !strcmp(resource, "mem"));
	return strncmp(resource, "gres/", 5) ? 0 : gres_count(v->gres_given, resource + 5);
}

int64_t charge_amount(struct json_object *charge)
{
	return amount_of(json_text(charge, "amount"),
			 !strcmp(json_text(charge, "resource"), "mem"));
}
