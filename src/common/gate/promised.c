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
#include "victims/leaving.h"
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

/* It came to own its claim before it found no nodes in one of the claim's
 * flavors. */
static bool claim_is_avoided(const struct gate *g)
{
	const struct claim *claim = workload_claim(g->w);
	const bool *avoid = workload_avoids(g->w);

	for (size_t i = 0; avoid && i < claim->nuses; i++) {
		if (avoid[g->e->books->pairs[claim->uses[i].pair].flavor])
			return true;
	}
	return false;
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
	known = workload_claim(w) && !claim_is_avoided(g)
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
		       struct nominee *n)
{
	struct ask ask = { .w = g->w, .q = g->q, .now = now,
			   .flavor_ok = flavor_ok };

	*n = (struct nominee) { 0 };
	return nominate(g->e, &ask, n);
}

/* What leaves for the components of a job */
struct leaving {
	struct target *targets;		/* e->arena */
	size_t n;
};

static void leaving_add(struct gate *g, struct leaving *l, struct holding *h)
{
	if (h && !h->gone)
		l->targets[l->n++] = target_leave(g->e, g->q, h);
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
	*l = (struct leaving) { arena_alloc(&g->e->arena, most, sizeof(*l->targets)), 0 };
	if (!l->targets)
		return -1;
	for (size_t i = 0; tree->nevicting && i < tree->nqueues; i++) {
		struct holding *h = tree->queues[i]->holdings;

		for (; h && h->evicting; h = h->next)
			leaving_add(g, l, h);
	}
	for (const struct workload *m = g->w->rare->bond->members; m; m = m->rare->bond_next) {
		size_t n = planned_victims(g, m, &victims);

		for (size_t i = 0; i < n; i++)
			leaving_add(g, l, holding_of(victims[i].workload));
	}
	return 0;
}

/* A component goes when the victims of all components have left. */
static int search_without_leaving(struct gate *g, int64_t now, const bool *flavor_ok,
				  struct nominee *n)
{
	struct leaving l;
	struct target *all;
	int rc;

	if (leaving_remove(g, &l) < 0)
		return -1;
	rc = l.n ? search_anew(g, now, flavor_ok, n) : 0;
	for (size_t i = 0; i < l.n; i++)
		unit_set_gone(l.targets[i].h, false);
	if (rc < 0 || !l.n || (n->draft.public.mode != MODE_FIT && !n->ntargets))
		return rc;
	all = arena_alloc(&g->e->arena, l.n + n->ntargets, sizeof(*all));
	if (!all)
		return -1;
	for (size_t i = 0; i < l.n + n->ntargets; i++)
		all[i] = i < l.n ? l.targets[i] : n->targets[i - l.n];
	n->draft.public.mode = MODE_PREEMPT;
	n->targets = all;
	n->ntargets += l.n;
	return 0;
}

static int search(struct gate *g, int64_t now, const bool *flavor_ok,
		  struct nomination *nom)
{
	struct nominee n;
	int rc = search_anew(g, now, flavor_ok, &n);

	if (rc == 0 && n.draft.public.mode != MODE_FIT && !n.ntargets
	    && bond_is_together(g->w))
		rc = search_without_leaving(g, now, flavor_ok, &n);
	if (rc < 0)
		return -1;
	nom->mode = n.draft.public.mode;
	nom->borrow = n.draft.public.borrow;
	nom->charges = n.draft.public.usage;
	nom->ncharges = n.draft.public.nusage;
	nom->victims = victims_list(g->e, n.owner, n.targets, n.ntargets,
				    &nom->nvictims);
	return g->e->no_memory ? -1 : 0;
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
		rc = search(&g, now, flavor_ok, nom);
	gate_close(&g);
	if (rc < 0)
		errno = ENOMEM;
	return rc;
}
