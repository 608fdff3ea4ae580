/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draw.h - random numbers, for tests
 */
#ifndef COHORT_TEST_RANDOM_DRAW_H
#define COHORT_TEST_RANDOM_DRAW_H

#include <stdint.h>

/* Less than 2^31. The same state gives the same numbers. */
static inline uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005)
		 + UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Less than n */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	return random_next(state) % n;
}

#endif /* COHORT_TEST_RANDOM_DRAW_H */
