/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * promised.c - flavors and victims for a workload at the gate
 *
 * doc/how-it-decides.md, section 10: what it owns, or what the plan promised
 * it, is used if it still fits. Otherwise it is nominated once more by itself.
 */
#include <errno.h>

#include "core/cap.h"
#include "core/tree_state.h"
#include "gate/gate.h"
#include "holding/unit.h"
#include "nomination/nomination.h"
#include "victims/target.h"
#include "workload/bond.h"
#include "workload/owned_quota.h"
#include "workload/progress.h"

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

/* Writes the uses down as charges; returns the largest of their borrow
 * levels. */
static int charges_fill(const struct gate *g, const struct use *uses, size_t n,
			struct charge *charges)
{
	const struct books *b = g->e->books;
	int most = 0;
	bool ignored;

	for (size_t i = 0; i < n; i++) {
		const struct pair *pair = &b->pairs[uses[i].pair];
		int level = books_borrow_level(b, g->q->node, uses[i].pair,
					       uses[i].amount, &ignored);

		charges[i] = (struct charge) { pair->flavor, pair->resource,
					       uses[i].amount };
		most = level > most ? level : most;
	}
	return most;
}

/* Takes what the workload owns, or what was promised to it, if it fits: then
 * there is nothing to search for. False: it does not fit. */
static bool take_known(struct gate *g, const struct use *uses, size_t n,
		       const bool *flavor_ok, struct nomination *nom)
{
	struct charge *charges;

	if (!uses || !uses_allowed(g, uses, n, flavor_ok)
	    || !workload_fits(g->e, g->w, uses, n))
		return false;
	charges = arena_alloc(&g->e->arena, n, sizeof(*charges));
	if (!charges)
		return false;
	nom->borrow = charges_fill(g, uses, n, charges);
	nom->mode = MODE_FIT;
	nom->charges = charges;
	nom->ncharges = n;
	return true;
}

/* Takes what the workload owns, if anything. Owners had their turn before quota
 * was kept for others; so what is kept is kept from it only from here on. */
static bool take_owned(struct gate *g, const bool *flavor_ok,
		       struct nomination *nom)
{
	const struct workload *w = g->w;
	bool first = workload_claim(w) && !owned_quota_is_void(w), known;

	if (!first)
		gate_withhold(g);
	known = workload_claim(w)
		&& take_known(g, w->rare->claim->uses, w->rare->claim->nuses, flavor_ok,
			      nom);
	if (first && !known)
		gate_withhold(g);
	return known;
}

static bool take_promised(struct gate *g, const bool *flavor_ok,
			  struct nomination *nom)
{
	const struct decision *d = g->w->decision;

	return gate_turn_given(g->w)
	       && take_known(g, d->promise, d->npromise, flavor_ok, nom);
}

static int search_anew(struct gate *g, int64_t now, const bool *flavor_ok,
		       struct nomination *nom)
{
	struct ask ask = { .w = g->w, .q = g->q, .now = now,
			   .flavor_ok = flavor_ok };
	struct nominee n = { 0 };

	if (nominate(g->e, &ask, &n) < 0)
		return -1;
	nom->mode = n.draft.public.mode;
	nom->borrow = n.draft.public.borrow;
	nom->charges = n.draft.public.usage;
	nom->ncharges = n.draft.public.nusage;
	nom->victims = victims_list(g->e, n.owner, n.targets, n.ntargets,
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

/* Victims of m by the last plan, which are there as long as nothing has changed since */
static size_t planned_victims(const struct gate *g, const struct workload *m,
			      const struct victim **victims)
{
	const struct decision *d = m->shape->q->tree == g->q->tree ? workload_decision(m) : NULL;

	if (!d || d->verdict.kind != VERDICT_PREEMPT || g->q->tree->needs_plan)
		return 0;
	*victims = d->verdict.victims;
	return d->verdict.nvictims;
}

/* As in the plan, those on the way out count as gone, and so do all victims of the bond,
 * whoever may evict them. */
static int leaving_remove(struct gate *g, struct leaving *l)
{
	const struct tree *tree = g->q->tree;
	const struct victim *victims;
	size_t most = tree->nevicting;

	for (const struct workload *m = g->w->rare->bond->members; m; m = m->rare->bond_next)
		most += planned_victims(g, m, &victims);
	*l = (struct leaving) { arena_alloc(&g->e->arena, most, sizeof(*l->victims)), 0 };
	if (!l->victims)
		return -1;
	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		struct holding *h = tree->queues[i]->holdings;

		for (; h && h->evicting; h = h->next)
			leaving_add(g, l, &(struct victim) {
				.workload = h->w, .reason = VICTIM_RECLAMATION,
				.list = LIST_PRIORITY });
	}
	for (const struct workload *m = g->w->rare->bond->members; m; m = m->rare->bond_next) {
		size_t n = planned_victims(g, m, &victims);

		for (size_t i = 0; i < n; i++)
			leaving_add(g, l, &victims[i]);
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
	if (!take_owned(&g, flavor_ok, nom)
	    && !take_promised(&g, flavor_ok, nom))
		rc = search_anew(&g, now, flavor_ok, nom);
	if (rc == 0 && is_refused(nom) && bond_is_together(w))
		rc = search_without_leaving(&g, now, flavor_ok, nom);
	gate_close(&g);
	if (rc < 0)
		errno = ENOMEM;
	return rc;
}
