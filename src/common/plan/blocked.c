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
#define FITS 8
#define FIT_USES 8

struct fit {
	const struct workload *w;	/* NULL: none */
	struct use uses[FIT_USES];
	size_t nuses;
};

/* One queue, with nothing withheld in the books */
struct withholding {
	struct plan *p;
	struct queue *q;
	struct fit fits[FITS];		/* by what they ask for */
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

static struct fit *fit_slot(struct withholding *on, const struct workload *w)
{
	const struct podset_desc *first = w->shape->podsets;
	uint64_t amount = w->shape->npodsets && first->nrequests ?
		(uint64_t) first->requests[0].amount : 0;

	return &on->fits[hash_place(amount, FITS)];
}

/* The two get the same if one of them fits where its queue looks first. Priorities tell
 * whom they may evict, and nobody has to go. */
static bool fits_like(const struct engine *e, const struct workload *a,
		      const struct workload *b)
{
	return !workload_avoids(a) && !workload_avoids(b)
	       && a->shape->group == b->shape->group
	       && a->shape->nonpreemptible == b->shape->nonpreemptible
	       && a->shape->local == b->shape->local
	       && shape_asks_same(e, a->shape, b->shape);
}

/* Does it fit in the first flavor of each resource, without borrowing? Then no other
 * flavor was looked at, and nobody whom it might evict. */
static bool fits_at_once(const struct queue *q, const struct draft *d)
{
	const struct assignment *a = &d->public;

	if (a->mode != MODE_FIT || a->borrow)
		return false;
	for (size_t i = 0; i < a->nusage; i++) {
		const struct spec_group *group
			= queue_group(q, a->usage[i].resource);

		if (group && group->flavors[0] != a->usage[i].flavor)
			return false;
	}
	return true;
}

static void fit_remember(struct withholding *on, const struct workload *w,
			 const struct draft *d)
{
	struct fit *fit = fit_slot(on, w);
	size_t n = d->public.nusage;

	if (n > FIT_USES || workload_avoids(w) || !fits_at_once(on->q, d))
		return;
	fit->w = w;
	fit->nuses = n;
	for (size_t i = 0; i < n; i++)
		fit->uses[i] = d->uses[i];
}

/* Withholds all that it asks for if that fits; if it would have to evict, only
 * what is free. */
static int workload_withhold(struct withholding *on, const struct workload *w)
{
	struct engine *e = on->p->e;
	struct ask ask = { .w = w, .q = on->q, .now = on->p->now };
	const struct fit *fit = fit_slot(on, w);
	struct nominee n;

	if (!is_withheld_for(w))
		return 0;
	if (fit->w && fits_like(e, fit->w, w)) {
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

/* In the order of the queue, not in the order in which they found no nodes. -1:
 * no memory */
static int queue_withhold(struct plan *p, struct queue *q)
{
	struct withholding on = { .p = p, .q = q };
	struct workload **list = NULL;
	size_t n = 0;
	int rc = 0;

	if (!q->blocked)
		return 0;

	for (struct workload *w = q->blocked; w; w = w->stuck->next) {
		list = scratch_reserve(p->e, SCRATCH_BLOCKED, n + 1,
				       sizeof(*list));
		if (!list)
			return -1;
		list[n++] = w;
	}
	if (n > 1)
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
