/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never.c - requests that are more than there could ever be
 *
 * A workload is compared with the most that its queue could ever use: nominal
 * quota and all that it may borrow (doc/how-it-decides.md, section 2), now or when
 * quotas are other ones for a time.
 *
 * Components of a job may each be below that, and yet be too much together (section 9,
 * heterogeneous jobs). They are put, one after the other, on books where nothing is in use,
 * in all flavors that they may have.
 */
#include "core/cap.h"
#include "plan/plan.h"
#include "holding/holding.h"
#include "quota/calendar.h"

/* The most that the workload could ever use of a pair. *capped: it could use
 * more if it was preemptible */
static int64_t most_of(const struct engine *e, const struct workload *w, int pair, bool *capped)
{
	const struct queue *q = w->shape->q;
	int64_t most = calendar_largest(e->books, q->node, pair)->potential;
	int64_t cap = workload_is_capped(w)
		? fixed_most(e->books, q->node, pair, q->spec.cap_scope) : most;

	*capped = cap < most;
	return min64(most, cap);
}

/* Requests of a pod set that get one flavor together, as small as they can be */
struct joint {
	const struct engine *e;
	const struct workload *w;
	const struct podset_desc *ps;
	const struct spec_group *group;
	int64_t count;
};

/* Is any of them more than the flavor can ever have? Then *v tells of the one that lacks
 * most, and the missing part of it is *share. */
static bool flavor_never_fits(const struct joint *j, int flavor, struct verdict *v, double *share)
{
	*share = 0;
	for (size_t r = 0; r < j->ps->nrequests; r++) {
		int resource = j->ps->requests[r].resource;
		int64_t need, most;
		double missing;
		bool capped;

		if (queue_group(j->w->shape->q, resource) != j->group)
			continue;
		need = request_in(j->e, j->ps, r, flavor, j->count);
		most = most_of(j->e, j->w, books_pair(j->e->books, flavor, resource), &capped);
		missing = ((double) need - (double) most) / (double) max64(need, 1);
		if (missing <= *share)
			continue;
		*share = missing;
		*v = (struct verdict) {
			.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
			.flavor = flavor, .resource = resource,
			.need = need, .max = most, .fixed = capped,
		};
	}
	return *share > 0;
}

/* No flavor is enough for all of them. *v tells of the one that lacks least; at first it
 * says that there is none. */
static bool joint_never_fits(const struct joint *j, struct verdict *v)
{
	struct verdict nearest = *v, lack;
	double least = 2, share;

	for (size_t i = 0; i < j->group->nflavors; i++) {
		int flavor = j->group->flavors[i];

		if (j->ps->ineligible[flavor])
			continue;
		if (!flavor_never_fits(j, flavor, &lack, &share))
			return false;
		if (share >= least)
			continue;
		least = share;
		nearest = lack;
	}
	*v = nearest;
	return true;
}

static bool request_never_fits(const struct engine *e, const struct workload *w,
			       const struct podset_desc *ps, size_t r, struct verdict *v)
{
	int resource = ps->requests[r].resource;
	struct joint j = {
		.e = e, .w = w, .ps = ps, .group = queue_group(w->shape->q, resource),
		.count = request_least_count(e, ps),
	};
	struct verdict lack = {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = SPEC_NONE, .resource = resource,
		.need = request_least(ps, r, j.count),
	};

	for (size_t i = 0; j.group && i < r; i++) {
		if (queue_group(w->shape->q, ps->requests[i].resource) == j.group)
			return false;		/* looked at with that one */
	}
	if (j.group ? !joint_never_fits(&j, &lack) : !lack.need)
		return false;
	*v = lack;
	return true;
}

bool never_fits(const struct engine *e, const struct workload *w, struct verdict *v)
{
	for (size_t i = 0; i < w->shape->npodsets; i++) {
		const struct podset_desc *ps = &w->shape->podsets[i];

		for (size_t r = 0; r < ps->nrequests; r++) {
			if (request_never_fits(e, w, ps, r, v))
				return true;
		}
	}
	return false;
}

/* ---- components ---- */

/* So many ways to give flavors to components are tried. If there are more, the
 * job is taken to fit. */
#define MOST_STEPS 4096

/* The search for flavors in which all components fit together */
struct packing {
	struct engine *e;
	struct joint *picks;
	size_t n;
	size_t steps;
	int64_t *taken;			/* by pair, by the picks so far */
	size_t deepest;			/* number of the deepest pick that failed; 0: none */
	const struct workload *failing;
	struct verdict verdict;		/* of that pick, in the flavor that comes nearest */
};

static void failure_note(struct packing *p, size_t i, int flavor, int resource,
			 int64_t amount, int64_t free)
{
	int64_t taken = p->taken[books_pair(p->e->books, flavor, resource)];
	struct verdict v = {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = flavor, .resource = resource,
		.need = sat_add(taken, amount),
		.max = sat_add(taken, max64(0, free)),
	};

	if (i + 1 < p->deepest
	    || (i + 1 == p->deepest && v.need - v.max
		>= p->verdict.need - p->verdict.max))
		return;
	p->deepest = i + 1;
	p->failing = p->picks[i].w;
	p->verdict = v;
}

/* Charges the first n requests of the pick to the books and to what is taken, until one
 * does not fit. Returns how many do. sign = -1: not to the books, and takes them back. */
static size_t pick_charge(struct packing *p, size_t i, int flavor, size_t n, int sign)
{
	const struct joint *j = &p->picks[i];
	const struct queue *q = j->w->shape->q;
	bool fixed = workload_is_capped(j->w);

	for (size_t r = 0; r < n; r++) {
		int resource = j->ps->requests[r].resource;
		int pair = books_pair(p->e->books, flavor, resource);
		struct use use = { pair, 0 };
		int64_t free;

		if (queue_group(q, resource) != j->group)
			continue;
		use.amount = request_in(p->e, j->ps, r, flavor, j->count);
		free = books_available(p->e->books, q->node, pair);
		if (fixed)
			free = min64(free, fixed_room(p->e->books, q->node, pair,
						      q->spec.cap_scope));
		if (sign > 0 && use.amount > max64(0, free)) {
			failure_note(p, i, flavor, resource, use.amount, free);
			return r;
		}
		if (sign > 0)
			books_charge(p->e->books, q->node, &use, 1, fixed, 1);
		p->taken[pair] = sat_add(p->taken[pair], sign * use.amount);
	}
	return n;
}

/* Finds flavors for the picks from the i-th on, in which they fit beside those
 * before them. False: there are none. */
static bool picks_place(struct packing *p, size_t i)
{
	const struct joint *j = &p->picks[i];
	bool fit = i == p->n || ++p->steps > MOST_STEPS;

	for (size_t f = 0; !fit && f < j->group->nflavors; f++) {
		int flavor = j->group->flavors[f];
		size_t mark, charged;

		if (j->ps->ineligible[flavor])
			continue;
		mark = trial_begin(p->e);
		charged = pick_charge(p, i, flavor, j->ps->nrequests, 1);
		fit = charged == j->ps->nrequests && picks_place(p, i + 1);
		(void) pick_charge(p, i, flavor, charged, -1);
		trial_end(p->e, mark);
	}
	return fit;
}

/* Of each pod set a pick for each group in which it asks for anything */
static bool picks_collect(struct packing *p, const struct bond *b)
{
	struct arena *arena = &p->e->arena;
	size_t most = 0;

	for_each_member(m, b)
		most += m->shape->npodsets * m->shape->q->spec.ngroups;
	p->picks = engine_alloc(p->e, arena, most, sizeof(*p->picks));
	p->taken = engine_alloc(p->e, arena, p->e->books->npairs, sizeof(*p->taken));
	if (!p->picks || !p->taken)
		return false;
	for_each_member(m, b) {
		const struct queue *q = m->shape->q;

		for (size_t k = 0; k < m->shape->npodsets * q->spec.ngroups; k++) {
			const struct podset_desc *ps
				= &m->shape->podsets[k / q->spec.ngroups];
			struct joint j = {
				.e = p->e, .w = m, .ps = ps,
				.group = &q->spec.groups[k % q->spec.ngroups],
				.count = request_least_count(p->e, ps),
			};
			bool asks = false;

			for (size_t r = 0; r < ps->nrequests; r++)
				asks |= queue_group(q, ps->requests[r].resource) == j.group;
			if (asks)
				p->picks[p->n++] = j;
		}
	}
	return true;
}

/* Packs all members, on books where nothing is in use. -1: no memory */
static int members_pack(struct engine *e, struct bond *b)
{
	struct packing p = { .e = e };
	size_t mark;

	if (!picks_collect(&p, b))
		return -1;
	mark = trial_begin(e);
	for_each_member(m, b)
		books_vacate(e->books, m->shape->q->tree->root);
	if (!picks_place(&p, 0)) {
		b->never = p.failing;
		b->verdict = p.verdict;
	}
	trial_end(e, mark);
	return e->no_memory ? -1 : 0;
}

int never_find_bond(struct engine *e, struct bond *b)
{
	bool changes = false;

	b->never = NULL;
	for_each_member(m, b) {
		changes |= calendar_changes(e->books, m->shape->q->tree->root);
		if (!b->never && never_fits(e, m, &b->verdict))
			b->never = m;
	}
	/* where quotas change it is too early to say what they can have together */
	if (!b->never && !changes && members_pack(e, b) < 0)
		return -1;
	b->judged = !e->books->calendar;	/* a clock can be set back */
	return 0;
}
