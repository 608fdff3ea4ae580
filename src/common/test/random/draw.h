/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.h - random numbers, for tests
 */
#ifndef COHORT_TEST_RANDOM_DRAW_H
#define COHORT_TEST_RANDOM_DRAW_H

#include <stdint.h>
#include <stdlib.h>

/* Less than 2^31. The same state gives the same numbers. */
static inline uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Less than n */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

/* How many seeds to try: COHORT_SEEDS of the environment, or `usual`, which takes a second
 * at most; with COHORT_LONG twenty times as many */
static inline uint64_t seeds_wanted(uint64_t usual)
{
	const char *wanted = getenv("COHORT_SEEDS");

	return wanted ? strtoull(wanted, NULL, 10) : usual * (getenv("COHORT_LONG") ? 20 : 1);
}

#endif /* COHORT_TEST_RANDOM_DRAW_H */
