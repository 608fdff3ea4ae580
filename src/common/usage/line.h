/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.h - the order of the lines in which usage counts
 */
#ifndef COHORT_USAGE_LINE_H
#define COHORT_USAGE_LINE_H

#include <stdint.h>

struct engine;
struct tree;

/* Shares and scores of the tree are those of `now`, and lines are in their
 * order. Before a plan of the tree, or another question that is about its
 * order. */
void usage_see(struct engine *e, struct tree *tree, int64_t now);

#endif /* COHORT_USAGE_LINE_H */
