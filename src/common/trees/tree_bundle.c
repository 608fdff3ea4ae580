/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_bundle.c - trees that bonds tie together
 */
#include "trees/tree_bundle.h"

static struct tree *bundle_of(struct tree *tree)
{
	while (tree->bundle != tree) {
		tree->bundle = tree->bundle->bundle;
		tree = tree->bundle;
	}
	return tree;
}

struct tree *bond_bundle(const struct bond *b)
{
	return bundle_of(tree_of(b->members));
}

static void bundles_tie(struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++)
		e->trees[i].bundle = &e->trees[i];
	for (const struct bond *b = e->bonds; b; b = b->next) {
		for (const struct workload *m = b->members; m;
		     m = m->bond_next)
			bundle_of(tree_of(m))->bundle = bond_bundle(b);
	}
}

/* It is barred, or waits because of another tree. */
static bool is_marked(const struct workload *w)
{
	return w->barred
	       || (w->because && tree_of(w->because) != tree_of(w));
}

void bundles_find(struct engine *e)
{
	bundles_tie(e);
	for (size_t i = 0; i < e->ntrees; i++) {
		e->trees[i].bundle_outdated = e->trees[i].bundle_marked = false;
		e->trees[i].bundle_trial = NULL;
	}
	for (const struct bond *b = e->bonds; b; b = b->next) {
		struct tree *bundle = bond_bundle(b);

		for (const struct workload *m = b->members; m;
		     m = m->bond_next) {
			bundle->bundle_outdated |= tree_of(m)->needs_plan;
			bundle->bundle_marked |= !b->never && is_marked(m);
		}
	}
}

bool bond_comes_first(const struct bond *a, const struct bond *b)
{
	const struct workload *x = a->members, *y = b->members;

	if (x->shape->priority != y->shape->priority)
		return x->shape->priority > y->shape->priority;
	if (x->queue_order_at != y->queue_order_at)
		return x->queue_order_at < y->queue_order_at;
	return x->tiebreak < y->tiebreak;
}

void bundles_forget_first(struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++)
		e->trees[i].bundle_first = NULL;
}

void bundle_note_first(struct bond *b)
{
	struct tree *bundle = bond_bundle(b);

	if (!bundle->bundle_first || bond_comes_first(b, bundle->bundle_first))
		bundle->bundle_first = b;
}
