/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starts.c - starts that are tentative while a plan is made
 *
 * doc/how-it-decides.md, section 9: in a plan an admitted head counts as
 * running and victims count as gone, so that many heads get their turn. A start
 * that a later head takes back was never real: no job is evicted for it. A head
 * that fits only after victims have left waits for them.
 */
#include "core/cap.h"
#include "plan/plan.h"
#include "holding/holding.h"
#include "holding/settled.h"

/* ---- starts that are taken back ---- */

/* The promise is what the first of its starts has that was not taken back. */
static void promise_renew(const struct plan *p, struct decision *d, const struct workload *w)
{
	d->promise = NULL;
	d->npromise = 0;
	for (const struct holding *h = p->starts; h; h = h->next_start) {
		if (h->w != w || h->gone || !h->promised)
			continue;
		d->promise = h->uses;
		d->npromise = h->nuses;
	}
}

/* The task that evicts is the only one that is left. */
static void next_promise(struct decision *d, struct tree *tree)
{
	d->verdict.kind = VERDICT_PREEMPT;
	d->verdict.starts = 1;
	d->verdict.borrowing = false;
	d->verdict.victims = d->next_victims;
	d->verdict.nvictims = d->n_next_victims;
	tree->evicts = true;
}

/* The start was taken back. Other tasks of the workload may still go. */
static void start_revoke(struct plan *p, const struct holding *h)
{
	struct workload *w = h->w;
	struct decision *d = decide(p, w);

	w->done = true;
	if (h->uses == d->promise)
		promise_renew(p, d, w);
	if (h->promised)
		d->verdict.starts = --d->starts;
	if (d->starts)
		return;
	if (d->next_victims) {
		next_promise(d, w->shape->q->tree);
		return;
	}
	verdict_wait(p, w, WAIT_IS_ORDER, 0);
	/* other entries of its job may go */
	if (w->bond && !bond_is_together(w))
		bond_return(w->bond);
}

int victim_leave(struct plan *p, struct holding *h)
{
	p->gone = scratch_reserve(p->e, SCRATCH_VICTIMS, p->ngone + 1, sizeof(*p->gone));
	if (!p->gone)
		return -1;
	unit_set_left(h, true);
	p->gone[p->ngone++] = h;
	target_remove(p->e, h);
	if (!h->tentative) {
		p->nvictims++;
		return freed_add(p, h);
	}
	for_each_in_unit(m, h)
		start_revoke(p, m);
	return 0;
}

/* ---- starts ---- */

struct use *uses_keep(struct plan *p, const struct entry *entry)
{
	const struct assignment *d = &entry->final.draft;
	size_t n = d->nusage;
	struct use *uses = engine_alloc(p->e, &entry->q->tree->arena, n, sizeof(*uses));

	for (size_t i = 0; uses && i < n; i++)
		uses[i] = d->uses[i];
	return uses;
}

/* The components of a job start one after the other: a head that takes back one
 * of them takes back all. */
static void start_join(const struct plan *p, struct holding *h)
{
	struct holding *last = p->starts;

	if (bond_is_together(h->w) && last && !last->gone && last->w->bond == h->w->bond)
		(void) unit_join(h, last);
}

/* Before all that run, also those whose start is in the future by clocks; in 2116 that
 * has to change */
#define FIRST_START (INT64_MAX / 2)

/* Puts the start into the lists of the plan, the workload and the queue. A
 * start that was planned later is taken back sooner. */
static void start_list(struct plan *p, struct holding *h, struct queue *q)
{
	h->tentative = true;
	h->reserved_at = FIRST_START + ++p->nstarts;
	holding_list(h, q);
	start_join(p, h);
	h->next_start = p->starts;
	p->starts = h;
}

/* Charges a head for the rest of the plan. A later head may take the start
 * back, but not if the job evicts: what it gets by eviction is its own. */
static int start_charge(struct plan *p, const struct entry *entry,
			struct use *uses, bool promised)
{
	size_t nuses = entry->final.draft.nusage;
	struct holding *h;
	bool fixed;

	fixed = workload_charge(p->e, entry->w, uses, nuses);
	if (entry->others_evict)
		return 0;
	h = engine_alloc(p->e, &p->trees->arena, 1, sizeof(*h));
	if (!h)
		return -1;
	h->w = entry->w;
	h->uses = uses;
	h->nuses = nuses;
	h->promised = promised;
	h->fixed = fixed;
	h->settled = run_settles(p->e, entry->w, uses, nuses);
	start_list(p, h, entry->q);
	return 0;
}

static void start_promise(struct plan *p, const struct entry *entry, const struct use *uses)
{
	struct workload *w = entry->w;

	verdict_start(p, w, entry->final.draft.borrow > 0);
	if (w->decision->promise)
		return;
	w->decision->promise = uses;
	w->decision->npromise = entry->final.draft.nusage;
}

/* An array: all of its tasks have quota, or as many as its own limit allows. */
static bool start_limit_reached(const struct workload *w)
{
	int64_t limit = w->max_starts ? min64(w->tasks, w->max_starts) : w->tasks;

	return w->decision->starts >= limit;
}

/* A blocked head of a BestEffortFIFO queue may start. But it holds back no
 * workload of its own queue, and other queues only up to its nominal quota. */
int start_head(struct plan *p, struct entry *entry)
{
	struct workload *w = entry->w;
	bool strict = entry->q->spec.strategy == STRATEGY_STRICT_FIFO;
	struct use *uses = uses_keep(p, entry);
	bool now = !p->nvictims || freed_fit_beside(p, w, entry->final.draft.uses,
						    entry->final.draft.nusage);

	if (!uses)
		return -1;
	if (now)
		start_promise(p, entry, uses);
	else if (!decide(p, w)->starts)
		verdict_wait(p, w, WAIT_IS_PREEMPTING, p->nvictims);
	if (!now || w->blocked || start_limit_reached(w))
		w->done = true;
	if (w->blocked && strict)
		heads_stop(entry->q);
	if (w->blocked && !strict && now)
		return 1;
	local_plan_start(p->e, w->shape->local, uses, entry->final.draft.nusage);
	return start_charge(p, entry, uses, now) < 0 ? -1 : 1;
}

void starts_forget(struct plan *p)
{
	for (size_t i = 0; i < p->ngone; i++)
		unit_set_left(p->gone[i], false);
	for (struct holding *h = p->starts; h; h = h->next_start)
		holding_unlist(h);
}
