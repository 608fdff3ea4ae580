/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_bundle.h - trees that bonds tie together
 *
 * The ties may be direct or through other trees. What a plan decides in a tree
 * of a bundle does not depend on trees outside of it, nor on what an earlier
 * plan has barred: where a tree of a bundle is planned anew and a member is
 * barred, all trees of the bundle are planned anew, with no member barred.
 */
#ifndef COHORT_TREE_BUNDLE_H
#define COHORT_TREE_BUNDLE_H

#include "core/queue_state.h"
#include "workload/bond.h"

/* What holds for all trees of a bundle is with one of them, whose `up` is itself */
struct bundle {
	struct bundle *up;		/* of another tree of the bundle */
	bool outdated;			/* one of its trees is to be planned
					 * anew */
	bool marked;			/* a member is barred, or waits because
					 * of another tree */
	bool again;			/* to be planned once more */
	struct bond *first;		/* that was noted: of the highest
					 * priority */
	struct bond *trial;		/* that has got its second chance */
};

static inline struct tree *tree_of(const struct workload *w)
{
	return w->shape->q->tree;
}

/* One for each tree of the engine, in e->bundles; free() frees them. -1: no
 * memory. */
int bundles_create(struct engine *e);

/* Before a plan: finds the bundles, which of them are outdated, and which are
 * marked. */
void bundles_find(struct engine *e);

/* As of the last bundles_find() */
struct bundle *bond_bundle(const struct bond *b);

/* By priority, then time, of the first member of each */
bool bond_comes_first(const struct bond *a, const struct bond *b);

/* `first` is the bond with the highest priority that was noted since
 * bundles_forget_first(). */
void bundles_forget_first(struct engine *e);
void bundle_note_first(struct bond *b);

#endif /* COHORT_TREE_BUNDLE_H */
