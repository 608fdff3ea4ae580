/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure.c - clocks, medians and counters of scohort bench
 *
 * The command is linked with --wrap for the functions that allocate: calls
 * from our own objects come here.
 */
#include <stdlib.h>
#include <time.h>

#include "bench/bench.h"
#include "spec.h"

static uint64_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	allocations++;
	return __real_realloc(memory, size);
}

uint64_t bench_allocations(void)
{
	return allocations;
}

static int64_t clock_read(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * SPEC_SEC + ts.tv_nsec;
}

int64_t bench_clock(void)
{
	return clock_read(CLOCK_MONOTONIC);
}

int64_t bench_cpu_clock(void)
{
	return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

static int int64_compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *) a, y = *(const int64_t *) b;

	return (x > y) - (x < y);
}

int64_t bench_median(int64_t *values, size_t n)
{
	if (!n)
		return 0;
	qsort(values, n, sizeof(*values), int64_compare);
	return values[n / 2];
}
