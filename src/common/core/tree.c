/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.c - which trees the next plan has to look at
 *
 * Events only say that a tree is stale: who makes the plan takes it from the
 * list.
 */
#include "core/tree.h"

void tree_note(struct engine *e, struct tree *tree)
{
	if (tree->stale)
		return;
	tree->stale = true;
	tree->next_stale = e->stale;
	e->stale = tree;
}

void tree_touch(struct engine *e, struct tree *tree)
{
	tree->outdated = true;
	tree->resolved = false;
	tree_note(e, tree);
}
