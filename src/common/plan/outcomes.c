/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outcomes.c - what the outcome of a round means for the plan
 *
 * In a plan an admitted head counts as running and victims count as gone, so
 * that many heads get their turn. A start that a later head takes back was
 * never real: nobody is evicted for it. What fits only where victims are
 * still running waits for them.
 */
#include "core/trial.h"
#include "workload/bond.h"
#include "cycle/queue_heads.h"
#include "workload/holding.h"
#include "plan/never.h"
#include "plan/plan.h"
#include "workload/progress.h"
#include "workload/unit.h"

static bool start_limit_reached(const struct workload *w)
{
	int64_t limit = w->max_starts ? min64(w->tasks, w->max_starts)
				      : w->tasks;

	return w->starts >= limit;
}

/* What it may start with is what the first of its starts has that was not
 * taken back. */
static void promise_renew(struct workload *w)
{
	struct holding *h = w->first_start;

	while (h && (h->gone || !h->promised))
		h = h->later;
	w->first_start = h;
	w->promise = h ? h->uses : NULL;
	w->npromise = h ? h->nuses : 0;
}

/* The start was taken back: other tasks of it may still go */
static void start_revoke(const struct holding *h)
{
	struct workload *w = h->w;

	w->done = true;
	if (h == w->first_start)
		promise_renew(w);
	if (h->promised)
		w->verdict.starts = --w->starts;
	if (!w->starts)
		verdict_wait(w, WAIT_IS_ORDER, 0);
}

static int gone_add(struct plan *p, struct holding *h)
{
	p->gone = scratch_reserve(p->e, SCRATCH_VICTIMS, p->ngone + 1,
				  sizeof(*p->gone));
	if (!p->gone)
		return -1;
	unit_set_gone(h, true);
	p->gone[p->ngone++] = h;
	target_remove(p->e, h);
	if (!h->tentative) {
		p->nreal++;
		return 0;
	}
	for_each_in_unit(m, h)
		start_revoke(m);
	return 0;
}

/* What a head would get, in memory that lasts as long as the plan */
static struct use *uses_keep(struct plan *p, const struct draft *d)
{
	size_t n = d->public.nusage;
	struct use *uses = arena_alloc(&p->tree->arena, n, sizeof(*uses));

	if (!uses)
		p->e->no_memory = true;
	for (size_t i = 0; uses && i < n; i++)
		uses[i] = d->uses[i];
	return uses;
}

/* The components of a job are settled one after the other: who takes back one
 * of them takes back all. */
static void start_join(const struct plan *p, struct holding *h)
{
	struct holding *last = p->starts;

	if (bond_is_together(h->w) && last && !last->gone
	    && last->w->bond == h->w->bond)
		unit_join(h, last);
}

/* Charges a head for the rest of the plan; a later one may take it back, but
 * not for a job that evicts: what it gets by that is its own. */
static int start_charge(struct plan *p, const struct entry *entry,
			struct use *uses, bool promised)
{
	size_t nuses = entry->final.draft.public.nusage;
	struct holding *h;

	books_add_all(p->e->books, entry->q->node, uses, nuses);
	if (entry->others_evict)
		return 0;
	h = arena_alloc(&p->tree->arena, 1, sizeof(*h));
	if (!h) {
		p->e->no_memory = true;
		return -1;
	}
	h->w = entry->w;
	h->uses = uses;
	h->nuses = nuses;
	h->tentative = true;
	h->promised = promised;
	/* the later it was planned, the sooner it is taken back */
	h->reserved_at = sat_add(p->now, ++p->nstarts);
	start_join(p, h);
	h->next_start = p->starts;
	p->starts = h;
	*(h->w->last_start ? &h->w->last_start->later : &h->w->first_start) = h;
	h->w->last_start = h;
	holding_list(h, entry->q);
	return 0;
}

/* It fits while all victims of the plan are still there, and those for whom
 * they go are charged already */
static bool fits_really(struct plan *p, const struct entry *entry)
{
	const struct draft *d = &entry->final.draft;
	size_t mark;
	bool fits;

	if (!p->nreal)
		return true;
	mark = trial_begin(p->e);
	for (size_t i = 0; i < p->ngone; i++) {
		if (!p->gone[i]->tentative)
			target_restore(p->e, p->gone[i]);
	}
	fits = books_fit(p->e->books, entry->q->node, d->uses,
			 d->public.nusage);
	trial_end(p->e, mark);
	return fits;
}

static void start_promise(struct plan *p, const struct entry *entry,
			  const struct use *uses)
{
	struct workload *w = entry->w;

	verdict_start(p, w, entry->final.draft.public.borrow > 0);
	if (w->promise)
		return;
	w->promise = uses;
	w->npromise = entry->final.draft.public.nusage;
}

/* What is blocked in a BestEffortFIFO queue may start, but holds back nobody
 * of its own queue, and others only as far as nominal quota goes. */
static int start_settle(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;
	bool strict = entry->q->spec.strategy == STRATEGY_STRICT_FIFO;
	struct use *uses = uses_keep(p, &entry->final.draft);
	bool really = fits_really(p, entry);

	if (!uses)
		return -1;
	if (really)
		start_promise(p, entry, uses);
	else if (!w->starts)
		verdict_wait(w, WAIT_IS_PREEMPTING, p->nreal);
	if (!really || w->blocked || start_limit_reached(w))
		w->done = true;
	if (w->blocked && strict)
		heads_stop(entry->q);
	if (w->blocked && !strict && really)
		return 1;
	return start_charge(p, entry, uses, really) < 0 ? -1 : 1;
}

/* Whom it evicts, in memory that lasts as long as the plan. Starts that it
 * takes back are nobody. */
static struct victim *victims_keep(struct plan *p, const struct nominee *n,
				   size_t *nreal)
{
	struct victim *kept = arena_alloc(&p->tree->arena, n->ntargets,
					  sizeof(*kept));

	*nreal = 0;
	if (!kept)
		p->e->no_memory = true;
	for (size_t i = 0; kept && i < n->ntargets; i++) {
		if (n->targets[i].h->tentative)
			continue;
		kept[*nreal].workload = n->targets[i].h->w;
		kept[(*nreal)++].reason = n->targets[i].reason;
	}
	return kept;
}

static void preemption_promise(struct plan *p, const struct entry *entry,
			       const struct victim *victims, size_t nreal)
{
	struct workload *w = entry->w;

	if (!w->starts) {
		verdict_set(p, w, VERDICT_PREEMPT,
			    entry->final.draft.public.borrow > 0);
		w->verdict.nvictims = nreal;
		w->verdict.victims = victims;
	}
	w->done = true;
}

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

static int preemption_settle(struct plan *p, struct entry *entry)
{
	const struct nominee *n = &entry->final;
	size_t nreal;
	struct victim *victims = victims_keep(p, n, &nreal);

	if (!victims)
		return -1;
	if (entry_evicts_later(entry)) {
		preemption_promise(p, entry, victims, nreal);
		p->victims_stay = true;
		return 1;
	}
	for (size_t i = 0; i < n->ntargets; i++) {
		if (gone_add(p, n->targets[i].h) < 0)
			return -1;
	}
	if (!nreal)
		return start_settle(p, entry);
	preemption_promise(p, entry, victims, nreal);
	books_add_all(p->e->books, entry->q->node, n->draft.uses,
		      n->draft.public.nusage);
	return 1;
}

/* Quota that it may only have later is kept for it meanwhile */
static int shape_keep(struct plan *p, struct entry *entry)
{
	const struct draft *d = &entry->final.draft;
	struct shape *shape = entry->w->shape;
	size_t n = d->public.nusage;

	shape->kept = uses_keep(p, d);
	if (!shape->kept)
		return -1;
	shape->nkept = n;
	shape->kept_rank = rank_last(p);
	withheld_add(p->e, entry->q, shape->kept, n);
	return 1;
}

/* Kueue's StrictFIFO waits for ever behind one that can never go. */
static bool is_passed_by(const struct plan *p, const struct entry *entry)
{
	struct verdict v;

	if (entry->outcome != OUTCOME_NOFIT
	    || !never_fits(p->e, entry->w, &v))
		return false;
	heads_drop_shape(entry->q, entry->w->shape);
	return true;
}

static int inadmissible_settle(struct plan *p, struct entry *entry)
{
	if (!round_requeue(entry, false) && !is_passed_by(p, entry))
		return 0;
	entry->w->shape->passed = entry->final.passed;
	/* one that does not fit waits for more than the end of a protection */
	if (entry->outcome == OUTCOME_NO_CANDIDATES
	    && entry->final.passed.elsewhere)
		return shape_keep(p, entry);
	return 1;
}

bool plan_still_fits(struct plan *p, const struct entry *entry)
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
	fits = books_fit(p->e->books, entry->q->node, n->draft.uses,
			 n->draft.public.nusage);
	trial_end(p->e, mark);
	return fits;
}

static int outcome_settle(struct plan *p, struct entry *entry)
{
	bool goes = entry->outcome == OUTCOME_ADMITTED
		    || entry->outcome == OUTCOME_PREEMPTING;

	if (goes && !plan_still_fits(p, entry))
		return 0;
	switch (entry->outcome) {
	case OUTCOME_ADMITTED:
		return start_settle(p, entry);
	case OUTCOME_PREEMPTING:
		return preemption_settle(p, entry);
	case OUTCOME_NOFIT:
	case OUTCOME_NO_CANDIDATES:
		return inadmissible_settle(p, entry);
	default:
		return 0;
	}
}

int plan_settle(struct plan *p, struct entry *entry)
{
	int rc;

	plan_note_expiry(p, &entry->nominated.passed);
	plan_note_expiry(p, &entry->final.passed);
	workload_renew(entry->w);
	withheld_lift(p->e, entry->q);
	rc = outcome_settle(p, entry);
	withheld_book(p->e, entry->q);
	return rc;
}

void plan_forget(struct plan *p)
{
	for (struct holding *h = p->starts; h; h = h->next_start)
		holding_unlist(h);
	for (size_t i = 0; i < p->ngone; i++)
		unit_set_gone(p->gone[i], false);
}
