/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tests.h - what each test program has
 */
#ifndef COHORT_TEST_TESTS_H
#define COHORT_TEST_TESTS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static inline bool is_near(double x, double y)
{
	return fabs(x - y) <= 1e-9 * fabs(y);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The program runs these, each of them a cmocka_unit_test(). */
#define TESTS(...) TESTS_WITH(NULL, NULL, __VA_ARGS__)

/* ... after setup and before teardown, functions like those of a test */
#define TESTS_WITH(setup, teardown, ...) \
	int main(void) \
	{ \
		const struct CMUnitTest tests[] = { __VA_ARGS__ }; \
 \
		cmocka_set_message_output(CM_OUTPUT_TAP); \
		return cmocka_run_group_tests(tests, setup, teardown); \
	}

#endif /* COHORT_TEST_TESTS_H */
