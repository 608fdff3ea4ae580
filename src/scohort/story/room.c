/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room.c - what a job wants of nodes, and what they have free
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story/room.h"
#include "slurm/nodes.h"

/* ---- what the job asks for ---- */

static void want_add(struct room_want *want, const char *name, size_t len,
		     int64_t amount)
{
	if (want->n == ROOM_MAX || amount <= 0 || len >= ROOM_NAME)
		return;
	memcpy(want->list[want->n].resource, name, len);
	want->list[want->n].resource[len] = '\0';
	want->list[want->n++].amount = amount;
}

int64_t tres_amount(const char *text, bool memory)
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

static int64_t part_of(int64_t amount, int64_t nodes)
{
	return (amount + nodes - 1) / nodes;
}

/* "cpu=4,mem=8G,node=2,billing=4,gres/gpu=2" */
static void tres_add(struct room_want *want, const char *text)
{
	for (size_t len; text && *text; text += len + (text[len] == ',')) {
		size_t name = strcspn(text, "=,");
		bool memory = name == 3 && !strncmp(text, "mem", 3);

		len = strcspn(text, ",");
		if (text[name] != '=' || !(memory || !strncmp(text, "cpu=", 4)
					   || !strncmp(text, "gres/", 5)))
			continue;
		want_add(want, text, name, part_of(
				 tres_amount(text + name + 1, memory),
				 want->nodes));
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
		n = len - (size_t) (from - text);
		if (!n)
			continue;
		for (number = n; number && strchr("0123456789.KMG",
						  from[number - 1]);)
			number--;
		if (!number || !strchr(":=", from[number - 1]))
			number = n + 1;		/* no number: one */
		snprintf(name, sizeof(name), "gres/%.*s", (int) (number - 1),
			 from);
		want_add(want, name, strlen(name), part_of(
				 number > n ? 1 : tres_amount(from + number,
							    false), nodes));
	}
}

void room_want_make(struct room_want *want, int64_t nodes, bool whole,
		    const char *tres, const char *per_job,
		    const char *per_node)
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

/* "gpu:a100:4(S:0-1),shard:8(a100:8/8)": commas in parentheses are none */
static size_t gres_length(const char *text)
{
	size_t i = 0;

	for (int depth = 0; text[i] && (depth > 0 || text[i] != ','); i++)
		depth += (text[i] == '(') - (text[i] == ')');
	return i;
}

/* So many of the GRES, of this type if the name has one */
static int64_t gres_of(const char *text, const char *name)
{
	size_t len = strlen(name);
	int64_t sum = 0;

	for (size_t item; text && *text;
	     text += item + (text[item] == ',')) {
		size_t n = strcspn(text, "(,"), at = n;

		item = gres_length(text);
		if (strncmp(text, name, len) || text[len] != ':')
			continue;
		while (at && text[at - 1] != ':')
			at--;
		sum += strtoll(text + at, NULL, 10);
	}
	return sum;
}

static int64_t free_of(const struct node_view *v, const char *resource)
{
	int64_t left = 0;

	if (!strcmp(resource, "cpu"))
		left = v->free_cpus;
	else if (!strcmp(resource, "mem"))
		left = v->free_memory;
	else if (!strncmp(resource, "gres/", 5))
		left = gres_of(v->gres, resource + 5)
		       - gres_of(v->gres_used, resource + 5);
	else
		left = v->free_cpus == v->cpus;		/* a whole node */
	return left > 0 ? left : 0;
}

static int rank_of(const char *resource)
{
	return !strncmp(resource, "gres/", 5) ? 0 : !strcmp(resource, "mem") ? 1
	       : 2;
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
static bool node_look(const struct node_view *v,
		      struct room_lack *looks, size_t n)
{
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		int64_t has = free_of(v, looks[i].resource);

		if (has > looks[i].largest)
			looks[i].largest = has;
		if (has >= looks[i].need)
			looks[i].nodes++;
		else
			all = false;
	}
	return all;
}

int64_t room_look(const struct room_want *want,
		  const struct node_view_list *nodes, const char *among,
		  struct room_lack *lacks, size_t *nlacks, int64_t *owned)
{
	struct room_lack looks[ROOM_MAX + 1] = { { .resource = NULL } };
	struct node_set *set = node_set_make(among);
	int64_t together = 0, seen = 0;
	size_t n = 0;

	for (; n < want->n; n++)
		looks[n] = (struct room_lack) {
			.resource = want->list[n].resource,
			.need = want->list[n].amount,
		};
	if (want->whole)
		looks[n++] = (struct room_lack) { .resource = "node",
						  .need = 1 };
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
	for (size_t i = 0; i < n && *nlacks < ROOM_MAX && !(seen && *owned == seen); i++) {
		if (looks[i].nodes < want->nodes)
			lacks[(*nlacks)++] = looks[i];
	}
	return together;
}
