/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * failing.h - allocations that fail, for tests called nomem
 *
 * The tests are linked with -Wl,--wrap for these functions (testsuite/nets.mk),
 * so that the code under test gets no memory when the test says so. Libraries
 * do get it.
 */
#ifndef COHORT_TEST_FAILING_H
#define COHORT_TEST_FAILING_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* Allocations until one fails; 0: none does */
static size_t failing_in;
/* All that follow fail, too */
static bool failing_lasts;
/* An allocation has failed since failing_begin(), and failing_end() has not reported it yet */
static bool failing_failed;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);

static bool failing_now(void)
{
	if (!failing_in || --failing_in)
		return false;
	failing_failed = true;
	failing_in = failing_lasts;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return failing_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return failing_now() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return failing_now() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	return failing_now() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
	return failing_now() ? NULL : __real_strndup(text, n);
}

/* The n-th allocation from now on fails. */
static void failing_begin(size_t n)
{
	failing_in = n;
	failing_failed = false;
}

/* No more allocations fail. Returns whether one has failed. */
static bool failing_end(void)
{
	bool failed = failing_failed;

	failing_in = 0;
	failing_failed = false;
	return failed;
}

/* The log of the books has room for n entries, before it has to grow. */
#define failing_shorten_log(books, n) do { \
	(books)->log = __real_realloc((books)->log, ((n) + 1) * sizeof(*(books)->log)); \
	(books)->log_size = (n); \
} while (0)

#endif /* COHORT_TEST_FAILING_H */
