/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.c - why a workload waits
 *
 * doc/how-it-decides.md, section 11.
 */
#include "core/cap.h"
#include "holding/holding.h"
#include "nomination/request.h"
#include "plan/plan.h"

/* The first flavor of the group that the pod set may use, or SPEC_NONE */
static int flavor_first(const struct podset_desc *ps, const struct spec_group *group)
{
	for (size_t i = 0; i < group->nflavors; i++) {
		if (!ps->ineligible[group->flavors[i]])
			return group->flavors[i];
	}
	return SPEC_NONE;
}

/* The missing part of `amount`, relative to it */
static double share_missing(int64_t amount, int64_t free)
{
	return amount > 0 ? ((double) amount - (double) free) / (double) amount
			  : -1e300;
}

/* Sums what all pod sets ask of a pair in their first flavors */
static int64_t asked_of(const struct engine *e, const struct workload *w,
			int flavor, int resource)
{
	const struct shape *shape = w->shape;
	int64_t sum = 0;

	for (size_t i = 0; i < shape->npodsets; i++) {
		const struct podset_desc *ps = &shape->podsets[i];

		for (size_t r = 0; r < ps->nrequests; r++) {
			const struct spec_group *group;

			if (ps->requests[r].resource != resource)
				continue;
			group = queue_group(shape->q, resource);
			if (group && flavor_first(ps, group) == flavor)
				sum = sat_add(sum, request_in(e, ps, r, flavor,
							      ps->count));
		}
	}
	return sum;
}

/* What the workload lacks most so far */
struct lack {
	double share;		/* share_missing() */
	int64_t potential;	/* of the queue in that pair */
};

/* Of two that lack as much, that of which the queue could have fewest: a GPU
 * before a CPU before a MB of memory. */
static bool lacks_more(const struct lack *a, const struct lack *b)
{
	return a->share > b->share
	       || (a->share == b->share && a->potential < b->potential);
}

/* What the verdict of a workload is to say of what it lacks */
struct lacking {
	struct plan *p;
	const struct workload *w;
	struct verdict *v;
	struct lack worst;
	bool capped;
};

/* Calls note() for all that the workload asks for, in the first flavors that it may use. */
static void asks_each(struct lacking *l, void (*note)(struct lacking *l, int flavor,
						      int resource, int64_t need))
{
	const struct shape *shape = l->w->shape;

	for (size_t i = 0; i < shape->npodsets; i++) {
		const struct podset_desc *ps = &shape->podsets[i];

		for (size_t r = 0; r < ps->nrequests; r++) {
			int resource = ps->requests[r].resource;
			const struct spec_group *group = queue_group(shape->q, resource);
			int flavor = group ? flavor_first(ps, group) : SPEC_NONE;

			if (flavor != SPEC_NONE)
				note(l, flavor, resource,
				     asked_of(l->p->e, l->w, flavor, resource));
		}
	}
}

static void lack_set(struct verdict *v, int flavor, int resource, int64_t need,
		     int64_t free)
{
	v->flavor = flavor;
	v->resource = resource;
	v->need = need;
	v->free = free;
}

/* The pair that lacks most */
static void lack_note(struct lacking *l, int flavor, int resource, int64_t need)
{
	const struct books *b = l->p->e->books;
	const struct queue *q = l->w->shape->q;
	int pair = books_pair(b, flavor, resource);
	int64_t free = max64(0, kept_available(l->p->e, q, pair));
	struct lack lack = {
		.share = share_missing(need, free),
		.potential = books_quota(b, q->node, pair)->potential,
	};

	if (l->v->flavor != SPEC_NONE && !lacks_more(&lack, &l->worst))
		return;
	l->worst = lack;
	lack_set(l->v, flavor, resource, need, free);
}

/* A non-preemptible workload is above the cap: the pair that lacks most. The cap is said
 * rather than quota: quota may be free, or become free by eviction, and yet it waits. */
static void cap_note(struct lacking *l, int flavor, int resource, int64_t need)
{
	const struct books *b = l->p->e->books;
	const struct queue *q = l->w->shape->q;
	int pair = books_pair(b, flavor, resource);
	int64_t room = fixed_room(b, q->node, pair, q->spec.cap_scope);
	struct verdict *v = l->v;

	if (need <= room || (l->capped && need - room <= v->need - v->free))
		return;
	l->capped = true;
	lack_set(v, flavor, resource, need, room);
	v->reason = WAIT_IS_NONPREEMPTIBLE;
	v->used = fixed_usage(b, q->node, pair);
	v->max = fixed_cap(b, q->node, pair, q->spec.cap_scope);
}

/* Policies let jobs of the queue evict others to borrow. */
static bool may_evict_to_borrow(const struct plan *p, const struct spec_queue *spec)
{
	return policy_is_set(spec->within) || policy_borrows(spec)
	       || (policy_is_set(spec->reclaim) && p->e->fair_sharing);
}

/* It lacks what its queue does not own. If it had not been evicted before, it might evict
 * others for that. */
static bool only_yields(const struct plan *p, const struct workload *w,
			const struct verdict *v)
{
	const struct spec_queue *spec = &w->shape->q->spec;
	const struct books *b = p->e->books;

	return w->shape->yields && v->flavor != SPEC_NONE
	       && may_evict_to_borrow(p, spec)
	       && books_is_over_nominal(b, w->shape->q->node,
					books_pair(b, v->flavor, v->resource),
					v->need);
}

struct verdict reason_to_wait(struct plan *p, const struct workload *w,
			      const struct passed_over *passed)
{
	struct verdict v = VERDICT_OF(.kind = VERDICT_WAIT, .reason = WAIT_IS_QUOTA);
	struct lacking l = { .p = p, .w = w, .v = &v, .worst = { 0, INT64_MAX } };

	if (never_fits(p->e, w, &v))
		return v;
	withheld_lift(p->e, w->shape->q);
	asks_each(&l, lack_note);
	withheld_book(p->e, w->shape->q);
	if (passed->protected) {
		v.reason = WAIT_IS_PROTECTED;
		v.delayed = passed->delayed;
		v.until = v.delayed ? passed->delayed : passed->until;
		v.spent = passed->spent && !v.until;
		v.fixed = passed->fixed && !v.until && !v.spent;
	} else if (workload_is_capped(w)) {
		asks_each(&l, cap_note);
	}
	if (v.reason == WAIT_IS_QUOTA && only_yields(p, w, &v))
		v.reason = WAIT_IS_YIELDING;
	return v;
}

/* The pair that the reason names is missing without this plan, too, and there is no other
 * flavor. */
static bool is_quota_for_sure(const struct plan *p, const struct queue *q,
			      const struct verdict *v)
{
	const struct books *b = p->e->books;
	const struct spec_group *group;

	if (v->flavor == SPEC_NONE || q->tree->owners)
		return false;
	group = queue_group(q, v->resource);
	return group && group->nflavors == 1
	       && v->need > max64(0, kept_available(p->e, q, books_pair(b, v->flavor,
								      v->resource)));
}

/* Does the workload only wait for its turn? Then *v becomes WAIT_IS_ORDER. */
static void reason_renew_order(struct plan *p, const struct workload *w,
			       struct verdict *v)
{
	struct ask ask = { .w = w, .q = w->shape->q, .now = p->now, .fit_only = true };
	struct draft draft;
	size_t mark;

	if (v->reason != WAIT_IS_QUOTA && v->reason != WAIT_IS_PROTECTED
	    && v->reason != WAIT_IS_YIELDING
	    && v->reason != WAIT_IS_NONPREEMPTIBLE)
		return;
	arena_reset(&p->e->arena);
	mark = trial_begin(p->e);
	owned_quota_lift(p->e, w);
	if (assign_flavors(p->e, &ask, &draft) == 0
	    && draft.public.mode == MODE_FIT)
		*v = VERDICT_OF(.kind = VERDICT_WAIT, .reason = WAIT_IS_ORDER);
	trial_end(p->e, mark);
}

/* ---- shapes ---- */

void shapes_explain(struct plan *p, struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		for (struct shape *s = tree->queues[i]->shapes; s; s = s->next) {
			if (!shape_is_inadmissible(s))
				continue;
			s->verdict = reason_to_wait(p, shape_any(s), &s->passed);
			/* what an earlier plan has met may be over: the next one to
			 * come to it tells */
			if (tree->goes_on && s->had_turn && s->verdict.reason == WAIT_IS_PROTECTED
			    && s->verdict.until <= p->now)
				s->verdict.reason = WAIT_IS_ORDER;
		}
	}
}

void order_explain(struct plan *p, struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];
		struct decision *d = q->cursor ? workload_decision(q->cursor)
					       : NULL;

		if (q->spec.strategy == STRATEGY_STRICT_FIFO && d && !d->failed
		    && d->verdict.kind == VERDICT_WAIT)
			reason_renew_order(p, q->cursor, &d->verdict);
		for (struct shape *s = q->shapes; s; s = s->next) {
			if (shape_is_inadmissible(s) && !is_quota_for_sure(p, q, &s->verdict))
				reason_renew_order(p, shape_any(s), &s->verdict);
		}
	}
}
