/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners_first.c - who comes before all heads of a plan
 *
 * Owners of freed quota: nobody overtakes them while victims are on their way
 * out. And workloads that have quota but no nodes: what they ask for is kept
 * from other queues.
 */
#include <stdlib.h>

#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "core/trial.h"
#include "workload/progress.h"
#include "workload/waiting.h"

static bool charges_touch(const struct holding *h, const struct workload *owner)
{
	for (size_t i = 0; i < h->nuses; i++) {
		for (size_t k = 0; k < owner->nclaim; k++) {
			if (h->uses[i].pair == owner->claim[k].pair)
				return true;
		}
	}
	return false;
}

/* Workloads on their way out that use what the owner waits for */
static size_t evicting_count(const struct tree *tree,
			     const struct workload *owner)
{
	size_t n = 0;

	for (size_t i = 0; i < tree->nqueues; i++) {
		for (const struct holding *h = tree->queues[i]->holdings; h;
		     h = h->next)
			n += h->evicting && charges_touch(h, owner);
	}
	return n;
}

static bool claim_borrows(const struct books *b, const struct workload *w)
{
	for (size_t i = 0; i < w->nclaim; i++) {
		if (books_borrows_with(b, w->shape->q->node, w->claim[i].pair,
				       w->claim[i].amount))
			return true;
	}
	return false;
}

static void owner_settle(struct plan *p, struct workload *w)
{
	struct books *b = p->e->books;
	int node = w->shape->q->node;
	size_t evicting;

	workload_renew(w);
	if (queue_held(w->shape->q)) {
		books_add_all(b, node, w->claim, w->nclaim);
		return;
	}
	if (books_fit(b, node, w->claim, w->nclaim)) {
		verdict_start(p, w, claim_borrows(b, w));
		w->done = true;
		books_add_all(b, node, w->claim, w->nclaim);
		return;
	}
	evicting = evicting_count(p->tree, w);
	w->claim_void = !evicting;
	if (!evicting)
		return;
	verdict_wait(w, WAIT_IS_PREEMPTING, evicting);
	books_add_all(b, node, w->claim, w->nclaim);
}

void plan_settle_owners(struct plan *p)
{
	for (struct workload *w = p->tree->owners; w; w = w->next_owner)
		books_remove_all(p->e->books, w->shape->q->node, w->claim,
				 w->nclaim);
	for (struct workload *w = p->tree->owners; w; w = w->next_owner)
		owner_settle(p, w);
}

/* No more than is free: what victims have is still theirs, and nobody is to
 * evict twice for it */
static void hold_free(struct engine *e, struct queue *q, const struct draft *d)
{
	for (size_t i = 0; i < d->public.nusage; i++) {
		struct use use = d->uses[i];

		use.amount = max64(0, min64(use.amount,
					    books_available(e->books, q->node,
							    use.pair)));
		withheld_add(e, q, &use, 1);
	}
}

static int blocked_hold(struct plan *p, struct workload *w)
{
	struct ask ask = { .w = w, .q = w->shape->q, .now = p->now };
	struct nominee n;

	/* not for one that was given up with the others of its bond */
	if (w->claim || !workload_undecided(w) || queue_held(ask.q)
	    || ask.q->spec.strategy != STRATEGY_BEST_EFFORT_FIFO)
		return 0;
	arena_reset(&p->e->arena);
	withheld_lift(p->e, ask.q);
	if (nominate(p->e, &ask, &n) < 0)
		return -1;
	withheld_book(p->e, ask.q);
	plan_note_expiry(p, &n.passed);
	if (n.draft.public.mode == MODE_FIT)
		withheld_add(p->e, ask.q, n.draft.uses, n.draft.public.nusage);
	else if (n.draft.public.mode == MODE_PREEMPT && n.ntargets)
		hold_free(p->e, ask.q, &n.draft);
	return 0;
}

static int blocked_compare(const void *x, const void *y)
{
	struct workload *const *a = x, *const *b = y;

	return workload_before(*a, *b) ? -1 : workload_before(*b, *a);
}

/* In the order of the queue, whoever found no nodes first. -1: no memory */
static int queue_hold_blocked(struct plan *p, const struct queue *q)
{
	struct workload **list = NULL;
	size_t n = 0;

	for (struct workload *w = q->blocked; w; w = w->next_blocked) {
		list = scratch_reserve(p->e, SCRATCH_BLOCKED, n + 1,
				       sizeof(*list));
		if (!list)
			return -1;
		list[n++] = w;
	}
	if (n > 1)
		qsort(list, n, sizeof(*list), blocked_compare);
	for (size_t i = 0; i < n; i++) {
		if (blocked_hold(p, list[i]) < 0)
			return -1;
	}
	return 0;
}

int plan_hold_blocked(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		if (queue_hold_blocked(p, p->tree->queues[i]) < 0)
			return -1;
	}
	return 0;
}
