/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate.c - one workload against the books as they are now
 *
 * The plan promises, the gate checks: between the two the books may have
 * changed. What the workload owns is lifted here, and so is what came to be
 * owned after it; quota that the last plan kept from others stays kept.
 */
#include <errno.h>
#include <string.h>

#include "core/trial.h"
#include "core/uses.h"
#include "victims/find.h"
#include "workload/claim.h"
#include "workload/holding.h"
#include "cycle/tree_cycle.h"
#include "workload/unit.h"

static const char *const reason_names[] = {
	[VICTIM_IN_CLUSTER_QUEUE] = "InClusterQueue",
	[VICTIM_TIME_BASED] = "InClusterQueueTimeBased",
	[VICTIM_RECLAMATION] = "InCohortReclamation",
	[VICTIM_RECLAIM_WHILE_BORROWING] = "InCohortReclaimWhileBorrowing",
	[VICTIM_FAIR_SHARING] = "InCohortFairSharing",
};

const char *victim_reason_name(enum victim_reason reason)
{
	return reason_names[reason];
}

/* The workload, and what it asks for, in a trial */
struct gate {
	struct engine *e;
	const struct workload *w;
	struct queue *q;
	struct use *uses;
	size_t nuses;
	size_t mark;
};

/* The last plan has given it a turn */
static bool turn_given(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan
	       && (w->verdict.kind == VERDICT_START
		   || w->verdict.kind == VERDICT_PREEMPT);
}

/* Quota is kept from it as it was in its turn */
static void others_hold(struct gate *g)
{
	const struct tree *tree = g->q->tree;

	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i] == g->q)
			continue;
		if (turn_given(g->w))
			withheld_rewind(g->e, tree->queues[i], g->w->verdict.rank);
		withheld_book(g->e, tree->queues[i]);
	}
}

static void gate_open(struct gate *g, struct engine *e,
		      const struct workload *w)
{
	*g = (struct gate) { .e = e, .w = w, .q = w->shape->q };
	arena_reset(&e->arena);
	e->no_memory = false;
	e->passed = (struct passed_over) { 0 };
	g->mark = trial_begin(e);
	claims_lift(e, w);
}

static void gate_close(struct gate *g)
{
	trial_end(g->e, g->mark);
}

static int64_t claimed_of(const struct workload *w, int pair)
{
	int64_t sum = 0;

	for (size_t i = 0; i < w->nclaim; i++) {
		if (w->claim[i].pair == pair)
			sum = sat_add(sum, w->claim[i].amount);
	}
	return sum;
}

/* Owners had their turn before anything was kept for others. */
static bool is_all_owned(const struct gate *g)
{
	if (!g->w->claim || claim_is_void(g->w))
		return false;
	for (size_t i = 0; i < g->nuses; i++) {
		if (g->uses[i].amount > claimed_of(g->w, g->uses[i].pair))
			return false;
	}
	return true;
}

static int gate_ask(struct gate *g, const struct charge *charges, size_t n)
{
	g->uses = arena_alloc(&g->e->arena, n, sizeof(*g->uses));
	if (!g->uses) {
		errno = ENOMEM;
		return -1;
	}
	if (uses_fill(g->e, charges, n, g->uses, &g->nuses) < 0)
		return -1;
	if (!is_all_owned(g))
		others_hold(g);
	return 0;
}

static bool gate_fits(const struct gate *g)
{
	return books_fit(g->e->books, g->q->node, g->uses, g->nuses);
}

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

/* What it owns it came to own before it found no nodes in one of its flavors. */
static bool claim_is_avoided(const struct gate *g)
{
	const struct workload *w = g->w;

	for (size_t i = 0; w->avoid && i < w->nclaim; i++) {
		if (w->avoid[g->e->books->pairs[w->claim[i].pair].flavor])
			return true;
	}
	return false;
}

/* What is the workload's own, or was promised to it, and fits: nothing else
 * has to be looked for. */
static bool nominate_known(struct gate *g, const struct use *uses, size_t n,
			   const bool *flavor_ok, struct nomination *nom)
{
	const struct books *b = g->e->books;
	struct charge *charges;
	bool ignored;

	if (!uses || !uses_allowed(g, uses, n, flavor_ok)
	    || !books_fit(b, g->q->node, uses, n))
		return false;
	charges = arena_alloc(&g->e->arena, n, sizeof(*charges));
	if (!charges)
		return false;
	for (size_t i = 0; i < n; i++) {
		int level = books_borrow_level(b, g->q->node, uses[i].pair,
					       uses[i].amount, &ignored);

		charges[i].flavor = b->pairs[uses[i].pair].flavor;
		charges[i].resource = b->pairs[uses[i].pair].resource;
		charges[i].amount = uses[i].amount;
		if (level > nom->borrow)
			nom->borrow = level;
	}
	nom->mode = MODE_FIT;
	nom->charges = charges;
	nom->ncharges = n;
	return true;
}

/* Else what is kept for others is kept from now on. */
static bool nominate_owned(struct gate *g, const bool *flavor_ok,
			   struct nomination *nom)
{
	const struct workload *w = g->w;
	bool first = w->claim && !claim_is_void(w), known;

	if (!first)
		others_hold(g);
	known = !claim_is_avoided(g)
		&& nominate_known(g, w->claim, w->nclaim, flavor_ok, nom);
	if (first && !known)
		others_hold(g);
	return known;
}

static int nominate_search(struct gate *g, int64_t now, const bool *flavor_ok,
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
	nom->victims = victims_list(g->e, n.targets, n.ntargets,
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
	if (!nominate_owned(&g, flavor_ok, nom)
	    && !(turn_given(w)
		 && nominate_known(&g, w->promise, w->npromise, flavor_ok,
				   nom)))
		rc = nominate_search(&g, now, flavor_ok, nom);
	gate_close(&g);
	if (rc < 0)
		errno = ENOMEM;
	return rc;
}

/* Out of the books, and no candidates: once each */
static void gone_remove(struct engine *e, struct workload *const *gone,
			size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		struct holding *h = gone[i]->held;

		if (!h || h->gone)
			continue;
		unit_set_gone(h, true);
		target_remove(e, h);
	}
}

/* The books come back with the end of the trial */
static void gone_forget(struct workload *const *gone, size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		if (gone[i]->held)
			unit_set_gone(gone[i]->held, false);
	}
}

bool engine_fits(struct engine *e, const struct workload *w,
		 const struct charge *charges, size_t n,
		 struct workload *const *gone, size_t ngone)
{
	struct gate g;
	bool fits = false;

	gate_open(&g, e, w);
	if (gate_ask(&g, charges, n) == 0) {
		gone_remove(e, gone, ngone);
		fits = gate_fits(&g);
		gone_forget(gone, ngone);
	}
	gate_close(&g);
	return fits;
}

/* Who else may go: the order of a search that does not stop when it fits */
static size_t others_find(struct gate *g, int64_t now, bool alone, bool picked,
			  const struct target **targets)
{
	struct search s = {
		.e = g->e, .q = g->q, .w = g->w, .now = now,
		.demand = g->uses, .ndemand = g->nuses,
		.nneed = g->nuses, .everybody = true,
		.alone = alone, .picked = picked,
	};
	int *need = arena_alloc(&g->e->arena, g->nuses, sizeof(*need));

	if (!need) {
		g->e->no_memory = true;
		return 0;
	}
	for (size_t i = 0; i < g->nuses; i++)
		need[i] = g->uses[i].pair;
	s.need = need;
	return targets_find(&s, targets);
}

int engine_candidates(struct engine *e, struct workload *w, int64_t now,
		      const struct candidates_query *query,
		      struct candidates *found)
{
	const struct target *targets = NULL;
	struct gate g;
	size_t n = 0;
	int rc;

	*found = (struct candidates) { 0 };
	gate_open(&g, e, w);
	rc = gate_ask(&g, query->charges, query->ncharges);
	if (rc == 0) {
		gone_remove(e, query->gone, query->ngone);
		n = others_find(&g, now, query->alone, false, &targets);
		gone_forget(query->gone, query->ngone);
	}
	gate_close(&g);
	found->list = victims_list(e, targets, n, &found->n);
	found->protected_until = e->passed.until;
	if (rc == 0 && !e->no_memory)
		return 0;
	*found = (struct candidates) { 0 };
	if (rc == 0)
		errno = ENOMEM;
	return -1;
}

static void picked_mark(const struct victim *victims, size_t n, bool picked)
{
	for (size_t i = 0; i < n; i++) {
		if (victims[i].workload->held)
			unit_set_picked(victims[i].workload->held, picked);
	}
}

static bool is_target(const struct target *targets, size_t n,
		      const struct workload *w)
{
	for (size_t i = 0; i < n; i++) {
		if (unit_has(targets[i].h, w->held))
			return true;
	}
	return false;
}

size_t engine_allowed(struct engine *e, struct workload *w, int64_t now,
		      const struct charge *charges, size_t ncharges,
		      const struct victim *victims, size_t n)
{
	const struct target *targets = NULL;
	size_t found = 0, i = 0;
	struct gate g;

	gate_open(&g, e, w);
	picked_mark(victims, n, true);
	if (gate_ask(&g, charges, ncharges) == 0)
		found = others_find(&g, now, false, true, &targets);
	picked_mark(victims, n, false);
	gate_close(&g);
	while (i < n && is_target(targets, found, victims[i].workload))
		i++;
	return i;
}

/* Puts back those that are not needed, the last one first. Who goes together
 * is put back together: picked are those that stay victims. */
static void needless_restore(struct gate *g, const struct victim *victims,
			     size_t n, bool evicting)
{
	for (size_t i = n; i-- > 0; ) {
		struct holding *h = victims[i].workload->held;

		if (!h || !h->gone || h->picked || h->evicting != evicting)
			continue;
		unit_set_gone(h, false);
		target_restore(g->e, h);
		if (gate_fits(g))
			continue;
		unit_set_gone(h, true);
		target_remove(g->e, h);
		unit_set_picked(h, true);
	}
}

/* Without those that were put back */
static size_t victims_compact(struct victim *victims, const bool *keep,
			      size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct holding *h = victims[i].workload->held;

		if (h ? h->gone : keep && keep[i])
			victims[kept++] = victims[i];
	}
	return kept;
}

static void needless_find(struct gate *g, struct workload *const *gone,
			  const struct victim *victims, const bool *keep,
			  size_t n)
{
	gone_remove(g->e, gone, n);
	for (size_t i = 0; i < n; i++) {
		if (keep && keep[i] && gone[i]->held)
			unit_set_picked(gone[i]->held, true);
	}
	if (!gate_fits(g))
		return;
	needless_restore(g, victims, n, false);
	needless_restore(g, victims, n, true);
}

size_t engine_drop_needless(struct engine *e, struct workload *w,
			    const struct charge *charges, size_t ncharges,
			    struct victim *victims, const bool *keep, size_t n)
{
	struct workload **gone;
	size_t kept = n;
	struct gate g;

	gate_open(&g, e, w);
	gone = arena_alloc(&e->arena, n, sizeof(*gone));
	if (!gone || gate_ask(&g, charges, ncharges) < 0) {
		gate_close(&g);
		return n;
	}
	for (size_t i = 0; i < n; i++)
		gone[i] = victims[i].workload;
	needless_find(&g, gone, victims, keep, n);
	kept = victims_compact(victims, keep, n);
	gone_forget(gone, n);
	for (size_t i = 0; i < n; i++) {
		if (gone[i]->held)
			unit_set_picked(gone[i]->held, false);
	}
	gate_close(&g);
	return kept;
}
