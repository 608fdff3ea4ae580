/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcomes.c - what the outcome of a head in a cycle means for the plan
 *
 * doc/how-it-decides.md, sections 8 and 9.
 */
#include "candidates/candidate.h"
#include "core/cap.h"
#include "holding/holding.h"
#include "plan/plan.h"

/* ---- preemption ---- */

bool entry_evicts(const struct entry *entry)
{
	for (size_t i = 0; i < entry->final.ntargets; i++) {
		if (!entry->final.targets[i].h->tentative)
			return true;
	}
	return false;
}

bool entry_evicts_later(const struct entry *entry)
{
	return entry->w->blocked && entry_evicts(entry)
	       && entry->q->spec.strategy != STRATEGY_STRICT_FIFO;
}

static void preemption_promise(struct plan *p, const struct entry *entry,
			       const struct victim *victims, size_t nvictims)
{
	struct workload *w = entry->w;
	struct decision *d = decide(p, w);

	w->done = true;
	if (d->starts) {
		d->next_victims = victims;
		d->n_next_victims = nvictims;
		return;
	}
	verdict_set(p, w, VERDICT_PREEMPT, entry->final.draft.borrow > 0);
	d->verdict.nvictims = nvictims;
	d->verdict.victims = victims;
}

/* Its victims leave. If all of them are starts of this plan, the head starts. */
static int head_preempt(struct plan *p, struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t nvictims;
	const struct victim *victims = victims_list(p->e, &entry->q->tree->arena, n->owner,
						    n->targets, n->ntargets, &nvictims);

	if (!victims)
		return -1;
	if (entry_evicts_later(entry)) {
		preemption_promise(p, entry, victims, nvictims);
		p->victims_stay = true;
		return 1;
	}
	for (size_t i = 0; i < n->ntargets; i++) {
		if (victim_leave(p, n->targets[i].h) < 0)
			return -1;
	}
	if (!nvictims)
		return start_head(p, entry);
	preemption_promise(p, entry, victims, nvictims);
	local_plan_start(p->e, entry->w->shape->local, n->draft.uses, n->draft.nusage);
	(void) workload_charge(p->e, entry->w, n->draft.uses, n->draft.nusage);
	return 1;
}

/* ---- heads without a chance ---- */

/* A pair of which the workload wants nothing is of no account, although Kueue has a borrow
 * level for that, too. */
static bool stays_within_nominal(const struct plan *p, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;

	for (size_t i = 0; i < d->nusage; i++) {
		if (d->uses[i].amount > 0
		    && books_is_over_nominal(p->e->books, entry->q->node, d->uses[i].pair,
					     d->uses[i].amount))
			return false;
	}
	return true;
}

/* Quota of its queue is not lent out while the workload waits for the end of a protection
 * (section 6), or of jobs that it may not evict (section 8). */
static bool is_kept_for(const struct plan *p, const struct entry *entry)
{
	return entry->outcome == OUTCOME_NO_CANDIDATES && entry->q->tree->nqueues > 1
	       && (entry->final.passed.protected_in_other_queue
		   || (!policy_is_any(entry->q->spec.reclaim)
		       && stays_within_nominal(p, entry)));
}

static int shape_keep(struct plan *p, struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;
	struct use *kept = uses_keep(p, entry);

	if (!kept)
		return -1;
	kept_add(p->e, entry->w->shape, kept, d->nusage, rank_last(p));
	return 1;
}

/* Kueue's StrictFIFO waits for ever behind a workload that can never go (section 3). */
static bool is_never(const struct plan *p, const struct entry *entry)
{
	struct verdict ignored;

	return entry->outcome == OUTCOME_NOFIT
	       && never_fits(p->e, entry->w, &ignored);
}

static int head_drop(struct plan *p, struct entry *entry)
{
	if (!entry_is_inadmissible(entry) && !is_never(p, entry))
		return 0;
	heads_drop_shape(entry->q, entry->w->shape);
	entry->w->shape->passed = entry->final.passed;
	/* a workload that does not fit waits for more than that */
	return is_kept_for(p, entry) ? shape_keep(p, entry) : 1;
}

/* ---- all outcomes ---- */

bool entry_still_fits(const struct plan *p, const struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t mark;
	bool fits;

	if (!p->victims_stay)
		return true;
	mark = trial_begin(p->e);
	withheld_lift(p->e, entry->q);
	for (size_t i = 0; i < n->ntargets; i++)
		target_remove(p->e, n->targets[i].h);
	fits = workload_fits(p->e, entry->w, n->draft.uses, n->draft.nusage);
	trial_end(p->e, mark);
	return fits;
}

/* It found no job to evict because a blocked head before it took the victims,
 * which stay: the next cycle, without that head, tells. */
static bool fails_without_need(const struct plan *p, const struct entry *entry)
{
	return p->victims_stay && entry->recomputed && outcome_fails(entry->outcome);
}

/* Applies the outcome while what the queue withholds from others is out of the books */
static int outcome_apply_lifted(struct plan *p, struct entry *entry)
{
	if (outcome_goes(entry->outcome) && !entry_still_fits(p, entry))
		return 0;
	if (fails_without_need(p, entry))
		return 0;
	if (entry->outcome == OUTCOME_ADMITTED)
		return start_head(p, entry);
	if (entry->outcome == OUTCOME_PREEMPTING)
		return head_preempt(p, entry);
	return outcome_fails(entry->outcome) ? head_drop(p, entry) : 0;
}

int outcome_apply(struct plan *p, struct entry *entry)
{
	int rc;

	workload_renew(entry->w);
	withheld_lift(p->e, entry->q);
	rc = outcome_apply_lifted(p, entry);
	withheld_book(p->e, entry->q);
	return rc;
}
