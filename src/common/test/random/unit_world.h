/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_world.h - random trees in which most jobs are evicted with another one
 *
 * Jobs have one of three priorities, and some are exempt; most queues may evict lower
 * ones only.
 */
#ifndef COHORT_TEST_RANDOM_UNIT_WORLD_H
#define COHORT_TEST_RANDOM_UNIT_WORLD_H

#include "random/text.h"

/* Writes the world of that seed: r0, r1.. that run, w0, w1.. that wait */
void unit_world_write(struct text *t, uint64_t seed);

/* The same with fair sharing */
void fair_unit_world_write(struct text *t, uint64_t seed);

/* Where more is in use than there is; and that with fair sharing */
void over_unit_world_write(struct text *t, uint64_t seed);
void fair_over_unit_world_write(struct text *t, uint64_t seed);

/* With min-runtimes, turns and exemptions */
void timed_unit_world_write(struct text *t, uint64_t seed);

#endif /* COHORT_TEST_RANDOM_UNIT_WORLD_H */
