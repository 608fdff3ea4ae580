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
#include "workload/progress.h"
#include "workload/pending.h"
#include "workload/shape.h"

/* What a workload that fits takes: the same is withheld for the next one that asks for
 * the same, as nothing of this queue is in the books meanwhile. */
#define FIT_USES 8

/* One queue, with nothing withheld in the books */
struct withholding {
	struct plan *p;
	struct queue *q;
	bool in_order;			/* they come in the order of the queue */
	struct fits fits;
	struct use uses[FITS][FIT_USES];	/* of the same */
};

/* Withholds no more than what is free: what victims use is still theirs, and
 * must not cause a second eviction. */
static void free_withhold(struct withholding *on, const struct draft *d)
{
	struct engine *e = on->p->e;

	withheld_book(e, on->q);
	for (size_t i = 0; i < d->public.nusage; i++) {
		struct use use = d->uses[i];

		use.amount = max64(0, min64(use.amount,
					    books_available(e->books,
							    on->q->node,
							    use.pair)));
		withheld_want(e, on->q, &use, 1);
	}
	withheld_lift(e, on->q);
}

/* An owner had its turn, and so had a workload that was given up with the
 * others of its bond. A StrictFIFO queue waits behind it anyway. */
static bool is_withheld_for(const struct workload *w)
{
	const struct queue *q = w->shape->q;

	return !workload_claim(w) && workload_is_undecided(w) && !queue_held(q)
	       && q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO;
}

static void fit_remember(struct withholding *on, const struct workload *w,
			 const struct draft *d)
{
	size_t n = d->public.nusage;
	struct fit *fit = n > FIT_USES ? NULL : fit_note(&on->fits, w, d);
	struct use *uses;

	if (!fit)
		return;
	uses = on->uses[fit - on->fits.all];
	for (size_t i = 0; i < n; i++)
		uses[i] = d->uses[i];
	fit->uses = uses;
}

#define NEEDS_ORDER 1

/* Withholds all that it asks for if that fits; if it would have to evict, only
 * what those before it leave free. */
static int workload_withhold(struct withholding *on, const struct workload *w)
{
	struct engine *e = on->p->e;
	struct ask ask = { .w = w, .q = on->q, .now = on->p->now };
	const struct fit *fit;
	struct nominee n;

	if (!is_withheld_for(w))
		return 0;
	fit = fit_find(e, &on->fits, w);
	if (fit) {
		withheld_want(e, on->q, fit->uses, fit->nuses);
		return 0;
	}
	arena_reset(&e->arena);
	if (nominate(e, &ask, &n) < 0)
		return -1;
	plan_note_expiry(on->p, &n.passed);
	if (n.draft.public.mode == MODE_FIT) {
		withheld_want(e, on->q, n.draft.uses, n.draft.public.nusage);
		fit_remember(on, w, &n.draft);
	} else if (n.draft.public.mode == MODE_PREEMPT && n.ntargets) {
		if (!on->in_order)
			return NEEDS_ORDER;
		free_withhold(on, &n.draft);
	}
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
static int all_withhold_in_order(struct withholding *on)
{
	size_t n;
	struct workload **list = blocked_sort(on->p->e, on->q, &n);
	int rc = list ? 0 : -1;

	on->in_order = true;
	withheld_want_nothing(on->q);
	for (size_t i = 0; i < n && !rc; i++)
		rc = workload_withhold(on, list[i]);
	return rc;
}

/* Most often all fit, and their order does not matter. -1: no memory */
static int queue_withhold(struct plan *p, struct queue *q)
{
	struct withholding on = { .p = p, .q = q };
	int rc = 0;

	if (!q->blocked)
		return 0;
	withheld_lift(p->e, q);
	for (const struct workload *w = q->blocked; w && !rc; w = w->rare->next_blocked)
		rc = workload_withhold(&on, w);
	if (rc == NEEDS_ORDER)
		rc = all_withhold_in_order(&on);
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

int blocked_withhold(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		if (queue_withhold(p, p->tree->queues[i]) < 0)
			return -1;
		unsubmitted_withhold(p, p->tree->queues[i]);
	}
	return 0;
}
