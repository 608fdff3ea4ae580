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

	return !w->claim && workload_is_undecided(w) && !queue_held(q)
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

/* Withholds all that it asks for if that fits; if it would have to evict, only
 * what is free. */
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
		free_withhold(on, &n.draft);
	}
	return 0;
}

static int blocked_compare(const void *x, const void *y)
{
	struct workload *const *a = x, *const *b = y;

	return workload_before(*a, *b) ? -1 : workload_before(*b, *a);
}

/* Most often they found none in the order of the queue. */
static bool blocked_are_sorted(struct workload *const *list, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (workload_before(list[i], list[i - 1]))
			return false;
	}
	return true;
}

/* All of a queue, the one that found none first in front, as the last one is the first of
 * its list. NULL: no memory */
static struct workload **blocked_list(struct engine *e, const struct queue *q,
				      size_t *n)
{
	struct workload **list;
	size_t i = 0;

	for (const struct workload *w = q->blocked; w; w = w->next_blocked)
		i++;
	*n = i;
	list = scratch_reserve(e, SCRATCH_BLOCKED, i, sizeof(*list));
	for (struct workload *w = q->blocked; list && w; w = w->next_blocked)
		list[--i] = w;
	return list;
}

/* In the order of the queue, not in the order in which they found no nodes. -1:
 * no memory */
static int queue_withhold(struct plan *p, struct queue *q)
{
	struct withholding on = { .p = p, .q = q };
	struct workload **list;
	size_t n;
	int rc = 0;

	if (!q->blocked)
		return 0;
	list = blocked_list(p->e, q, &n);
	if (!list)
		return -1;
	if (!blocked_are_sorted(list, n))
		qsort(list, n, sizeof(*list), blocked_compare);
	withheld_lift(p->e, q);
	for (size_t i = 0; i < n && !rc; i++)
		rc = workload_withhold(&on, list[i]);
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
