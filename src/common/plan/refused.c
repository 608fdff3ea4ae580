/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refused.c - heads that need not be nominated
 *
 * doc/how-it-decides.md, section 9. What is refused to a head by itself, in the
 * only flavor of a resource group, is refused to all that come after it and ask
 * for as much: they may evict no more, and have to borrow as much. Kept apart is
 * what would not be so simple:
 *
 * - with fair sharing, borrowWithinCohort or turns, more depends on the head;
 * - a unit that one head may evict, and a later one may not, can leave its queue
 *   with less to give;
 * - a head that met a protected job may have to wait for it, and withholds;
 * - a head that fails may reserve quota in the cycle, unless it may not even search
 *   for victims (SUIT_NOFIT), or its queue reclaims from Any;
 * - a head that yields may evict less than those after it;
 * - heads with bonds look at who else is a head.
 *
 * Where that is so of all that still have their turns, in all queues, nothing of the tree
 * can move any more: they are dropped together, and none of them is looked at.
 */
#include "candidates/candidate.h"
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "cycle/queue_heads.h"
#include "lib/arena.h"
#include "nomination/request.h"
#include "plan/refused.h"
#include "workload/asked.h"
#include "workload/bond.h"
#include "workload/progress.h"

/* Pairs of a queue for which it is known. The first ones stay. */
#define PAIRS 4

struct bar {
	struct use least;		/* as much is refused */
	bool nofit;			/* without a search for victims */
	bool alone;			/* whatever else is asked for */
	int64_t priority;		/* of whom it was refused to, */
	int64_t queue_order_at;		/* and since when he waits */
};

struct refused {
	uint64_t standing;		/* what the plan's was then */
	size_t n;
	struct bar bars[PAIRS];
};

static bool queue_is_simple(const struct engine *e, const struct queue *q)
{
	const struct spec_queue *spec = &q->spec;

	return !e->fair_sharing && !q->nwithheld
	       && spec->strategy == STRATEGY_BEST_EFFORT_FIFO
	       && spec->min_admit == SPEC_NO_TIME
	       && (!spec->borrow_set || spec->borrow == POLICY_NEVER);
}

static bool workload_is_simple(const struct workload *w)
{
	const struct shape *s = w->shape;
	const struct podset_desc *ps = s->podsets;

	return s->npodsets == 1 && !ps->by_flavor && ps->min_count <= 0
	       && !workload_is_capped(w) && !workload_claim(w) && !workload_bond(w);
}

static struct bar *bar_of(struct refused *r, int pair)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->bars[i].least.pair == pair)
			return &r->bars[i];
	}
	return NULL;
}

/* The workload asks for as much, and has no more right to evict. */
static bool bar_holds(const struct bar *bar, const struct workload *w,
		      int64_t amount)
{
	int64_t priority = w->shape->priority;

	return amount >= bar->least.amount
	       && (bar->nofit || w->shape->q->spec.reclaim == POLICY_ANY)
	       && (priority < bar->priority
		   || (priority == bar->priority
		       && w->queue_order_at >= bar->queue_order_at));
}

/* ---- before a cycle ---- */

/* The pair that a request uses if there is only one; SPEC_NONE: it has a choice, or
 * none at all */
static int only_pair(const struct engine *e, const struct workload *w, size_t i)
{
	const struct podset_desc *ps = w->shape->podsets;
	int resource = ps->requests[i].resource;
	const struct spec_group *group = queue_group(w->shape->q, resource);

	if (!group || group->nflavors != 1
	    || ps->ineligible[group->flavors[0]])
		return SPEC_NONE;
	return books_pair(e->books, group->flavors[0], resource);
}

/* Which of its requests is refused by itself, and by what; SPEC_NONE: none */
static int request_refused(const struct engine *e, const struct workload *w,
			   const struct bar **bar)
{
	const struct podset_desc *ps = w->shape->podsets;

	for (size_t i = 0; i < ps->nrequests; i++) {
		int64_t amount = request_least(ps, i, ps->count);
		int pair = only_pair(e, w, i);

		if (pair == SPEC_NONE)
			continue;
		*bar = bar_of(w->shape->q->refused, pair);
		if (*bar && bar_holds(*bar, w, amount))
			return (int) i;
	}
	return SPEC_NONE;
}

static bool others_fit(struct engine *e, const struct workload *w,
		       size_t refused)
{
	const struct podset_desc *ps = w->shape->podsets;

	for (size_t i = 0; i < ps->nrequests; i++) {
		struct use use = {
			.pair = only_pair(e, w, i),
			.amount = request_least(ps, i, ps->count),
		};

		if (i != refused
		    && (use.pair == SPEC_NONE
			|| !kept_fit(e, w->shape->q, &use, 1)))
			return false;
	}
	return true;
}

/* A request is refused, and no other one could let it evict more than it could for
 * that one alone. */
static bool is_refused(const struct plan *p, const struct workload *w)
{
	const struct bar *bar;
	int refused = request_refused(p->e, w, &bar);

	return refused != SPEC_NONE
	       && ((bar->alone && !tree_protects(p->e, p->tree, p->now)
		    && !p->e->preempt_runtimes)
		   || others_fit(p->e, w, (size_t) refused));
}

static bool head_is_refused(const struct plan *p, const struct queue *q,
			    const struct workload *w)
{
	return w && q->refused && q->refused->standing == p->standing
	       && queue_is_simple(p->e, q) && workload_is_simple(w)
	       && is_refused(p, w);
}

/* Components and entries of one job look at who is at the head of other queues, so
 * all heads stay until their turns. */
static bool any_is_bonded(const struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		const struct workload *w = heads_get(p->tree->queues[i]);

		if (w && workload_bond(w))
			return true;
	}
	return false;
}

static void head_drop(struct plan *p, struct queue *q, struct workload *w)
{
	workload_renew(w);
	heads_drop_shape(q, w->shape);
	w->shape->passed = (struct passed_over) { 0 };
	shape_explain(p, w->shape);
}

/* Drops what is refused of all heads. 1 if there is any; *left: another one has its
 * turn */
static int heads_drop(struct plan *p, bool *left)
{
	bool refuses = p->refuses && !any_is_bonded(p);
	int dropped = 0;

	*left = !refuses;
	for (size_t i = 0; p->refuses && i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];
		struct workload *w = heads_get(q);

		q->sits_out = refuses && head_is_refused(p, q, w);
		*left |= w && !q->sits_out;
		if (!q->sits_out)
			continue;
		head_drop(p, q, w);
		dropped = 1;
	}
	return dropped;
}

/* ---- all that is left ---- */

/* Notes in which queues members of bonds wait. */
static void bonds_note(struct plan *p)
{
	if (p->knows_bonds)
		return;
	for (const struct bond *b = p->e->bonds; b; b = b->next) {
		for (const struct workload *m = b->members; m; m = m->rare->bond_next)
			m->shape->q->bonded = m->shape->q->tree->plan;
	}
	p->knows_bonds = true;
}

/* What the head is refused is refused to all that come after it in its queue: none
 * asks for less, or has anything that sets it apart. */
static bool rest_is_refused(const struct plan *p, struct queue *q,
			    const struct workload *head)
{
	const struct refused *r = q->refused;

	if (!r || r->standing != p->standing || !queue_is_simple(p->e, q)
	    || q->spec.by_usage || q->nmixed || q->bonded == p->tree->plan)
		return false;
	for (size_t i = 0; i < r->n; i++) {
		const struct bar *bar = &r->bars[i];
		int resource = p->e->books->pairs[bar->least.pair].resource;

		if (bar->alone && bar_holds(bar, head, bar->least.amount)
		    && asked_all_above(q, resource, bar->least.amount - 1))
			return true;
	}
	return false;
}

static bool all_rest_is_refused(struct plan *p)
{
	if (!p->refuses || p->tree->owners || p->e->preempt_runtimes
	    || tree_protects(p->e, p->tree, p->now))
		return false;
	bonds_note(p);
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];
		const struct workload *head = heads_get(q);

		if (head && !rest_is_refused(p, q, head))
			return false;
	}
	return true;
}

static int rest_drop(struct plan *p)
{
	int dropped = 0;

	if (!all_rest_is_refused(p))
		return 0;
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		if (!heads_get(q))
			continue;
		heads_drop_rest(q);
		dropped = 1;
	}
	return dropped;
}

int refused_drop(struct plan *p)
{
	int dropped, any = rest_drop(p);
	bool left;

	/* a cycle without heads would change nothing */
	do {
		dropped = heads_drop(p, &left);
		any |= dropped;
	} while (dropped && !left);
	return any;
}

/* ---- after a cycle ---- */

static bool passed_nobody(const struct passed_over *passed)
{
	return !passed->protected && !passed->turn && !passed->until;
}

/* Is it refused to all that ask for as much, and for more of other pairs, too? So it
 * is if it may not search, or has no right to evict anybody of any queue. */
static bool refused_alone(const struct plan *p, const struct entry *entry)
{
	const struct draft *d = &entry->nominated.draft;
	bool may_reclaim;

	if (d->refused_nofit)
		return true;
	books_borrow_level(p->e->books, entry->q->node, d->refused.pair,
			   d->refused.amount, &may_reclaim);
	return !may_reclaim && entry->q->spec.within == POLICY_NEVER;
}

static void bar_set(struct plan *p, const struct entry *entry)
{
	struct queue *q = entry->q;
	struct refused *r = q->refused;
	const struct use *least = &entry->nominated.draft.refused;
	struct bar *bar;

	if (!r)
		r = q->refused = arena_alloc(&p->tree->arena, 1, sizeof(*r));
	if (!r)
		return;
	if (r->standing != p->standing)
		*r = (struct refused) { .standing = p->standing };
	bar = bar_of(r, least->pair);
	if (bar ? least->amount >= bar->least.amount : r->n == PAIRS)
		return;
	if (!bar)
		bar = &r->bars[r->n++];
	*bar = (struct bar) {
		.least = *least,
		.nofit = entry->nominated.draft.refused_nofit,
		.alone = refused_alone(p, entry),
		.priority = entry->w->shape->priority,
		.queue_order_at = entry->w->queue_order_at,
	};
	p->refuses = true;
}

void refused_note(struct plan *p, struct entry *const *entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct entry *entry = entries[i];

		if (entry_fails(entry) && !entry->recomputed
		    && !entry->w->shape->yields
		    && entry->nominated.draft.refused.pair != SPEC_NONE
		    && (entry->nominated.draft.refused_nofit
			|| !p->tree->nexempt)	/* these count units */
		    && queue_is_simple(p->e, entry->q)
		    && workload_is_simple(entry->w)
		    && passed_nobody(&entry->nominated.passed))
			bar_set(p, entry);
	}
}

void refused_forget(struct plan *p)
{
	for (size_t i = 0; p->refuses && i < p->tree->nqueues; i++)
		p->tree->queues[i]->sits_out = false;
	p->standing = ++p->e->standings;
	p->refuses = false;
}
