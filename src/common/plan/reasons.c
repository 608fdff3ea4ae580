/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reasons.c - why a workload waits
 *
 * doc/how-it-decides.md, section 11.
 */
#include "core/cap.h"
#include "core/uses.h"
#include "holding/holding.h"
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

/* What the workload asks for, in the first flavors that it may use, no pair twice. Returns how
 * many pairs these are */
static size_t asked_list(struct engine *e, const struct workload *w, struct use **asked)
{
	const struct shape *shape = w->shape;
	size_t n = 0;

	for (size_t i = 0; i < shape->npodsets; i++)
		n += shape->podsets[i].nrequests;
	*asked = scratch_reserve(e, SCRATCH_USES, n, sizeof(**asked));
	n = 0;
	for (size_t i = 0; *asked && i < shape->npodsets; i++) {
		const struct podset_desc *ps = &shape->podsets[i];

		for (size_t r = 0; r < ps->nrequests; r++) {
			int resource = ps->requests[r].resource;
			const struct spec_group *group = queue_group(shape->q, resource);
			int flavor = group ? flavor_first(ps, group) : SPEC_NONE;

			if (flavor != SPEC_NONE)
				(*asked)[n++] = (struct use) {
					books_pair(e->books, flavor, resource),
					request_in(e, ps, r, flavor, ps->count),
				};
		}
	}
	return uses_merge(*asked, n, *asked);
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

static void lack_set(struct lacking *l, const struct use *need, int64_t free)
{
	const struct pair *pair = &l->p->e->books->pairs[need->pair];

	l->v->flavor = pair->flavor;
	l->v->resource = pair->resource;
	l->v->need = need->amount;
	l->v->free = free;
}

/* The pair that lacks most */
static void lack_note(struct lacking *l, const struct use *need)
{
	const struct queue *q = l->w->shape->q;
	int64_t free = max64(0, kept_available(l->p->e, q, need->pair));
	struct lack lack = {
		.share = share_missing(need->amount, free),
		.potential = books_quota(l->p->e->books, q->node, need->pair)->potential,
	};

	if (l->v->flavor != SPEC_NONE && !lacks_more(&lack, &l->worst))
		return;
	l->worst = lack;
	lack_set(l, need, free);
}

/* A non-preemptible workload is above the cap: the pair that lacks most. The cap is said
 * rather than quota: quota may be free, or become free by eviction, and yet it waits. */
static void cap_note(struct lacking *l, const struct use *need)
{
	const struct books *b = l->p->e->books;
	const struct queue *q = l->w->shape->q;
	int64_t room = fixed_room(b, q->node, need->pair, q->spec.cap_scope);
	struct verdict *v = l->v;

	if (need->amount <= room || (l->capped && need->amount - room <= v->need - v->free))
		return;
	l->capped = true;
	lack_set(l, need, room);
	v->reason = WAIT_IS_NONPREEMPTIBLE;
	v->used = fixed_usage(b, q->node, need->pair);
	v->max = fixed_cap(b, q->node, need->pair, q->spec.cap_scope);
}

/* It lacks what its queue does not own. If it had not been evicted before, it might evict
 * others for that. */
static bool only_yields(const struct plan *p, const struct workload *w, const struct verdict *v)
{
	const struct queue *q = w->shape->q;
	const struct books *b = p->e->books;

	return w->shape->yields && v->flavor != SPEC_NONE
	       && (policy_is_set(q->spec.within)
		   || queue_may_take_to_borrow(q, p->e->fair_sharing))
	       && books_is_over_nominal(b, q->node,
					books_pair(b, v->flavor, v->resource), v->need);
}

struct verdict reason_to_wait(struct plan *p, const struct workload *w,
			      const struct passed_over *passed)
{
	struct verdict v = VERDICT_OF(.kind = VERDICT_WAIT, .reason = WAIT_IS_QUOTA);
	struct lacking l = { .p = p, .w = w, .v = &v, .worst = { 0, INT64_MAX } };
	struct use *asked;
	size_t n;

	if (never_fits(p->e, w, &v))
		return v;
	n = asked_list(p->e, w, &asked);
	withheld_lift(p->e, w->shape->q);
	for (size_t i = 0; i < n; i++)
		lack_note(&l, &asked[i]);
	withheld_book(p->e, w->shape->q);
	if (passed->protected) {
		v.reason = WAIT_IS_PROTECTED;
		v.delayed = passed->delayed;
		v.until = v.delayed ? passed->delayed : passed->until;
		v.spent = passed->spent && !v.until;
		v.fixed = passed->fixed && !v.until && !v.spent;
	} else if (workload_is_capped(w)) {
		for (size_t i = 0; i < n; i++)
			cap_note(&l, &asked[i]);
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
static void reason_renew_order(struct plan *p, const struct workload *w, struct verdict *v)
{
	struct ask ask = { .w = w, .q = w->shape->q, .now = p->now, .fit_only = true };
	struct assignment draft;
	size_t mark;

	if (v->reason != WAIT_IS_QUOTA && v->reason != WAIT_IS_PROTECTED
	    && v->reason != WAIT_IS_YIELDING
	    && v->reason != WAIT_IS_NONPREEMPTIBLE)
		return;
	arena_reset(&p->e->arena);
	mark = trial_begin(p->e);
	owned_quota_lift(p->e, w);
	if (assign_flavors(p->e, &ask, &draft) == 0 && draft.mode == MODE_FIT)
		*v = VERDICT_OF(.kind = VERDICT_WAIT, .reason = WAIT_IS_ORDER);
	trial_end(p->e, mark);
}

/* ---- shapes ---- */

void shapes_explain(struct plan *p, struct tree *tree)
{
	for_each_inadmissible(s, tree) {
		s->verdict = reason_to_wait(p, shape_any(s), &s->passed);
		/* what an earlier plan has met may be over: the next one to come to it tells */
		if (tree->goes_on && s->had_turn && s->verdict.reason == WAIT_IS_PROTECTED
		    && s->verdict.until <= p->now)
			s->verdict.reason = WAIT_IS_ORDER;
	}
}

void order_explain(struct plan *p, struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		const struct queue *q = tree->queues[i];
		struct decision *d = q->cursor ? workload_decision(q->cursor) : NULL;

		if (q->spec.strategy == STRATEGY_STRICT_FIFO && d && !d->failed
		    && d->verdict.kind == VERDICT_WAIT)
			reason_renew_order(p, q->cursor, &d->verdict);
	}
	for_each_inadmissible(s, tree) {
		if (!is_quota_for_sure(p, s->q, &s->verdict))
			reason_renew_order(p, shape_any(s), &s->verdict);
	}
}
