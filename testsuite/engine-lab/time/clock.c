/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c - how long something took
 */
#include <stdlib.h>
#include <time.h>

#include "time/clock.h"
#include "spec.h"

int64_t clock_cpu(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return ts.tv_sec * SPEC_SEC + ts.tv_nsec;
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
