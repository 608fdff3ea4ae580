/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test delays.c - quantiles of a histogram, as Prometheus has them
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/delays.h"

static void is_near(double is, double expected)
{
	if (fabs(is - expected) > 1e-9)
		fail_msg("%g is not %g", is, expected);
}

static void test_none(void **state)
{
	struct delays d = { .n = 0 };

	(void) state;
	assert_true(delays_quantile(&d, 0.5) < 0);
	delays_add(&d, 10, 0);
	assert_true(delays_quantile(&d, 0.5) < 0);
}

/* 10 up to 1 s, 10 up to 5 s, 20 up to 25 s; in any order */
static void test_quantiles(void **state)
{
	struct delays d = { .n = 0 };

	(void) state;
	delays_add(&d, 25, 20);
	delays_add(&d, INFINITY, 0);
	delays_add(&d, 1, 4);
	delays_add(&d, 5, 10);
	delays_add(&d, 1, 6);
	assert_int_equal(d.n, 4);
	is_near(delays_quantile(&d, 0.125), 0.5);
	is_near(delays_quantile(&d, 0.25), 1);
	is_near(delays_quantile(&d, 0.5), 5);
	is_near(delays_quantile(&d, 0.75), 15);
	is_near(delays_quantile(&d, 0.95), 23);
	is_near(delays_quantile(&d, 1), 25);
	/* of those above all bounds the last one is known */
	delays_add(&d, INFINITY, 1000);
	is_near(delays_quantile(&d, 0.95), 25);
}

static void test_more_bounds_than_fit(void **state)
{
	struct delays d = { .n = 0 };

	(void) state;
	for (int i = 0; i < 2 * DELAYS_MAX; i++)
		delays_add(&d, i, 1);
	assert_int_equal(d.n, DELAYS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_more_bounds_than_fit),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
