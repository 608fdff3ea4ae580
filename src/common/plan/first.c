/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first.c - before the first cycle of a plan
 *
 * doc/how-it-decides.md, section 9: freed quota has an owner, whom no other workload
 * overtakes while its victims are on their way out; and in a BestEffortFIFO queue
 * workloads behind one with quota but without nodes may go, but what it asks for is kept
 * from other queues.
 */
#include "core/cap.h"
#include "holding/holding.h"
#include "plan/plan.h"

/* ---- owners of freed quota ---- */

static bool uses_what_is_claimed(const struct holding *h, const struct workload *owner)
{
	for (size_t i = 0; i < h->nuses; i++) {
		for (size_t k = 0; k < owner->claim->nuses; k++) {
			if (h->uses[i].pair == owner->claim->uses[k].pair)
				return true;
		}
	}
	return false;
}

/* The number of workloads on their way out that use what the owner waits for. They
 * stand before all others of their queue. */
static size_t evicting_count(const struct tree *tree, const struct workload *owner)
{
	size_t n = 0;

	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		for_each_leaving(h, tree->queues[i])
			n += uses_what_is_claimed(h, owner);
	}
	return n;
}

/* The owner starts if what it owns fits; else it waits for its victims to
 * leave. If it has none to wait for, it competes like any other workload. */
static void owner_go(struct plan *p, struct tree *tree, struct workload *w)
{
	const struct claim *claim = w->claim;
	size_t evicting;

	workload_renew(w);
	if (queue_held(w->shape->q)) {
		claim_charge(p->e, w, 1);
		return;
	}
	if (workload_fits(p->e, w, claim->uses, claim->nuses)) {
		local_plan_start(p->e, w->shape->local, claim->uses, claim->nuses);
		verdict_start(p, w, books_is_over_with(p->e->books, w->shape->q->node,
						       claim->uses, claim->nuses));
		w->done = true;
		claim_charge(p->e, w, 1);
		return;
	}
	evicting = evicting_count(tree, w);
	decide(p, w)->claim_void = !evicting;
	tree->has_void |= !evicting;
	if (!evicting)
		return;
	verdict_wait(p, w, WAIT_IS_PREEMPTING, evicting);
	local_plan_start(p->e, w->shape->local, claim->uses, claim->nuses);
	claim_charge(p->e, w, 1);
}

void owners_go_first(struct plan *p, struct tree *tree)
{
	tree->has_void = false;
	for (struct workload *w = tree->owners; w; w = w->claim->next_owner)
		claim_charge(p->e, w, -1);
	for (struct workload *w = tree->owners; w; w = w->claim->next_owner)
		owner_go(p, tree, w);
}

/* ---- workloads that have quota but no nodes ---- */

/* Withholds no more than what is free: what victims use is still theirs, and
 * must not cause a second eviction. */
static void free_withhold(struct engine *e, struct queue *q, const struct assignment *d)
{
	withheld_book(e, q);
	for (size_t i = 0; i < d->nusage; i++) {
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

	return !w->claim && workload_is_undecided(w) && !queue_held(q)
	       && q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO;
}

/* Withholds all that it asks for if that fits; if it would have to evict, now or after its delay,
 * only what those before it leave free. Nothing of its queue is in the books. */
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
	if (n.draft.mode == MODE_FIT)
		withheld_want(e, ask.q, n.draft.uses, n.draft.nusage);
	else if (n.draft.mode == MODE_PREEMPT && (n.ntargets || n.passed.delayed))
		free_withhold(e, ask.q, &n.draft);
	return 0;
}

/* In the order of the line. -1: no memory */
static int queue_withhold(struct plan *p, struct queue *q)
{
	size_t left = q->nblocked;
	int rc = 0;

	/* the other half of the budget is for those that were not tried yet */
	for_each_waiting(w, q) {
		if (!left || rc
		    || budget_is_spent(p->e, p->e->searches->looks, p->e->plan_budget / 2))
			break;
		if (!w->blocked)
			continue;
		left--;
		rc = workload_withhold(p, w);
	}
	return rc;
}

/* For those that are not submitted (engine_withhold()) */
static void unsubmitted_withhold(struct plan *p, struct queue *q)
{
	if (queue_held(q) || q->spec.strategy != STRATEGY_BEST_EFFORT_FIFO)
		return;
	for (size_t i = 0; i < p->e->books->npairs; i++) {
		struct use use = { (int) i, q->unsubmitted[i] };

		if (use.amount)
			withheld_want(p->e, q, &use, 1);
	}
}

int blocked_withhold(struct plan *p, struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		withheld_lift(p->e, q);
		if (queue_withhold(p, q) < 0)
			return -1;
		unsubmitted_withhold(p, q);
		withheld_book(p->e, q);
	}
	return 0;
}
