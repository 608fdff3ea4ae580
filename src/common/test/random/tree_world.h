/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_world.h - random trees of cohorts, with what runs and waits in them
 *
 * Chains and bushes, limits of lending and borrowing, two flavors, all policies,
 * fair sharing; in some, protected time, turns, elastic groups, units, owners of freed quota, and
 * jobs on their way out.
 */
#ifndef COHORT_TEST_RANDOM_TREE_WORLD_H
#define COHORT_TEST_RANDOM_TREE_WORLD_H

#include "random/text.h"

/* Writes the world of that seed: workloads r0, r1.. that run, w0, w1.. that wait */
void tree_world_write(struct text *t, uint64_t seed);

/* The same, always with fair sharing: many that borrow, and heads that reclaim */
void fair_world_write(struct text *t, uint64_t seed);

/* Few queues in a tree, and in each of them more shapes than can go */
void long_world_write(struct text *t, uint64_t seed);

#endif /* COHORT_TEST_RANDOM_TREE_WORLD_H */
