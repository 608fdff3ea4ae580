/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test growth.c - exponents of growth, and medians
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/clock.h"
#include "measure/growth.h"

#define MAX 4

static void exponent_is(double expected, const double *sizes,
			const double *costs, size_t n)
{
	assert_true(fabs(growth_exponent(sizes, costs, n) - expected) < 1e-9);
}

/* No line goes through one point, or through points above each other. */
static void test_too_few(void **state)
{
	const double sizes[] = { 10, 10 }, costs[] = { 1, 5 };

	(void) state;
	exponent_is(0, sizes, costs, 0);
	exponent_is(0, sizes, costs, 1);
	exponent_is(0, sizes, costs, 2);
}

static void test_powers(void **state)
{
	const double sizes[MAX] = { 10, 40, 100, 1000 };
	const double exponents[] = { -1, 0, 0.5, 1, 2, 3 };
	double costs[MAX];

	(void) state;
	for (size_t k = 0; k < sizeof(exponents) / sizeof(exponents[0]); k++) {
		for (size_t i = 0; i < MAX; i++)
			costs[i] = 0.003 * pow(sizes[i], exponents[k]);
		for (size_t n = 2; n <= MAX; n++)
			exponent_is(exponents[k], sizes, costs, n);
	}
}

/* n log n is a little more than linear, and less than the bound that tests
 * set. */
static void test_n_log_n(void **state)
{
	const double sizes[] = { 1000, 4000, 16000 };
	double costs[3], exponent;

	(void) state;
	for (size_t i = 0; i < 3; i++)
		costs[i] = sizes[i] * log(sizes[i]);
	exponent = growth_exponent(sizes, costs, 3);
	assert_true(exponent > 1.05 && exponent < 1.2);
}

/* One that is off does not carry the others along. */
static void test_best_fit(void **state)
{
	const double sizes[] = { 1, 10, 100 };
	const double above[] = { 1, 20, 100 };

	(void) state;
	exponent_is(1, sizes, above, 3);
}

static void test_median(void **state)
{
	int64_t values[] = { 5, -3, 100, 7, 0 };

	(void) state;
	assert_int_equal(median(values, 0), 0);
	assert_int_equal(median(values, 1), 5);
	assert_int_equal(median(values, 5), 5);
	assert_int_equal(values[0], -3);
	assert_int_equal(values[4], 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_powers),
		cmocka_unit_test(test_n_log_n),
		cmocka_unit_test(test_best_fit),
		cmocka_unit_test(test_median),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
