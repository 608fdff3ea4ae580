/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - which trees the next plan has to look at
 */
#ifndef COHORT_TREE_H
#define COHORT_TREE_H

#include <stdint.h>

struct engine;
struct tree;

/* The tree with that root, a node */
struct tree *tree_of_root(const struct engine *e, int root);

/* The tree has to be planned anew. */
void tree_request_plan(struct engine *e, struct tree *tree);

/* The quotas are those of that time; trees in which one has changed have to be
 * planned anew. */
void trees_date(struct engine *e, int64_t now);

#endif /* COHORT_TREE_H */
