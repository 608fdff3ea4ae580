/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bonds.c - bonds between trees
 *
 * Trees are planned independently of each other. So a plan is made as if there
 * were no bonds between them. Then members that may not keep what they got are
 * barred, and their trees are planned once more without them. A workload that
 * was barred for the sake of another one has a second chance when that one can
 * go, one bond after the other. If the second chance makes others fail, those
 * with the higher priority stay. In the end all members of a bond go, or all
 * that would go are barred, and no plan counts on a member that does not go.
 */
#include "core/engine_state.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "trees/bonds.h"
#include "trees/crossed_lines.h"
#include "trees/never_together.h"
#include "trees/tree_bundle.h"

static void bond_renew(struct engine *e, struct bond *b)
{
	for (struct workload *m = b->members; m; m = m->rare->bond_next) {
		m->rare->because = NULL;
		m->barred = false;
		tree_request_plan(e, tree_of(m));
	}
}

int bonds_begin(struct engine *e, int64_t now)
{
	if (!e->bonds)
		return 0;
	if (never_find_bonds(e) < 0)
		return -1;
	crossed_find_bonds(e, now);
	bundles_find(e);
	for (struct bond *b = e->bonds; b; b = b->next) {
		const struct bundle *bundle = bond_bundle(b);

		b->chances = 0;
		b->trying = NULL;
		if (bundle->outdated && bundle->marked)
			bond_renew(e, b);
	}
	return 0;
}

/* True if trees must be planned again */
static bool either_resolve_all(struct engine *e, int pass)
{
	bool any = false;

	for (struct bond *b = e->bonds; b; b = b->next) {
		if (!bond_is_at_issue(b, BOND_EITHER)
		    || !either_resolve(e, b, pass))
			continue;
		bond_bundle(b)->again = true;
		any = true;
	}
	if (!any || pass < LAST_CHANCE)
		return any;
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (bond_is_at_issue(b, BOND_EITHER) && bond_bundle(b)->again)
			either_settle(e, b);
	}
	return true;
}

bool bonds_resolve(struct engine *e, int pass)
{
	bool any;

	if (!e->bonds)
		return false;
	any = together_resolve_all(e, pass);
	any |= either_resolve_all(e, pass);
	return together_give_chances(e, pass) || any;
}

void bonds_end(struct engine *e)
{
	for (struct bond *b = e->bonds; b; b = b->next) {
		if (b->kind == BOND_EITHER)
			either_end(e, b);
		else
			together_end(e, b);
	}
}
