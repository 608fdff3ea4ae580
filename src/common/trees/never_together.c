/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never_together.c - components of a job that can never go together
 *
 * Each of them may be below what its queue could ever use, and yet all of them
 * together may be too much (doc/how-it-decides.md, section 9, heterogeneous
 * jobs). They are put, one after the other, on books where nothing is in use,
 * in all flavors that they may have.
 */
#include "core/cap.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "holding/trial.h"
#include "nomination/request.h"
#include "plan/never.h"
#include "quota/calendar.h"
#include "trees/never_together.h"
#include "workload/bond.h"

/* So many ways to give flavors to components are tried. If there are more, the
 * job is taken to fit. */
#define MOST_STEPS 4096

/* Requests that get one flavor together: those of a pod set for the resources
 * of a group */
struct pick {
	const struct workload *w;
	const struct podset_desc *ps;
	const struct spec_group *group;
	int flavor;
};

/* The search for flavors in which all picks fit together */
struct packing {
	struct engine *e;
	struct pick *picks;
	size_t n;
	size_t steps;
	size_t deepest;			/* number of the deepest pick that
					 * failed; 0: none */
	const struct workload *failing;
	struct verdict verdict;		/* of that pick */
};

static bool asks_in(const struct pick *pick, size_t r)
{
	return queue_group(pick->w->shape->q, pick->ps->requests[r].resource)
	       == pick->group;
}

static int64_t asked_amount(const struct packing *p, const struct pick *pick,
			    size_t r, int flavor)
{
	return request_in(p->e, pick->ps, r, flavor,
			  request_least_count(p->e, pick->ps));
}

/* What the picks before the i-th have taken of a pair, in all queues */
static int64_t taken_before(const struct packing *p, size_t i, int flavor,
			    int resource)
{
	int64_t sum = 0;

	for (size_t k = 0; k < i; k++) {
		const struct pick *pick = &p->picks[k];

		for (size_t r = 0; r < pick->ps->nrequests; r++) {
			if (pick->flavor == flavor && asks_in(pick, r)
			    && pick->ps->requests[r].resource == resource)
				sum = sat_add(sum, asked_amount(p, pick, r,
								flavor));
		}
	}
	return sum;
}

/* The verdict tells of the deepest pick, in the flavor that comes nearest. */
static void failure_note(struct packing *p, size_t i, int flavor, int resource,
			 int64_t amount, int64_t free)
{
	int64_t taken = taken_before(p, i, flavor, resource);
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

static bool pick_charge(struct packing *p, size_t i, int flavor)
{
	const struct pick *pick = &p->picks[i];
	int node = pick->w->shape->q->node;
	enum cap_scope scope = pick->w->shape->q->spec.cap_scope;
	bool fixed = workload_is_capped(pick->w);

	for (size_t r = 0; r < pick->ps->nrequests; r++) {
		int resource = pick->ps->requests[r].resource;
		int pair = books_pair(p->e->books, flavor, resource);
		int64_t amount, free;

		if (!asks_in(pick, r))
			continue;
		amount = asked_amount(p, pick, r, flavor);
		free = books_available(p->e->books, node, pair);
		if (fixed)
			free = min64(free, fixed_room(p->e->books, node, pair,
						      scope));
		if (amount > max64(0, free)) {
			failure_note(p, i, flavor, resource, amount, free);
			return false;
		}
		books_charge(p->e->books, node,
			     &(struct use) { pair, amount }, 1, fixed);
	}
	return true;
}

/* Finds flavors for the picks from the i-th on, in which they fit beside those
 * before them. False: there are none. */
static bool picks_place(struct packing *p, size_t i)
{
	struct pick *pick = &p->picks[i];
	bool fit = i == p->n || ++p->steps > MOST_STEPS;

	for (size_t f = 0; !fit && f < pick->group->nflavors; f++) {
		size_t mark;

		pick->flavor = pick->group->flavors[f];
		if (pick->ps->ineligible[pick->flavor])
			continue;
		mark = trial_begin(p->e);
		fit = pick_charge(p, i, pick->flavor) && picks_place(p, i + 1);
		trial_end(p->e, mark);
	}
	return fit;
}

static void picks_add(struct packing *p, const struct workload *w,
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
			p->picks[p->n++] = pick;
	}
}

static bool picks_collect(struct packing *p, const struct bond *b)
{
	size_t most = 0;

	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		most += m->shape->npodsets * m->shape->q->spec.ngroups;
	arena_reset(&p->e->arena);
	p->picks = arena_alloc(&p->e->arena, most, sizeof(*p->picks));
	if (!p->picks)
		return false;
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		for (size_t i = 0; i < m->shape->npodsets; i++)
			picks_add(p, m, &m->shape->podsets[i]);
	}
	return true;
}

/* Packs all members, on books where nothing is in use */
static void members_pack(struct engine *e, struct bond *b)
{
	struct packing p = { .e = e };
	size_t mark;
	bool fit;

	if (!picks_collect(&p, b)) {
		e->no_memory = true;
		return;
	}
	mark = trial_begin(e);
	for (const struct workload *m = b->members; m; m = m->rare->bond_next)
		books_vacate(e->books, m->shape->q->tree->root);
	fit = picks_place(&p, 0);
	trial_end(e, mark);
	if (fit)
		return;
	b->never = p.failing;
	b->verdict = p.verdict;
}

/* Then it is too early to say what they can have together. */
static bool quotas_change(const struct engine *e, const struct bond *b)
{
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (calendar_changes(e->books, m->shape->q->tree->root))
			return true;
	}
	return false;
}

static void bond_find_never(struct engine *e, struct bond *b)
{
	b->never = NULL;
	for (const struct workload *m = b->members; m; m = m->rare->bond_next) {
		if (!never_fits(e, m, &b->verdict))
			continue;
		b->never = m;
		return;
	}
	if (!quotas_change(e, b))
		members_pack(e, b);
}

static bool verdicts_differ(const struct verdict *a, const struct verdict *b)
{
	return a->flavor != b->flavor || a->resource != b->resource
	       || a->need != b->need || a->max != b->max;
}

/* Other workloads may wait behind it in all its trees, and its members tell why
 * they wait: all these trees need a plan. -1: no memory; nothing has changed. */
static int bond_renew_never(struct engine *e, struct bond *b)
{
	const struct workload *before = b->never;
	struct verdict verdict = b->verdict;

	e->no_memory = false;
	bond_find_never(e, b);
	if (e->no_memory) {
		b->never = before;
		b->verdict = verdict;
		return -1;
	}
	/* a clock that is set back changes quotas again */
	b->judged = !e->books->calendar;
	if (b->never == before
	    && (!b->never || !verdicts_differ(&b->verdict, &verdict)))
		return 0;
	for (struct workload *m = b->members; m; m = m->rare->bond_next)
		tree_request_plan(e, m->shape->q->tree);
	return 0;
}

int never_find_bonds(struct engine *e)
{
	int rc = 0;

	for (struct bond *b = e->bonds; b && rc == 0; b = b->next) {
		if (b->kind == BOND_TOGETHER && !b->judged)
			rc = bond_renew_never(e, b);
	}
	return rc;
}
