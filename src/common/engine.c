/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.c - setting up the engine from a spec, and taking it down
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine_state.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "quota/minruntime.h"
#include "usage/local.h"
#include "candidates/candidate.h"
#include "workload/workload.h"

/* What lasts as long as the engine is in the arena of the books, which says if it failed. */
static void *room_of(struct engine *e, size_t n, size_t size)
{
	return arena_alloc(&e->books->arena, n, size);
}

static int *indexes_copy(struct engine *e, const int *from, size_t n)
{
	int *copy = room_of(e, n, sizeof(*copy));

	if (copy && n)
		memcpy(copy, from, n * sizeof(*copy));
	return copy;
}

static void groups_copy(struct engine *e, struct queue *q, const struct spec_queue *from)
{
	q->spec.groups = room_of(e, from->ngroups, sizeof(*from->groups));
	q->group_of = room_of(e, e->books->nresources, sizeof(*q->group_of));
	if (!q->spec.groups || !q->group_of)
		return;
	for (size_t r = 0; r < e->books->nresources; r++)
		q->group_of[r] = SPEC_NONE;
	for (size_t g = 0; g < from->ngroups; g++) {
		const struct spec_group *group = &from->groups[g];

		q->spec.groups[g] = (struct spec_group) {
			indexes_copy(e, group->resources, group->nresources), group->nresources,
			indexes_copy(e, group->flavors, group->nflavors), group->nflavors,
		};
		for (size_t r = 0; r < group->nresources; r++) {
			int *first = &q->group_of[group->resources[r]];

			if (*first == SPEC_NONE)
				*first = (int) g;
		}
	}
}

static void queue_init(struct engine *e, size_t i, const struct spec *spec)
{
	struct queue *q = &e->queues[i];

	q->spec = spec->queues[i];
	q->spec.name = NULL;
	q->spec.quotas = NULL;
	q->spec.nquotas = 0;
	q->index = (int) i;
	q->node = (int) (e->books->ncohorts + i);
	q->withheld = room_of(e, e->books->npairs, sizeof(*q->withheld));
	q->unsubmitted = room_of(e, e->books->npairs, sizeof(*q->unsubmitted));
	pending_init(q);
	holdings_init(q);
	if (q->spec.by_usage)
		worth_create(e, q, spec);
	groups_copy(e, q, &spec->queues[i]);
}

static void queues_init(struct engine *e, const struct spec *spec)
{
	e->queues = room_of(e, spec->nqueues, sizeof(*e->queues));
	for (; e->queues && e->nqueues < spec->nqueues; e->nqueues++)
		queue_init(e, e->nqueues, spec);
}

/* The queues of a tree, in the order of the spec */
static void tree_fill(struct engine *e, struct tree *tree)
{
	size_t n = 0;

	for (size_t i = 0; i < e->nqueues; i++)
		n += e->books->nodes[e->queues[i].node].root == tree->root;
	tree->queues = room_of(e, n, sizeof(*tree->queues));
	for (size_t i = 0; tree->queues && i < e->nqueues; i++) {
		struct queue *q = &e->queues[i];

		if (e->books->nodes[q->node].root == tree->root) {
			tree->queues[tree->nqueues++] = q;
			q->tree = tree;
		}
	}
}

static void trees_init(struct engine *e)
{
	size_t n = e->books->nnodes;

	e->trees = room_of(e, n, sizeof(*e->trees));
	for (size_t i = 0; e->trees && i < n; i++) {
		if (e->books->nodes[i].root != (int) i)
			continue;
		e->trees[e->ntrees].root = (int) i;
		tree_fill(e, &e->trees[e->ntrees++]);
	}
}

static void reclaimers_count(struct engine *e)
{
	for (size_t i = 0; i < e->nqueues; i++) {
		const struct queue *q = &e->queues[i];

		if (!queue_may_reclaim(q))
			continue;
		for (int n = q->node; n != SPEC_NONE; n = e->runtimes[n].parent)
			e->runtimes[n].reclaimers++;
	}
}

static void runtimes_init(struct engine *e, const struct spec *spec)
{
	e->runtimes = room_of(e, e->books->nnodes, sizeof(*e->runtimes));
	if (!e->runtimes)
		return;
	for (size_t i = 0; i < spec->ncohorts; i++) {
		e->runtimes[i] = (struct minruntime_node) {
			.parent = spec->cohorts[i].parent,
			.preempt = spec->cohorts[i].preempt_min_runtime,
			.reclaim = spec->cohorts[i].reclaim_min_runtime,
		};
	}
	for (size_t i = 0; i < spec->nqueues; i++) {
		e->runtimes[spec->ncohorts + i] = (struct minruntime_node) {
			.parent = spec->queues[i].cohort,
			.preempt = spec->queues[i].preempt_min_runtime,
			.reclaim = spec->queues[i].reclaim_min_runtime,
		};
	}
	minruntime_inherit(e->runtimes, e->books->nnodes, spec->preempt_min_runtime,
			   spec->reclaim_min_runtime);
	reclaimers_count(e);
}

static void searches_init(struct engine *e)
{
	e->searches = room_of(e, 1, sizeof(*e->searches));
	if (e->searches)
		e->searches->closed = room_of(e, e->books->nnodes, sizeof(uint64_t));
}

static int engine_init(struct engine *e, const struct spec *spec)
{
	e->books = books_create(spec);
	if (!e->books)
		return -1;
	e->resolve = spec->resolve;
	memcpy(e->strategies, spec->strategies, sizeof(e->strategies));
	e->fair_sharing = spec->fair_sharing;
	e->kueue_rules = spec->kueue_rules;
	e->no_recompute = spec->no_recompute;
	e->no_partial = spec->no_partial;
	e->local_half_life = max64(0, spec->history.local_half_life);
	e->sampling = max64(0, spec->history.sampling);
	searches_init(e);
	queues_init(e, spec);
	trees_init(e);
	runtimes_init(e, spec);
	return e->books->arena.failed ? -1 : 0;
}

struct engine *engine_create(const struct spec *spec)
{
	struct engine *e;

	if (!spec_is_valid(spec)) {
		errno = EINVAL;
		return NULL;
	}
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	if (engine_init(e, spec) < 0) {
		engine_destroy(e);
		errno = ENOMEM;
		return NULL;
	}
	for (size_t i = 0; i < e->ntrees; i++)
		tree_request_plan(e, &e->trees[i]);
	return e;
}

/* The first of a set is removed at less cost than its root. */
static void queue_empty(struct engine *e, struct queue *q)
{
	struct workload *w;
	struct holding *h;

	while ((w = queue_first(q)))
		engine_remove(e, w);
	while ((h = holding_at(rankset_first(&q->order))))
		engine_remove(e, h->w);
	locals_forget(e, q);
}

void engine_destroy(struct engine *e)
{
	int saved_errno = errno;

	if (!e)
		return;
	if (e->books)
		e->books->history = NULL;
	account_end(e);
	for (size_t i = 0; i < e->nqueues; i++)
		queue_empty(e, &e->queues[i]);
	for (size_t i = 0; i < e->ntrees; i++)
		arena_destroy(&e->trees[i].arena);
	for (size_t i = 0; i < sizeof(e->scratch) / sizeof(*e->scratch); i++)
		free(e->scratch[i].memory);
	arena_destroy(&e->arena);
	hash_destroy(&e->shapes);
	hash_destroy(&e->asks);
	hash_destroy(&e->locals);
	hash_destroy(&e->elastics);
	hash_destroy(&e->fixed_groups);
	books_destroy(e->books);
	free(e);
	errno = saved_errno;
}
