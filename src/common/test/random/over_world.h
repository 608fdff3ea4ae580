/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * over_world.h - random trees, most of which use more than their quota
 */
#ifndef COHORT_TEST_RANDOM_OVER_WORLD_H
#define COHORT_TEST_RANDOM_OVER_WORLD_H

#include "random/text.h"

/* Writes the world of that seed: r0, r1.. that run, w0, w1.. that wait; cpu and mem of one
 * flavor */
void over_world_write(struct text *t, uint64_t seed);

/* The same in a flat cohort with fair sharing; and with borrowWithinCohort */
void over_fair_world_write(struct text *t, uint64_t seed);
void over_borrow_world_write(struct text *t, uint64_t seed);

#endif /* COHORT_TEST_RANDOM_OVER_WORLD_H */
