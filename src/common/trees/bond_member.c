/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond_member.c - members of bonds: which of them go, which are barred
 */
#include "core/tree.h"
#include "core/tree_state.h"
#include "trees/bonds.h"
#include "trees/tree_bundle.h"
#include "query.h"

bool member_is(const struct engine *e, const struct workload *w,
	       enum verdict_kind kind)
{
	return engine_verdict_kind(e, w) == kind;
}

bool member_goes(const struct engine *e, const struct workload *w)
{
	enum verdict_kind kind = engine_verdict_kind(e, w);

	return kind == VERDICT_START || kind == VERDICT_PREEMPT;
}

/* What the next plan finds is not the first answer to the change that made it
 * necessary. */
static void tree_plan_again(struct engine *e, struct tree *tree)
{
	tree_request_plan(e, tree);
	tree->resolved = true;
}

void member_bar(struct engine *e, struct workload *w)
{
	w->barred = true;
	tree_plan_again(e, tree_of(w));
}

void member_unbar(struct engine *e, struct workload *w)
{
	w->barred = false;
	w->rare->because = NULL;
	tree_plan_again(e, tree_of(w));
}

bool bond_is_at_issue(const struct bond *b, enum bond_kind kind)
{
	return b->kind == kind && bond_bundle(b)->outdated;
}
