/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test digits.h - numbers as text
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/digits.h"
#include "world.h"

static void test_as_printf(void **state)
{
	static const int64_t numbers[] = {
		0, 1, -1, 9, 10, -10, 99, 100, 12345, -987654321,
		INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1,
	};

	(void) state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char room[DIGITS_SIZE], expected[DIGITS_SIZE];

		snprintf(expected, sizeof(expected), "%" PRId64, numbers[i]);
		assert_string_equal(digits_of(numbers[i], room), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_printf),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
