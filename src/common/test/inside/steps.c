/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.c - the engine seen from inside: one assignment, one search, one cycle
 */
#include <errno.h>
#include <stdlib.h>

#include "core/tree_state.h"
#include "core/uses.h"
#include "core/workload_state.h"
#include "cycle/cycle.h"
#include "test/inside/steps.h"
#include "usage/local.h"
#include "victims/target.h"
#include "holding/holding.h"
#include "workload/workload.h"

static const char *const outcome_names[] = {
	[OUTCOME_ADMITTED] = "admitted",
	[OUTCOME_PREEMPTING] = "preempting",
	[OUTCOME_NO_CANDIDATES] = "noCandidates",
	[OUTCOME_NOFIT] = "nofit",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_DEFERRED_FIT] = "deferredFit",
};

const char *outcome_name(enum outcome outcome)
{
	return outcome_names[outcome];
}

static void memory_begin(struct engine *e)
{
	arena_reset(&e->arena);
	e->no_memory = false;
	e->searches->passed = (struct passed_over) { 0 };
}

const struct assignment *engine_assign(struct engine *e, struct workload *w,
				       int64_t now, const struct oracle *oracle)
{
	struct ask ask = {
		.w = w,
		.q = w->shape->q,
		.now = now,
		.oracle = oracle,
	};
	struct assignment *draft;

	memory_begin(e);
	usage_see(e, w->shape->q->tree, now);
	draft = arena_alloc(&e->arena, 1, sizeof(*draft));
	if (!draft || assign_flavors(e, &ask, draft) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	return draft;
}

int engine_charge_queue(struct engine *e, int queue,
			const struct charge *charges, size_t n)
{
	struct queue *q = &e->queues[queue];
	size_t nuses;
	struct use *uses = uses_create(e, charges, n, &nuses);

	if (!uses)
		return -1;
	books_change(e->books, q->node, uses, nuses, 1);
	free(uses);
	tree_request_plan(e, q->tree);
	return 0;
}

size_t engine_targets(struct engine *e, struct workload *w, int64_t now,
		      const struct charge *demand, size_t ndemand,
		      const struct charge *need, size_t nneed,
		      const struct victim **victims)
{
	struct search s = { .e = e, .q = w->shape->q, .w = w, .now = now };
	const struct target *targets;
	struct use *uses, *pairs;
	size_t n;

	memory_begin(e);
	usage_see(e, s.q->tree, now);
	*victims = NULL;
	uses = arena_alloc(&e->arena, ndemand, sizeof(*uses));
	pairs = arena_alloc(&e->arena, nneed, sizeof(*pairs));
	if (!uses || !pairs
	    || uses_fill(e, demand, ndemand, uses, &s.ndemand) < 0
	    || uses_fill(e, need, nneed, pairs, &s.nneed) < 0)
		return 0;
	s.demand = uses;
	s.need = pairs;
	n = targets_find(&s, &targets);
	if (e->no_memory)
		return 0;
	*victims = victims_list(e, &e->arena, NULL, targets, n, &n);
	return n;
}

static void head_fill(struct engine *e, const struct tree *tree,
		      struct entry *entry, struct head *head)
{
	int ncohorts = e->books->ncohorts;

	head->workload = entry->w;
	head->root_is_cohort = tree->root < ncohorts;
	head->root = head->root_is_cohort ? tree->root : tree->root - ncohorts;
	head->order = entry->order;
	head->outcome = entry->outcome;
	head->recomputed = entry->recomputed;
	head->nominated = &entry->nominated.draft;
	head->final = &entry->final.draft;
	head->nominated_victims
		= victims_list(e, &e->arena, entry->nominated.owner,
			       entry->nominated.targets,
			       entry->nominated.ntargets,
			       &head->n_nominated_victims);
	if (entry->outcome == OUTCOME_PREEMPTING)
		head->victims = victims_list(e, &e->arena, entry->final.owner,
					     entry->final.targets, entry->final.ntargets,
					     &head->nvictims);
}

/* Kueue tries these first the next time. */
static bool flavors_untried(const struct assignment *a)
{
	for (size_t i = 0; i < a->npodsets; i++) {
		for (size_t k = 0; k < a->podsets[i].nresources; k++) {
			if (a->podsets[i].resources[k].tried != -1)
				return true;
		}
	}
	return false;
}

static int tree_cycle(struct engine *e, struct tree *tree, int64_t now,
		      struct head *heads, size_t *nheads)
{
	struct entry **entries;
	size_t n;

	usage_see(e, tree, now);
	if (heads_begin(e, tree, ++e->plans) < 0
	    || cycle_run(e, tree, now, &entries, &n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		head_fill(e, tree, entries[i], &heads[*nheads + i]);
		workload_renew(entries[i]->w);
		if (entries[i]->outcome == OUTCOME_ADMITTED)
			entries[i]->w->done = true;
		if (entry_is_inadmissible(entries[i])
		    && !flavors_untried(&entries[i]->final.draft))
			heads_drop_shape(entries[i]->q, entries[i]->w->shape);
	}
	*nheads += n;
	return e->no_memory ? -1 : 0;
}

int engine_cycle(struct engine *e, int64_t now, const struct head **heads,
		 size_t *nheads)
{
	struct head *all;

	memory_begin(e);
	*nheads = 0;
	all = arena_alloc(&e->arena, e->nqueues, sizeof(*all));
	*heads = all;
	for (size_t i = 0; all && i < e->ntrees; i++) {
		tree_request_plan(e, &e->trees[i]);
		if (tree_cycle(e, &e->trees[i], now, all, nheads) < 0)
			all = NULL;
	}
	if (!all)
		errno = ENOMEM;
	return all ? 0 : -1;
}

void engine_queue_list(const struct engine *e, int queue, enum queue_list list,
		       void (*each)(void *arg, struct workload *w), void *arg)
{
	for_each_waiting(w, &e->queues[queue]) {
		bool inadmissible = shape_is_inadmissible(w->shape);

		if (workload_is_undecided(w)
		    && inadmissible == (list == LIST_INADMISSIBLE))
			each(arg, w);
	}
}

/* ---- the books ---- */

bool engine_stale(const struct engine *e, int64_t now)
{
	int64_t next = engine_next_expiry(e);

	return e->stale || (next && now >= next);
}

int engine_set_evictions(struct engine *e, struct workload *w,
			 int64_t evictions, int64_t lost)
{
	struct workload_desc d;

	workload_describe(w, &d);
	d.nonpreemptible = w->shape->nonpreemptible;
	if (d.evictions == evictions && d.lost == lost)
		return 0;
	d.evictions = evictions;
	d.lost = lost;
	return engine_update(e, w, &d);
}
