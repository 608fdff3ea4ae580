/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_bundle.c - trees that bonds tie together
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/tree_state.h"
#include "trees/tree_bundle.h"

int bundles_create(struct engine *e)
{
	/* one more: no NULL for an empty array */
	e->bundles = calloc(e->ntrees + 1, sizeof(*e->bundles));
	if (!e->bundles)
		return -1;
	for (size_t i = 0; i < e->ntrees; i++)
		e->trees[i].bundle = &e->bundles[i];
	return 0;
}

static struct bundle *bundle_of(const struct tree *tree)
{
	struct bundle *bundle = tree->bundle;

	while (bundle->up != bundle) {
		bundle->up = bundle->up->up;
		bundle = bundle->up;
	}
	return bundle;
}

struct bundle *bond_bundle(const struct bond *b)
{
	return bundle_of(tree_of(b->members));
}

static void bundles_tie(struct engine *e)
{
	for (size_t i = 0; i < e->ntrees; i++)
		e->bundles[i].up = &e->bundles[i];
	for (const struct bond *b = e->bonds; b; b = b->next) {
		for (const struct workload *m = b->members; m;
		     m = m->rare->bond_next)
			bundle_of(tree_of(m))->up = bond_bundle(b);
	}
}

/* It is barred, or waits because of another tree. */
static bool is_marked(const struct workload *w)
{
	return w->barred
	       || (w->rare && w->rare->because
		   && tree_of(w->rare->because) != tree_of(w));
}

void bundles_find(struct engine *e)
{
	bundles_tie(e);
	for (size_t i = 0; i < e->ntrees; i++) {
		e->bundles[i].outdated = e->bundles[i].marked = false;
		e->bundles[i].trial = NULL;
	}
	for (const struct bond *b = e->bonds; b; b = b->next) {
		struct bundle *bundle = bond_bundle(b);

		for (const struct workload *m = b->members; m;
		     m = m->rare->bond_next) {
			bundle->outdated |= tree_of(m)->needs_plan;
			bundle->marked |= !b->never && is_marked(m);
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
		e->bundles[i].first = NULL;
}

void bundle_note_first(struct bond *b)
{
	struct bundle *bundle = bond_bundle(b);

	if (!bundle->first || bond_comes_first(b, bundle->first))
		bundle->first = b;
}
