/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked.c - workloads that have quota but no nodes
 *
 * doc/how-it-decides.md, section 9, a job with quota but without nodes. In a
 * BestEffortFIFO queue workloads behind it may go, but what it asks for is kept
 * from other queues.
 */
#include <stdlib.h>

#include "core/scratch.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "plan/plan.h"
#include "workload/waiting.h"
#include "workload/shape.h"

/* Withholds no more than what is free: what victims use is still theirs, and
 * must not cause a second eviction. */
static void free_withhold(struct engine *e, struct queue *q,
			  const struct draft *d)
{
	withheld_book(e, q);
	for (size_t i = 0; i < d->public.nusage; i++) {
		struct use use = d->uses[i];

		use.amount = max64(0, min64(use.amount,
					    books_available(e->books, q->node,
							    use.pair)));
		withheld_want(e, q, &use, 1);
	}
	withheld_lift(e, q);
}

/* An owner had its turn, and so had a workload that was given up with the
 * others of its bond. A StrictFIFO queue waits behind it anyway. */
static bool is_withheld_for(const struct workload *w)
{
	const struct queue *q = w->shape->q;

	return !workload_claim(w) && workload_is_undecided(w) && !queue_held(q)
	       && q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO;
}

/* Withholds all that it asks for if that fits; if it would have to evict, only
 * what those before it leave free. Nothing of its queue is in the books. */
static int workload_withhold(struct plan *p, const struct workload *w)
{
	struct engine *e = p->e;
	struct ask ask = { .w = w, .q = w->shape->q, .now = p->now };
	struct nominee n;

	if (!is_withheld_for(w))
		return 0;
	arena_reset(&e->arena);
	if (nominate(e, &ask, &n) < 0)
		return -1;
	plan_note_expiry(p, &n.passed);
	if (n.draft.public.mode == MODE_FIT)
		withheld_want(e, ask.q, n.draft.uses, n.draft.public.nusage);
	else if (n.draft.public.mode == MODE_PREEMPT && n.ntargets)
		free_withhold(e, ask.q, &n.draft);
	return 0;
}

static int blocked_compare(const void *x, const void *y)
{
	struct workload *const *a = x, *const *b = y;

	return workload_before(*a, *b) ? -1 : workload_before(*b, *a);
}

/* All of a queue, in its order, not in the order in which they found no nodes. NULL:
 * no memory */
static struct workload **blocked_sort(struct engine *e, const struct queue *q,
				      size_t *n)
{
	struct workload **list = NULL;

	*n = 0;
	for (struct workload *w = q->blocked; w; w = w->rare->next_blocked) {
		list = scratch_reserve(e, SCRATCH_BLOCKED, *n + 1,
				       sizeof(*list));
		if (!list)
			return NULL;
		list[(*n)++] = w;
	}
	if (*n > 1)
		qsort(list, *n, sizeof(*list), blocked_compare);
	return list;
}

/* -1: no memory */
static int queue_withhold(struct plan *p, struct queue *q)
{
	struct workload **list;
	int rc = 0;
	size_t n;

	if (!q->blocked)
		return 0;
	list = blocked_sort(p->e, q, &n);
	if (!list)
		return -1;
	withheld_lift(p->e, q);
	/* the other half of the budget is for those that were not tried yet */
	for (size_t i = 0; i < n && !rc
	     && !budget_is_spent(p->e, p->e->searches->looks, p->e->plan_budget / 2);
	     i++)
		rc = workload_withhold(p, list[i]);
	withheld_book(p->e, q);
	return rc;
}

/* For those that are not submitted (engine_withhold()) */
static void unsubmitted_withhold(struct plan *p, struct queue *q)
{
	if (!q->unsubmitted || queue_held(q)
	    || q->spec.strategy != STRATEGY_BEST_EFFORT_FIFO)
		return;
	for (size_t i = 0; i < p->e->books->npairs; i++) {
		struct use use = { (int) i, q->unsubmitted[i] };

		if (use.amount)
			withheld_add(p->e, q, &use, 1);
	}
}

int blocked_withhold(struct plan *p, struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (queue_withhold(p, tree->queues[i]) < 0)
			return -1;
		unsubmitted_withhold(p, tree->queues[i]);
	}
	return 0;
}
