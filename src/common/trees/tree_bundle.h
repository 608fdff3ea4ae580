/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_bundle.h - trees that bonds tie together
 *
 * Directly or through other trees. What a plan decides in a tree of a bundle
 * depends neither on trees that are not in it, nor on what was barred in an
 * earlier plan: where one of them is planned anew and a member is barred, all
 * begin without that.
 */
#ifndef COHORT_TREE_BUNDLE_H
#define COHORT_TREE_BUNDLE_H

#include "workload/bond.h"

static inline struct tree *tree_of(const struct workload *w)
{
	return w->shape->q->tree;
}

/* Before a plan: finds the bundles, and in each of them whether one of its
 * trees is to be planned anew (bundle_outdated) and whether a member is barred
 * or waits for what became of another tree (bundle_marked). */
void bundles_find(struct engine *e);

/* The tree that stands for the bundle, as of the last bundles_find(): in it is
 * what holds for all. */
struct tree *bond_bundle(const struct bond *b);

/* By priority, then time, of their first members */
bool bond_comes_first(const struct bond *a, const struct bond *b);

/* bundle_first is the bond with the highest priority of those that were noted
 * since it was forgotten. */
void bundles_forget_first(struct engine *e);
void bundle_note_first(struct bond *b);

#endif /* COHORT_TREE_BUNDLE_H */
