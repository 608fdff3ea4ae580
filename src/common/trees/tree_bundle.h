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

#include "workload/bond.h"

static inline struct tree *tree_of(const struct workload *w)
{
	return w->shape->q->tree;
}

/* Before a plan: finds the bundles. Finds for each whether one of its trees is
 * to be planned anew (bundle_outdated), and whether a member is barred or waits
 * because of another tree (bundle_marked). */
void bundles_find(struct engine *e);

/* The tree that stands for the bundle, as of the last bundles_find(). It keeps
 * what holds for all trees of the bundle. */
struct tree *bond_bundle(const struct bond *b);

/* By priority, then time, of the first member of each */
bool bond_comes_first(const struct bond *a, const struct bond *b);

/* bundle_first is the bond with the highest priority that was noted since
 * bundles_forget_first(). */
void bundles_forget_first(struct engine *e);
void bundle_note_first(struct bond *b);

#endif /* COHORT_TREE_BUNDLE_H */
