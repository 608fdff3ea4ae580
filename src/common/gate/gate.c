/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate.c - one workload against the books as they are now
 *
 * doc/how-it-decides.md, section 10: the plan promises, the gate checks.
 * Between the two the books may have changed. What the workload owns is lifted
 * here, and so is what others came to own later. Quota that the last plan kept
 * from others stays kept. What it owns, or what the plan promised it, is used if it still
 * fits. Otherwise it is nominated once more by itself.
 */
#include "core/cap.h"
#include "cycle/cycle.h"
#include "core/tree_state.h"
#include "core/uses.h"
#include "core/withheld.h"
#include "gate/gate.h"
#include "holding/holding.h"
#include "nomination/nomination.h"
#include "victims/target.h"
#include "workload/workload.h"

/* The last plan has given it a turn. */
static bool turn_given(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return d && verdict_goes(&d->verdict);
}

/* Keeps from the workload what the last plan kept from it in its turn. Owners
 * had their turn before anything was kept. */
static void gate_withhold(struct gate *g)
{
	struct tree *tree = g->q->tree;

	tree->kept_before = turn_given(g->w) ? g->w->decision->verdict.rank
					     : UINT64_MAX;
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i] != g->q)
			withheld_book(g->e, tree->queues[i]);
	}
}

void gate_open(struct gate *g, struct engine *e, const struct workload *w)
{
	*g = (struct gate) { .e = e, .w = w, .q = w->shape->q };
	arena_reset(&e->arena);
	e->no_memory = false;
	e->searches->passed = (struct passed_over) { 0 };
	g->mark = trial_begin(e);
	g->q->tree->kept_before = 0;
	owned_quota_lift(e, w);
}

void gate_close(struct gate *g)
{
	g->q->tree->kept_before = UINT64_MAX;
	trial_end(g->e, g->mark);
}

/* Owners had their turn before quota was kept for others. */
static bool is_all_owned(const struct gate *g)
{
	const struct claim *claim = g->w->claim;

	return claim && !owned_quota_is_void(g->w)
	       && uses_are_in(g->uses, g->nuses, claim->uses, claim->nuses);
}

int gate_ask(struct gate *g, const struct charge *charges, size_t n)
{
	g->uses = arena_alloc(&g->e->arena, n, sizeof(*g->uses));
	if (!g->uses)
		return failed(ENOMEM);
	if (uses_fill(g->e, charges, n, g->uses, &g->nuses) < 0)
		return -1;
	if (!is_all_owned(g))
		gate_withhold(g);
	/* nobody has gone for it so far */
	g->pure = !books_is_over_with(g->e->books, g->q->node, g->uses, g->nuses);
	return 0;
}

bool gate_fits(const struct gate *g)
{
	return workload_fits(g->e, g->w, g->uses, g->nuses);
}

void gate_remove_gone(struct gate *g, const struct victim *gone, size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		struct holding *h = holding_of(gone[i].workload);

		if (!h || h->gone)
			continue;
		unit_set_gone(h, true);
		target_remove(g->e, h);
	}
}

void gate_forget_gone(const struct victim *gone, size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		if (gone[i].workload->runs)
			unit_set_gone(gone[i].workload->held, false);
	}
}

bool engine_fits(struct engine *e, const struct workload *w,
		 const struct charge *charges, size_t n, const struct victim *gone, size_t ngone)
{
	struct gate g;
	bool fits = false;

	gate_open(&g, e, w);
	if (gate_ask(&g, charges, n) == 0) {
		gate_remove_gone(&g, gone, ngone);
		fits = gate_fits(&g);
		gate_forget_gone(gone, ngone);
	}
	gate_close(&g);
	return fits && !e->no_memory;
}

/* ---- flavors and victims ---- */

/* All flavors of these uses may be tried */
static bool uses_allowed(const struct gate *g, const struct use *uses, size_t n,
			 const bool *flavor_ok)
{
	for (size_t i = 0; flavor_ok && i < n; i++) {
		if (!flavor_ok[g->e->books->pairs[uses[i].pair].flavor])
			return false;
	}
	return true;
}

/* Takes what the workload owns, or what was promised to it, if it fits: then
 * there is nothing to search for. False: it does not fit. */
static bool take_known(struct gate *g, const struct use *uses, size_t n,
		       const bool *flavor_ok, struct nomination *nom)
{
	struct charge *charges;

	if (!uses || !uses_allowed(g, uses, n, flavor_ok) || !workload_fits(g->e, g->w, uses, n))
		return false;
	charges = arena_alloc(&g->e->arena, n, sizeof(*charges));
	if (!charges)
		return false;
	uses_tell(g->e, uses, n, charges);
	nom->borrow = uses_borrow_level(g->e, g->q, uses, n);
	nom->mode = MODE_FIT;
	nom->charges = charges;
	nom->ncharges = n;
	return true;
}

/* Takes what the workload owns, if anything. Owners had their turn before quota
 * was kept for others; so what is kept is kept from it only from here on. */
static bool take_owned(struct gate *g, const bool *flavor_ok, struct nomination *nom)
{
	const struct workload *w = g->w;
	bool first = w->claim && !owned_quota_is_void(w), known;

	if (!first)
		gate_withhold(g);
	known = w->claim
		&& take_known(g, w->claim->uses, w->claim->nuses, flavor_ok, nom);
	if (first && !known)
		gate_withhold(g);
	return known;
}

static bool take_promised(struct gate *g, const bool *flavor_ok, struct nomination *nom)
{
	const struct decision *d = g->w->decision;

	return turn_given(g->w)
	       && take_known(g, d->promise, d->npromise, flavor_ok, nom);
}

static int search_anew(struct gate *g, int64_t now, const bool *flavor_ok, struct nomination *nom)
{
	struct ask ask = { .w = g->w, .q = g->q, .now = now,
			   .flavor_ok = flavor_ok };
	struct nominee n = { 0 };

	if (nominate(g->e, &ask, &n) < 0)
		return -1;
	nom->mode = n.draft.mode;
	nom->borrow = n.draft.borrow;
	nom->charges = n.draft.usage;
	nom->ncharges = n.draft.nusage;
	nom->victims = victims_list(g->e, &g->e->arena, n.owner, n.targets, n.ntargets,
				    &nom->nvictims);
	return g->e->no_memory ? -1 : 0;
}

/* What leaves for the components of a job; memory of e->arena */
struct leaving {
	struct victim *victims;
	size_t n;
};

/* A non-preemptible run counts for the cap of its queue until it has left. */
static void leaving_add(struct gate *g, struct leaving *l, const struct victim *victim)
{
	struct holding *h = holding_of(victim->workload);

	if (!h || h->gone)
		return;
	for_each_in_unit(m, h) {
		if (m->fixed)
			return;
	}
	unit_set_gone(h, true);
	target_remove(g->e, h);
	l->victims[l->n++] = *victim;
}

/* As in the plan, those on the way out count as gone, and so do all victims of the bond, whoever
 * may evict them. Victims of the last plan are there as long as nothing has changed since. */
static int leaving_remove(struct gate *g, struct leaving *l)
{
	const struct tree *tree = g->q->tree;

	*l = (struct leaving) { arena_alloc(&g->e->arena, tree->nholdings,
					    sizeof(*l->victims)), 0 };
	if (!l->victims)
		return -1;
	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		for_each_leaving(h, tree->queues[i])
			leaving_add(g, l, &(struct victim) {
				.workload = h->w, .reason = VICTIM_RECLAMATION,
				.list = LIST_PRIORITY });
	}
	for_each_member(m, g->w->bond) {
		const struct decision *d = workload_decision(m);

		if (m->shape->q->tree != tree || tree->needs_plan || !d
		    || d->verdict.kind != VERDICT_PREEMPT)
			continue;
		for (size_t i = 0; i < d->verdict.nvictims; i++)
			leaving_add(g, l, &d->verdict.victims[i]);
	}
	return 0;
}

static bool is_refused(const struct nomination *nom)
{
	return nom->mode != MODE_FIT && !nom->nvictims;
}

/* A component goes when the victims of all components have left. */
static int search_without_leaving(struct gate *g, int64_t now, const bool *flavor_ok,
				  struct nomination *nom)
{
	struct leaving l;
	struct victim *all;
	int rc;

	if (leaving_remove(g, &l) < 0)
		return -1;
	rc = l.n ? search_anew(g, now, flavor_ok, nom) : 0;
	for (size_t i = 0; i < l.n; i++)
		unit_set_gone(l.victims[i].workload->held, false);
	if (rc < 0 || is_refused(nom))
		return rc;
	all = arena_alloc(&g->e->arena, l.n + nom->nvictims, sizeof(*all));
	if (!all)
		return -1;
	for (size_t i = 0; i < l.n + nom->nvictims; i++)
		all[i] = i < l.n ? l.victims[i] : nom->victims[i - l.n];
	nom->mode = MODE_PREEMPT;
	nom->victims = all;
	nom->nvictims += l.n;
	return 0;
}

int engine_nominate(struct engine *e, struct workload *w, int64_t now,
		    const bool *flavor_ok, struct nomination *nom)
{
	struct gate g;
	int rc = 0;

	*nom = (struct nomination) { .mode = MODE_NOFIT };
	gate_open(&g, e, w);
	if (!take_owned(&g, flavor_ok, nom) && !take_promised(&g, flavor_ok, nom))
		rc = search_anew(&g, now, flavor_ok, nom);
	if (rc == 0 && is_refused(nom) && bond_is_together(w))
		rc = search_without_leaving(&g, now, flavor_ok, nom);
	gate_close(&g);
	if (e->no_memory)
		rc = -1;
	if (rc < 0)
		errno = ENOMEM;
	return rc;
}
