/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gate.c - one workload against the books as they are now
 *
 * doc/how-it-decides.md, section 10: the plan promises, the gate checks.
 * Between the two the books may have changed. What the workload owns is lifted
 * here, and so is what others came to own later. Quota that the last plan kept
 * from others stays kept.
 */
#include <errno.h>

#include "core/cap.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "holding/trial.h"
#include "core/uses.h"
#include "core/withheld.h"
#include "gate/gate.h"
#include "victims/target.h"
#include "workload/owned_quota.h"
#include "workload/progress.h"
#include "holding/unit.h"

bool gate_turn_given(const struct workload *w)
{
	const struct decision *d = workload_decision(w);

	return d && (d->verdict.kind == VERDICT_START
		     || d->verdict.kind == VERDICT_PREEMPT);
}

void gate_withhold(struct gate *g)
{
	struct tree *tree = g->q->tree;

	tree->kept_before = gate_turn_given(g->w) ? g->w->decision->verdict.rank
						  : UINT64_MAX;
	for (size_t i = 0; tree->nwithholding && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q == g->q || !q->nwithheld)
			continue;
		withheld_book(g->e, q);
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

/* Of what the last plan kept from others, some was set aside for this question
 * only. If that cannot be undone, the next plan tells it again. */
void gate_close(struct gate *g)
{
	bool lost = g->e->books->log_lost;

	g->q->tree->kept_before = UINT64_MAX;
	trial_end(g->e, g->mark);
	for (size_t i = 0; lost && i < g->e->ntrees; i++)
		tree_request_plan(g->e, &g->e->trees[i]);
}

static int64_t claimed_of(const struct workload *w, int pair)
{
	const struct claim *claim = w->rare->claim;

	return uses_of_pair(claim->uses, claim->nuses, pair);
}

/* Owners had their turn before quota was kept for others. */
static bool is_all_owned(const struct gate *g)
{
	if (!workload_claim(g->w) || owned_quota_is_void(g->w))
		return false;
	for (size_t i = 0; i < g->nuses; i++) {
		if (g->uses[i].amount > claimed_of(g->w, g->uses[i].pair))
			return false;
	}
	return true;
}

/* Nobody has gone for it so far. */
static bool is_within_nominal(const struct gate *g)
{
	for (size_t i = 0; i < g->nuses; i++) {
		if (books_is_over_nominal(g->e->books, g->q->node,
					  g->uses[i].pair, g->uses[i].amount))
			return false;
	}
	return true;
}

int gate_ask(struct gate *g, const struct charge *charges, size_t n)
{
	g->uses = arena_alloc(&g->e->arena, n, sizeof(*g->uses));
	if (!g->uses) {
		errno = ENOMEM;
		return -1;
	}
	if (uses_fill(g->e, charges, n, g->uses, &g->nuses) < 0)
		return -1;
	if (!is_all_owned(g))
		gate_withhold(g);
	g->pure = is_within_nominal(g);
	return 0;
}

bool gate_fits(const struct gate *g)
{
	return workload_fits(g->e, g->w, g->uses, g->nuses);
}

void gate_remove_gone(struct gate *g, struct workload *const *gone,
		      size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		struct holding *h = holding_of(gone[i]);

		if (!h || h->gone)
			continue;
		unit_set_gone(h, true);
		target_remove(g->e, h);
	}
}

void gate_forget_gone(struct workload *const *gone, size_t ngone)
{
	for (size_t i = 0; i < ngone; i++) {
		if (gone[i]->runs)
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
		gate_remove_gone(&g, gone, ngone);
		fits = gate_fits(&g);
		gate_forget_gone(gone, ngone);
	}
	gate_close(&g);
	return fits && !e->no_memory;
}
