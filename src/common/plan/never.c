/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never.c - requests above all that there could ever be
 *
 * One workload is compared with the most that its queue could ever use. The
 * components of a job may each be below that, and still be too large together:
 * they are put, one after the other, on books where nothing is in use, in all
 * flavors that they may have.
 */
#include "cycle/assignment.h"
#include "state/tree.h"
#include "state/trial.h"
#include "workload/bond.h"
#include "plan/never.h"

/* Ways to give flavors to components that are tried; if there are more, it is
 * taken to fit. */
#define MOST_STEPS 4096

/* ---- one workload ---- */

/* As few pods as the pod set can do with */
static int64_t least_count(const struct engine *e, const struct podset_desc *ps)
{
	return ps->min_count > 0 && !e->no_partial ? ps->min_count : ps->count;
}

static const struct spec_group *group_for(const struct queue *q, int resource)
{
	int group = q->group_of[resource];

	return group == SPEC_NONE ? NULL : &q->spec.groups[group];
}

/* The least that the request can be reduced to is more than any flavor can
 * ever have */
static bool request_never_fits(const struct engine *e, const struct workload *w,
			       const struct podset_desc *ps, size_t r,
			       struct verdict *v)
{
	struct queue *q = w->shape->q;
	int resource = ps->requests[r].resource, best = SPEC_NONE;
	const struct spec_group *group = group_for(q, resource);
	int64_t count = least_count(e, ps);
	int64_t need = request_scale(ps, ps->requests[r].amount, count);
	int64_t max = 0;

	for (size_t i = 0; group && i < group->nflavors; i++) {
		int flavor = group->flavors[i];
		int pair = books_pair(e->books, flavor, resource);
		int64_t most = books_cell(e->books, q->node, pair)->potential;
		int64_t amount = request_in(e, ps, r, flavor, count);

		if (ps->ineligible[flavor])
			continue;
		if (amount <= most)
			return false;
		if (best == SPEC_NONE || most > max) {
			best = flavor;
			max = most;
			need = amount;
		}
	}
	if (!group && !need)
		return false;
	*v = (struct verdict) {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = best, .resource = resource,
		.need = need, .max = max,
	};
	return true;
}

bool never_fits(const struct engine *e, const struct workload *w,
		struct verdict *v)
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

/* ---- all components of a job ---- */

/* What gets one flavor: the requests of a pod set for resources of a group */
struct pick {
	const struct workload *w;
	const struct podset_desc *ps;
	const struct spec_group *group;
	int flavor;
};

struct search {
	struct engine *e;
	struct pick *picks;
	size_t n;
	size_t steps;
	size_t deepest;			/* pick that failed, + 1; 0: none */
	const struct workload *failing;
	struct verdict verdict;		/* of that one */
};

static bool asks_in(const struct pick *pick, size_t r)
{
	return group_for(pick->w->shape->q, pick->ps->requests[r].resource)
	       == pick->group;
}

static int64_t asked_amount(const struct search *s, const struct pick *pick,
			    size_t r, int flavor)
{
	return request_in(s->e, pick->ps, r, flavor,
			  least_count(s->e, pick->ps));
}

/* What the picks before the i-th have taken of a pair, in whatever queue */
static int64_t taken_before(const struct search *s, size_t i, int flavor,
			    int resource)
{
	int64_t sum = 0;

	for (size_t k = 0; k < i; k++) {
		const struct pick *pick = &s->picks[k];

		for (size_t r = 0; r < pick->ps->nrequests; r++) {
			if (pick->flavor == flavor && asks_in(pick, r)
			    && pick->ps->requests[r].resource == resource)
				sum = sat_add(sum, asked_amount(s, pick, r,
								flavor));
		}
	}
	return sum;
}

/* The one that comes last is told of, in the flavor that comes nearest */
static void failure_note(struct search *s, size_t i, int flavor, int resource,
			 int64_t amount, int64_t free)
{
	int64_t taken = taken_before(s, i, flavor, resource);
	struct verdict v = {
		.kind = VERDICT_WAIT, .reason = WAIT_IS_NEVER,
		.flavor = flavor, .resource = resource,
		.need = sat_add(taken, amount),
		.max = sat_add(taken, max64(0, free)),
	};

	if (i + 1 < s->deepest
	    || (i + 1 == s->deepest && v.need - v.max
		>= s->verdict.need - s->verdict.max))
		return;
	s->deepest = i + 1;
	s->failing = s->picks[i].w;
	s->verdict = v;
}

static bool pick_charge(struct search *s, size_t i, int flavor)
{
	const struct pick *pick = &s->picks[i];
	int node = pick->w->shape->q->node;

	for (size_t r = 0; r < pick->ps->nrequests; r++) {
		int resource = pick->ps->requests[r].resource;
		int pair = books_pair(s->e->books, flavor, resource);
		int64_t amount, free;

		if (!asks_in(pick, r))
			continue;
		amount = asked_amount(s, pick, r, flavor);
		free = books_available(s->e->books, node, pair);
		if (amount > max64(0, free)) {
			failure_note(s, i, flavor, resource, amount, free);
			return false;
		}
		books_add(s->e->books, node, pair, amount);
	}
	return true;
}

/* The picks from the i-th on fit in some flavors, beside those before them */
static bool picks_fit(struct search *s, size_t i)
{
	struct pick *pick = &s->picks[i];
	bool fit = i == s->n || ++s->steps > MOST_STEPS;

	for (size_t f = 0; !fit && f < pick->group->nflavors; f++) {
		size_t mark;

		pick->flavor = pick->group->flavors[f];
		if (pick->ps->ineligible[pick->flavor])
			continue;
		mark = trial_begin(s->e);
		fit = pick_charge(s, i, pick->flavor) && picks_fit(s, i + 1);
		trial_end(s->e, mark);
	}
	return fit;
}

static void picks_add(struct search *s, const struct workload *w,
		      const struct podset_desc *ps)
{
	const struct queue *q = w->shape->q;

	for (size_t g = 0; g < q->spec.ngroups; g++) {
		struct pick pick = { .w = w, .ps = ps,
				     .group = &q->spec.groups[g] };
		bool asks = false;

		for (size_t r = 0; r < ps->nrequests; r++)
			asks |= asks_in(&pick, r);
		if (asks)
			s->picks[s->n++] = pick;
	}
}

static bool picks_collect(struct search *s, const struct bond *b)
{
	size_t most = 0;

	for (const struct workload *m = b->members; m; m = m->bond_next)
		most += m->shape->npodsets * m->shape->q->spec.ngroups;
	arena_reset(&s->e->arena);
	s->picks = arena_alloc(&s->e->arena, most, sizeof(*s->picks));
	if (!s->picks)
		return false;
	for (const struct workload *m = b->members; m; m = m->bond_next) {
		for (size_t i = 0; i < m->shape->npodsets; i++)
			picks_add(s, m, &m->shape->podsets[i]);
	}
	return true;
}

static void all_judge(struct engine *e, struct bond *b)
{
	struct search s = { .e = e };
	size_t mark;
	bool fit;

	if (!picks_collect(&s, b))
		return;
	mark = trial_begin(e);
	for (const struct workload *m = b->members; m; m = m->bond_next)
		books_vacate(e->books, m->shape->q->tree->root);
	fit = picks_fit(&s, 0);
	trial_end(e, mark);
	if (fit)
		return;
	b->never = s.failing;
	b->verdict = s.verdict;
}

static void bond_find_never(struct engine *e, struct bond *b)
{
	b->never = NULL;
	for (const struct workload *m = b->members; m; m = m->bond_next) {
		if (!never_fits(e, m, &b->verdict))
			continue;
		b->never = m;
		return;
	}
	all_judge(e, b);
}

static bool verdicts_differ(const struct verdict *a, const struct verdict *b)
{
	return a->flavor != b->flavor || a->resource != b->resource
	       || a->need != b->need || a->max != b->max;
}

/* In all trees that it reaches into somebody waits behind it, or tells why it
 * waits. */
static void bond_judge(struct engine *e, struct bond *b)
{
	const struct workload *before = b->never;
	struct verdict verdict = b->verdict;

	b->judged = true;
	bond_find_never(e, b);
	if (b->never == before
	    && (!b->never || !verdicts_differ(&b->verdict, &verdict)))
		return;
	for (struct workload *m = b->members; m; m = m->bond_next)
		tree_touch(e, m->shape->q->tree);
}

void never_judge_bonds(struct engine *e)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind == BOND_TOGETHER && !b->judged)
			bond_judge(e, b);
	}
}
