/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sat.h - amounts that saturate instead of wrapping
 *
 * INT64_MAX means unlimited: nothing finite that is added to it or taken from
 * it changes it.
 */
#ifndef COHORT_SAT_H
#define COHORT_SAT_H

#include <stdint.h>

static inline int64_t sat_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (a == INT64_MAX || b == INT64_MAX)
		return INT64_MAX;
	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

static inline int64_t sat_sub(int64_t a, int64_t b)
{
	int64_t difference;

	if (a == INT64_MAX)
		return INT64_MAX;
	if (__builtin_sub_overflow(a, b, &difference))
		return a < 0 ? INT64_MIN : INT64_MAX;
	return difference;
}

static inline int64_t sat_mul(int64_t a, int64_t b)
{
	int64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
	return product;
}

static inline int64_t min64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* < 0, 0, > 0 if a is smaller than, equal to or larger than b */
static inline int compare64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* The earlier one of two times, where 0 is none */
static inline void earliest_note(int64_t *earliest, int64_t at)
{
	if (at && (!*earliest || at < *earliest))
		*earliest = at;
}

#endif /* COHORT_SAT_H */
