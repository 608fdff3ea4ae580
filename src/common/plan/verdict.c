/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verdict.c - what a plan says about a workload
 */
#include "plan/plan.h"
#include "quota/history.h"

/* Ranks of one plan leave gaps for those of others, so that ranks compare however often
 * each tree was planned. */
uint64_t rank_last(const struct plan *p)
{
	return p->decisions * p->e->ntrees
	       + (uint64_t) (p->trees - p->e->trees);
}

struct decision *decide(struct plan *p, struct workload *w)
{
	workload_renew(w);
	if (!w->decision)
		w->decision = engine_alloc(p->e, &w->shape->q->tree->arena, 1,
					 sizeof(*w->decision));
	if (!w->decision)
		w->decision = &p->e->undecided;
	return w->decision;
}

static void promised_list(struct workload *w)
{
	struct tree *tree = w->shape->q->tree;
	struct decision *d = w->decision;

	if (d->promised)
		return;
	d->promised = true;
	d->next_promised = tree->promised;
	tree->promised = w;
}

void verdict_set(struct plan *p, struct workload *w, enum verdict_kind kind, bool borrowing)
{
	p->decisions++;
	decide(p, w)->verdict = VERDICT_OF(.kind = kind, .rank = rank_last(p),
					   .starts = 1, .borrowing = borrowing);
	promised_list(w);
	w->shape->q->tree->evicts |= kind == VERDICT_PREEMPT;
}

void verdict_wait(struct plan *p, struct workload *w, enum wait_reason reason, size_t nvictims)
{
	decide(p, w)->verdict = VERDICT_OF(.kind = VERDICT_WAIT, .reason = reason,
					   .nvictims = nvictims);
}

void verdict_start(struct plan *p, struct workload *w, bool borrowing)
{
	struct decision *d = decide(p, w);

	if (d->verdict.kind != VERDICT_START)
		verdict_set(p, w, VERDICT_START, borrowing);
	d->verdict.starts = ++d->starts;
	d->verdict.borrowing |= borrowing;
}

void plan_note_expiry(struct plan *p, const struct passed_over *passed)
{
	earliest_note(&p->trees->next_expiry, passed->until);
	earliest_note(&p->trees->next_expiry, passed->turn);
}

void plan_note_passed(struct plan *p, struct workload *w, const struct passed_over *passed)
{
	plan_note_expiry(p, passed);
	earliest_note(&p->trees->next_expiry, passed->delayed);
	if (passed->delayed)
		memory_note_could_evict(w, p->now);
}

void plan_note_history(struct plan *p, struct tree *tree)
{
	const struct history *between = p->e->books->history;

	for (size_t i = 0; tree->moves && i < tree->nqueues; i++) {
		const struct queue *q = tree->queues[i];

		if (!q->waiting.root || queue_held(q))
			continue;
		if (between)
			earliest_note(&tree->next_expiry,
				      history_latest(p->now, between->half_life));
		if (q->spec.by_usage && p->e->local_half_life)
			earliest_note(&tree->next_expiry,
				      history_latest(p->now, p->e->local_half_life));
	}
}

const struct verdict *engine_verdict(const struct engine *e, const struct workload *w)
{
	static const struct verdict none = VERDICT_OF(.kind = VERDICT_NONE);
	static const struct verdict held = VERDICT_OF(.kind = VERDICT_WAIT,
						      .reason = WAIT_IS_HELD);
	static const struct verdict order = VERDICT_OF(.kind = VERDICT_WAIT,
						       .reason = WAIT_IS_ORDER);
	const struct tree *tree;

	(void) e;
	w = bond_cause(w);
	tree = w->shape->q->tree;
	if (w->runs || tree->covered <= w->joined)
		return &none;
	if (queue_held(w->shape->q))
		return &held;
	if (w->plan == tree->plan && w->decision && w->decision->verdict.kind != VERDICT_NONE)
		return &w->decision->verdict;
	return shape_is_inadmissible(w->shape) ? &w->shape->verdict : &order;
}

bool engine_is_planned(const struct engine *e, const struct workload *w)
{
	const struct verdict *v = engine_verdict(e, w);

	return !w->shape->q->tree->partial || v->kind != VERDICT_WAIT
	       || v->reason == WAIT_IS_HELD || v->reason == WAIT_IS_NEVER;
}

bool engine_evicts(const struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		if (e->trees[i].evicts)
			return true;
	}
	return false;
}

void engine_promises(const struct engine *e,
		     void (*f)(void *arg, const struct workload *w,
			       const struct verdict *v), void *arg)
{
	for (size_t i = 0; i < e->ntrees; i++) {
		const struct workload *w = e->trees[i].promised;

		for (; w && !e->trees[i].needs_plan; w = w->decision->next_promised) {
			const struct verdict *v = engine_verdict(e, w);

			if (verdict_goes(v))
				f(arg, w, v);
		}
	}
}
