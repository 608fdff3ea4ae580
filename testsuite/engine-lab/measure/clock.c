/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c - how long something took
 */
#include <stdlib.h>
#include <time.h>

#include "measure/clock.h"
#include "spec.h"

static int64_t clock_read(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SPEC_SEC + ts.tv_nsec;
}

int64_t clock_wall(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

int64_t clock_cpu(void)
{
	return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static int int64_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

int64_t median(int64_t *values, size_t n)
{
	if (!n)
		return 0;
	qsort(values, n, sizeof(*values), int64_compare);
	return values[n / 2];
}
