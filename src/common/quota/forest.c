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
#include "quota/derive.h"
#include "quota/history.h"

static void node_link(struct books *b, int node, int parent)
{
	b->nodes[node].parent = parent;
	b->nodes[node].root = node;
	b->nodes[node].first_child = SPEC_NONE;
	b->nodes[node].next_sibling = SPEC_NONE;
}

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

/* Numbers the node and all below it; returns the number after these. */
static int nodes_number(struct books *b, int node, int next)
{
	b->order[next] = node;
	b->nodes[node].number = next++;
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		next = nodes_number(b, k, next);
	b->nodes[node].last_below = next - 1;
	return next;
}

static void slots_number(struct books *b)
{
	int next = 0;

	for (size_t i = 0; i < b->ncohorts; i++) {
		for (int k = b->nodes[i].first_child; k != SPEC_NONE;
		     k = b->nodes[k].next_sibling)
			b->nodes[k].slot = next++;
	}
}

/* Children stand in the order of their names: where no rule decides, an answer
 * must not depend on the order of the spec. */
static int children_link(struct books *b, const struct spec *spec)
{
	struct named *all = malloc((b->nnodes + 1) * sizeof(*all));

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
	free(all);
	slots_number(b);
	for (size_t i = 0, next = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent == SPEC_NONE)
			next = nodes_number(b, i, next);
	}
	return 0;
}

/* A queue that is stopped does not count as a child for heights. */
static bool queue_is_stopped(const struct spec_queue *queue)
{
	return queue->inactive || queue->stop != STOP_NONE;
}

static void levels_set(struct books *b, const struct spec *spec)
{
	for (size_t i = 0; i < b->nnodes; i++) {
		bool counts = i < b->ncohorts
			|| !queue_is_stopped(&spec->queues[i - b->ncohorts]);
		int height = 0;
		int node = i;

		while (b->nodes[node].parent != SPEC_NONE) {
			node = b->nodes[node].parent;
			height++;
			if (counts && b->nodes[node].height < height)
				b->nodes[node].height = height;
		}
		b->nodes[i].root = node;
		b->nodes[i].depth = height;
	}
}

static int nodes_fill(struct books *b, const struct spec *spec)
{
	for (size_t i = 0; i < spec->ncohorts; i++) {
		node_link(b, i, spec->cohorts[i].parent);
		b->nodes[i].weight = spec->cohorts[i].weight;
	}
	for (size_t i = 0; i < spec->nqueues; i++) {
		struct node *node = &b->nodes[spec->ncohorts + i];

		node_link(b, spec->ncohorts + i, spec->queues[i].cohort);
		node->is_queue = true;
		node->weight = spec->queues[i].weight;
	}
	levels_set(b, spec);
	return children_link(b, spec);
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
		quotas_mark(b, spec->cohorts[i].quotas,
			    spec->cohorts[i].nquotas);
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

static void quotas_fill(struct books *b, int node, const struct spec_quota *q,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int pair = books_pair(b, q[i].flavor, q[i].resource);
		struct quota *quota = quota_to_set(b, node, pair);

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
		quotas_fill(b, i, spec->cohorts[i].quotas,
			    spec->cohorts[i].nquotas);
	for (size_t i = 0; i < spec->nqueues; i++)
		quotas_fill(b, spec->ncohorts + i, spec->queues[i].quotas,
			    spec->queues[i].nquotas);
}

/* calloc() that does not return NULL for an empty array */
static void *array_create(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

static int books_allocate(struct books *b)
{
	size_t all = b->nflavors * b->nresources;

	b->nodes = array_create(b->nnodes, sizeof(*b->nodes));
	b->order = array_create(b->nnodes, sizeof(*b->order));
	b->pair_of = array_create(all, sizeof(*b->pair_of));
	b->pairs = array_create(all, sizeof(*b->pairs));
	b->lendable = array_create(b->nnodes * b->nresources,
				   sizeof(*b->lendable));
	return b->nodes && b->order && b->pair_of && b->pairs && b->lendable ? 0 : -1;
}

static int cells_allocate(struct books *b)
{
	size_t n = b->nnodes * b->npairs;

	b->quotas = array_create(n, sizeof(*b->quotas));
	b->cells = array_create(n, sizeof(*b->cells));
	b->excess = array_create(n, sizeof(*b->excess));
	b->fixed = array_create(n, sizeof(*b->fixed));
	return b->quotas && b->cells && b->excess && b->fixed ? 0 : -1;
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
	if (books_allocate(b) < 0)
		goto error;
	pairs_mark(b, spec);
	pairs_number(b);
	if (cells_allocate(b) < 0 || nodes_fill(b, spec) < 0)
		goto error;
	cells_fill(b, spec);
	derive_all(b);
	if (history_create(b, spec) < 0 || calendar_create(b, spec) < 0)
		goto error;
	return b;
error:
	books_destroy(b);
	return NULL;
}

void books_destroy(struct books *b)
{
	int saved_errno = errno;

	if (!b)
		return;
	free(b->nodes);
	free(b->order);
	free(b->cells);
	free(b->quotas);
	free(b->excess);
	free(b->fixed);
	free(b->lendable);
	free(b->pairs);
	free(b->pair_of);
	free(b->log);
	history_destroy(b);
	calendar_destroy(b);
	free(b);
	errno = saved_errno;
}
