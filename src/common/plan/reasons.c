/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.c - why a workload waits
 *
 * doc/how-it-decides.md, section 11.
 */
#include "core/cap.h"
#include "core/tree_state.h"
#include "core/withheld.h"
#include "cycle/queue_heads.h"
#include "nomination/request.h"
#include "plan/never.h"
#include "plan/plan.h"
#include "workload/waiting.h"
#include "workload/shape.h"

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

/* Notes in *v the pair that lacks most in the first flavors of the pod set, if
 * it lacks more than *worst. */
static void lack_find(struct plan *p, const struct workload *w,
		      const struct podset_desc *ps, struct verdict *v,
		      struct lack *worst)
{
	const struct books *b = p->e->books;
	struct queue *q = w->shape->q;

	for (size_t r = 0; r < ps->nrequests; r++) {
		int resource = ps->requests[r].resource;
		const struct spec_group *group = queue_group(q, resource);
		int flavor = group ? flavor_first(ps, group) : SPEC_NONE;
		int64_t need, free;
		struct lack lack;
		int pair;

		if (flavor == SPEC_NONE)
			continue;
		need = asked_of(p->e, w, flavor, resource);
		pair = books_pair(b, flavor, resource);
		free = max64(0, kept_available(p->e, q, pair));
		lack.share = share_missing(need, free);
		lack.potential = books_quota(b, q->node, pair)->potential;
		if (v->flavor != SPEC_NONE && !lacks_more(&lack, worst))
			continue;
		*worst = lack;
		v->flavor = flavor;
		v->resource = resource;
		v->need = need;
		v->free = free;
	}
}

/* Is a non-preemptible workload above the cap in its first flavors? Notes in *v
 * the pair that lacks most. */
static bool cap_is_missing(const struct plan *p, const struct workload *w,
			   const struct podset_desc *ps, struct verdict *v)
{
	const struct queue *q = w->shape->q;
	const struct books *b = p->e->books;
	bool missing = false;

	for (size_t r = 0; r < ps->nrequests; r++) {
		int resource = ps->requests[r].resource, pair;
		const struct spec_group *group = queue_group(q, resource);
		int flavor = group ? flavor_first(ps, group) : SPEC_NONE;
		int64_t need, room;

		if (flavor == SPEC_NONE)
			continue;
		pair = books_pair(b, flavor, resource);
		need = asked_of(p->e, w, flavor, resource);
		room = fixed_room(b, q->node, pair, q->spec.cap_scope);
		if (need <= room || (missing && need - room <= v->need - v->free))
			continue;
		missing = true;
		v->flavor = flavor;
		v->resource = resource;
		v->need = need;
		v->free = room;
		v->used = fixed_usage(b, q->node, pair);
		v->max = fixed_cap(b, q->node, pair, q->spec.cap_scope);
	}
	return missing;
}

/* The cap is said rather than quota: quota may be free, or become free by
 * eviction, and yet the workload waits. */
static void cap_explain(const struct plan *p, const struct workload *w,
			struct verdict *v)
{
	for (size_t i = 0; workload_is_capped(w) && i < w->shape->npodsets;
	     i++) {
		if (!cap_is_missing(p, w, &w->shape->podsets[i], v))
			continue;
		v->reason = WAIT_IS_NONPREEMPTIBLE;
		return;
	}
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
	struct lack worst = { 0, INT64_MAX };

	if (never_fits(p->e, w, &v))
		return v;
	withheld_lift(p->e, w->shape->q);
	for (size_t i = 0; i < w->shape->npodsets; i++)
		lack_find(p, w, &w->shape->podsets[i], &v, &worst);
	withheld_book(p->e, w->shape->q);
	if (passed->protected) {
		v.reason = WAIT_IS_PROTECTED;
		v.until = passed->until;
		v.spent = passed->spent && !passed->until;
		v.fixed = passed->fixed && !passed->until && !passed->spent;
	} else {
		cap_explain(p, w, &v);
	}
	if (v.reason == WAIT_IS_QUOTA && only_yields(p, w, &v))
		v.reason = WAIT_IS_YIELDING;
	return v;
}

/* For the search for a flavor: there are no candidates. */
static void nobody_leaves(void *arg, int flavor, int resource, int64_t amount,
			 enum suit *suit, int *borrow)
{
	(void) arg;
	(void) flavor;
	(void) resource;
	(void) amount;
	*suit = SUIT_NO_CANDIDATES;
	*borrow = 0;
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
	static const struct oracle oracle = { .ask = nobody_leaves };
	struct ask ask = {
		.w = w,
		.q = w->shape->q,
		.now = p->now,
		.oracle = &oracle,
	};
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
			if (s->had_turn && s->verdict.reason == WAIT_IS_PROTECTED
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
