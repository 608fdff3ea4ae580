/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine.c - setting up the engine from a spec, and taking it down
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "account/waits.h"
#include "core/engine_state.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "lib/array.h"
#include "quota/minruntime.h"
#include "usage/local.h"
#include "candidates/candidate.h"
#include "workload/workload.h"

static int *indexes_copy(const int *from, size_t n)
{
	int *copy = array_create(n, sizeof(*copy));

	if (copy && n)
		memcpy(copy, from, n * sizeof(*copy));
	return copy;
}

static int group_copy(struct spec_group *copy, const struct spec_group *from)
{
	*copy = *from;
	copy->resources = indexes_copy(from->resources, from->nresources);
	copy->flavors = indexes_copy(from->flavors, from->nflavors);
	return copy->resources && copy->flavors ? 0 : -1;
}

static int groups_copy(struct engine *e, struct queue *q,
		       const struct spec_queue *from)
{
	q->spec.groups = array_create(from->ngroups, sizeof(*from->groups));
	q->group_of = array_create(e->books->nresources, sizeof(*q->group_of));
	if (!q->spec.groups || !q->group_of)
		return -1;
	for (size_t r = 0; r < e->books->nresources; r++)
		q->group_of[r] = SPEC_NONE;
	for (size_t g = 0; g < from->ngroups; g++) {
		q->spec.ngroups++;	/* destroy also frees a group that is
					 * half filled */
		if (group_copy(&q->spec.groups[g], &from->groups[g]) < 0)
			return -1;
		for (size_t r = 0; r < from->groups[g].nresources; r++) {
			int *group = &q->group_of[from->groups[g].resources[r]];

			if (*group == SPEC_NONE)
				*group = g;
		}
	}
	return 0;
}

static int queue_init(struct engine *e, size_t i, const struct spec *spec)
{
	const struct spec_queue *from = &spec->queues[i];
	struct queue *q = &e->queues[i];

	q->spec = *from;
	q->spec.name = NULL;
	q->spec.quotas = NULL;
	q->spec.nquotas = 0;
	q->spec.groups = NULL;
	q->spec.ngroups = 0;
	q->index = i;
	q->node = e->books->ncohorts + i;
	pending_init(q);
	holdings_init(q);
	if (q->spec.by_usage && worth_create(e, q, spec) < 0)
		return -1;
	return groups_copy(e, q, from);
}

static void queue_release(struct engine *e, struct queue *q)
{
	locals_forget(e, q);
	free(q->worth);
	if (q->spec.groups) {
		for (size_t i = 0; i < q->spec.ngroups; i++) {
			free(q->spec.groups[i].resources);
			free(q->spec.groups[i].flavors);
		}
	}
	free(q->spec.groups);
	free(q->group_of);
	free(q->withheld);
	free(q->unsubmitted);
}

static int queues_init(struct engine *e, const struct spec *spec)
{
	e->queues = array_create(spec->nqueues, sizeof(*e->queues));
	if (!e->queues)
		return -1;
	for (; e->nqueues < spec->nqueues; e->nqueues++) {
		if (queue_init(e, e->nqueues, spec) < 0) {
			e->nqueues++;
			return -1;
		}
	}
	return 0;
}

/* The queues of a tree, in the order of the spec */
static int tree_fill(struct engine *e, struct tree *tree)
{
	size_t n = 0;

	for (size_t i = 0; i < e->nqueues; i++)
		n += e->books->nodes[e->queues[i].node].root == tree->root;
	tree->queues = array_create(n, sizeof(*tree->queues));
	if (!tree->queues)
		return -1;
	for (size_t i = 0; i < e->nqueues; i++) {
		struct queue *q = &e->queues[i];

		if (e->books->nodes[q->node].root == tree->root) {
			tree->queues[tree->nqueues++] = q;
			q->tree = tree;
		}
	}
	return 0;
}

static int trees_init(struct engine *e)
{
	size_t n = e->books->nnodes;

	e->trees = array_create(n, sizeof(*e->trees));
	if (!e->trees)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (e->books->nodes[i].root != (int) i)
			continue;
		e->trees[e->ntrees].root = i;
		if (tree_fill(e, &e->trees[e->ntrees++]) < 0)
			return -1;
	}
	return 0;
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

static int runtimes_init(struct engine *e, const struct spec *spec)
{
	e->runtimes = array_create(e->books->nnodes, sizeof(*e->runtimes));
	if (!e->runtimes)
		return -1;
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
	return 0;
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
	if (searches_create(e) < 0 || queues_init(e, spec) < 0
	    || trees_init(e) < 0)
		return -1;
	return runtimes_init(e, spec);
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

static void queue_empty(struct engine *e, struct queue *q)
{
	while (q->waiting.root)
		engine_remove(e, workload_in_queue(q->waiting.root));
	while (q->holdings)
		engine_remove(e, q->holdings->w);
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
	for (size_t i = 0; i < e->nqueues; i++)
		queue_release(e, &e->queues[i]);
	for (size_t i = 0; i < e->ntrees; i++) {
		free(e->trees[i].queues);
		arena_destroy(&e->trees[i].arena);
	}
	for (size_t i = 0; i < sizeof(e->scratch) / sizeof(*e->scratch); i++)
		free(e->scratch[i].memory);
	arena_destroy(&e->arena);
	hash_destroy(&e->shapes);
	hash_destroy(&e->asks);
	hash_destroy(&e->locals);
	hash_destroy(&e->elastics);
	hash_destroy(&e->fixed_groups);
	free(e->queues);
	free(e->trees);
	free(e->runtimes);
	searches_destroy(e);
	books_destroy(e->books);
	free(e);
	errno = saved_errno;
}
