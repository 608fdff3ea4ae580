/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forest.c - the part of the books that only the spec decides: nodes, pairs and
 * nominal quota
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "quota/books.h"
#include "quota/calendar.h"
#include "quota/history.h"

struct named {
	const char *name;
	int node;
};

static int named_compare(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	return order ? order : a->node - b->node;
}

/* Children stand in the order of their names: where no rule decides, an answer
 * must not depend on the order of the spec. */
static int children_link(struct books *b, const struct spec *spec)
{
	struct named *all = arena_alloc(&b->arena, b->nnodes, sizeof(*all));

	if (!all)
		return -1;
	for (size_t i = 0; i < b->nnodes; i++)
		all[i] = (struct named) {
			i < b->ncohorts ? spec->cohorts[i].name
					: spec->queues[i - b->ncohorts].name,
			i,
		};
	qsort(all, b->nnodes, sizeof(*all), named_compare);
	for (size_t i = b->nnodes; i-- > 0; ) {
		int node = all[i].node, parent = b->nodes[node].parent;

		if (parent == SPEC_NONE)
			continue;
		b->nodes[node].next_sibling = b->nodes[parent].first_child;
		b->nodes[parent].first_child = node;
	}
	return 0;
}

/* Numbers the node and all below it; returns the number after these. */
static int nodes_number(struct books *b, int node, int next)
{
	struct node *n = &b->nodes[node];

	n->root = n->parent == SPEC_NONE ? node : b->nodes[n->parent].root;
	n->depth = n->parent == SPEC_NONE ? 0 : b->nodes[n->parent].depth + 1;
	n->number = next;
	b->order[next++] = node;
	for (int k = n->first_child; k != SPEC_NONE; k = b->nodes[k].next_sibling)
		next = nodes_number(b, k, next);
	n->last_below = next - 1;
	return next;
}

/* A queue that is stopped does not count as a child for heights. */
static void heights_set(struct books *b, const struct spec *spec)
{
	for (size_t i = b->nnodes; i-- > 0; ) {
		int node = b->order[i], parent = b->nodes[node].parent;
		const struct spec_queue *queue = !b->nodes[node].is_queue ? NULL
			: &spec->queues[(size_t) node - b->ncohorts];

		if (parent != SPEC_NONE
		    && !(queue && (queue->inactive || queue->stop != STOP_NONE))
		    && b->nodes[parent].height <= b->nodes[node].height)
			b->nodes[parent].height = b->nodes[node].height + 1;
	}
}

static int nodes_fill(struct books *b, const struct spec *spec)
{
	for (size_t i = 0; i < b->nnodes; i++) {
		bool is_queue = i >= b->ncohorts;
		size_t queue = i - b->ncohorts;

		b->nodes[i] = (struct node) {
			.parent = is_queue ? spec->queues[queue].cohort
					   : spec->cohorts[i].parent,
			.weight = is_queue ? spec->queues[queue].weight
					   : spec->cohorts[i].weight,
			.is_queue = is_queue,
			.first_child = SPEC_NONE,
			.next_sibling = SPEC_NONE,
		};
	}
	if (children_link(b, spec) < 0)
		return -1;
	for (size_t i = 0, next = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent == SPEC_NONE)
			next = nodes_number(b, i, next);
	}
	heights_set(b, spec);
	return 0;
}

static void quotas_mark(struct books *b, const struct spec_quota *q, size_t n)
{
	for (size_t i = 0; i < n; i++)
		b->pair_of[q[i].flavor * b->nresources + q[i].resource] = 1;
}

static void group_mark(struct books *b, const struct spec_group *group)
{
	for (size_t f = 0; f < group->nflavors; f++) {
		for (size_t r = 0; r < group->nresources; r++)
			b->pair_of[group->flavors[f] * b->nresources
				   + group->resources[r]] = 1;
	}
}

static void pairs_mark(struct books *b, const struct spec *spec)
{
	for (size_t i = 0; i < spec->ncohorts; i++)
		quotas_mark(b, spec->cohorts[i].quotas, spec->cohorts[i].nquotas);
	for (size_t i = 0; i < spec->nqueues; i++) {
		const struct spec_queue *queue = &spec->queues[i];

		quotas_mark(b, queue->quotas, queue->nquotas);
		for (size_t g = 0; g < queue->ngroups; g++)
			group_mark(b, &queue->groups[g]);
	}
}

/* Turns the marks into numbers */
static void pairs_number(struct books *b)
{
	for (size_t r = 0; r < b->nresources; r++) {
		for (size_t f = 0; f < b->nflavors; f++) {
			int *pair = &b->pair_of[f * b->nresources + r];

			if (!*pair) {
				*pair = SPEC_NONE;
				continue;
			}
			b->pairs[b->npairs] = (struct pair) { f, r };
			*pair = b->npairs++;
		}
	}
}

static void quotas_fill(struct books *b, int node, const struct spec_quota *q, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int pair = books_pair(b, q[i].flavor, q[i].resource);
		struct quota *quota = books_quota(b, node, pair);

		quota->nominal = sat_add(quota->nominal, q[i].nominal);
		quota->borrowing_limit = q[i].borrowing_limit;
		quota->lending_limit = q[i].lending_limit;
		quota->present = true;
	}
}

static void cells_fill(struct books *b, const struct spec *spec)
{
	for (size_t i = 0; i < b->nnodes * b->npairs; i++) {
		b->quotas[i].borrowing_limit = SPEC_NO_LIMIT;
		b->quotas[i].lending_limit = SPEC_NO_LIMIT;
	}
	for (size_t i = 0; i < spec->ncohorts; i++)
		quotas_fill(b, i, spec->cohorts[i].quotas, spec->cohorts[i].nquotas);
	for (size_t i = 0; i < spec->nqueues; i++)
		quotas_fill(b, spec->ncohorts + i, spec->queues[i].quotas, spec->queues[i].nquotas);
}

/* For n objects; zeroed */
static void *room_of(struct books *b, size_t n, size_t size)
{
	return arena_alloc(&b->arena, n, size);
}

/* -1: no memory */
static int books_fill(struct books *b, const struct spec *spec)
{
	size_t all = b->nflavors * b->nresources;

	b->nodes = room_of(b, b->nnodes, sizeof(*b->nodes));
	b->order = room_of(b, b->nnodes, sizeof(*b->order));
	b->pair_of = room_of(b, all, sizeof(*b->pair_of));
	b->pairs = room_of(b, all, sizeof(*b->pairs));
	if (b->arena.failed)
		return -1;
	pairs_mark(b, spec);
	pairs_number(b);
	b->quotas = room_of(b, b->nnodes * b->npairs, sizeof(*b->quotas));
	b->cells = room_of(b, b->nnodes * b->npairs, sizeof(*b->cells));
	if (b->arena.failed || nodes_fill(b, spec) < 0)
		return -1;
	cells_fill(b, spec);
	for (size_t i = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent == SPEC_NONE)
			quotas_derive(b, b->quotas, (int) i);
	}
	history_create(b, spec);
	calendar_create(b, spec);
	return b->arena.failed ? -1 : 0;
}

struct books *books_create(const struct spec *spec)
{
	struct books *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->ncohorts = spec->ncohorts;
	b->nnodes = spec->ncohorts + spec->nqueues;
	b->nflavors = spec->nflavors;
	b->nresources = spec->nresources;
	if (books_fill(b, spec) == 0)
		return b;
	books_destroy(b);
	return NULL;
}

void books_destroy(struct books *b)
{
	int saved_errno = errno;

	if (!b)
		return;
	arena_destroy(&b->arena);
	free(b->log);
	free(b);
	errno = saved_errno;
}
