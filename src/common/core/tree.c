/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - which trees the next plan has to look at
 *
 * Events only say that a tree is stale.
 */
#include "core/engine_state.h"
#include "core/tree_state.h"
#include "quota/calendar.h"

struct tree *tree_of_root(const struct engine *e, int root)
{
	size_t i = 0;

	while (e->trees[i].root != root)
		i++;
	return &e->trees[i];
}

void tree_request_plan(struct engine *e, struct tree *tree)
{
	tree->needs_plan = true;
	e->stale = true;
}

void trees_date(struct engine *e, int64_t now)
{
	int root;

	while ((root = calendar_step(e->books, now)) != SPEC_NONE)
		tree_request_plan(e, tree_of_root(e, root));
}
