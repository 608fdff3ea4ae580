/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test numbering.c - a number for each text that is in use
 */
#include <stdio.h>

#include "lib/numbering.h"
#include "world.h"

#define MANY 100000
#define AT_ONCE 1000

static int take(struct numbering *n, int i)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", i);
	return numbering_take(n, text);
}

static void test_empty(void **state)
{
	struct numbering n = { .size = 0 };

	(void) state;
	numbering_put(&n, 0);
	assert_int_equal(numbering_count(&n), 0);
	numbering_clear(&n);
}

static void test_same(void **state)
{
	struct numbering n = { .size = 0 };
	int a = numbering_take(&n, "a"), b = numbering_take(&n, "b");

	(void) state;
	assert_true(a > 0 && b > 0 && a != b);
	assert_int_equal(numbering_take(&n, "a"), a);
	numbering_put(&n, a);
	assert_int_equal(numbering_take(&n, "a"), a);
	numbering_put(&n, a);
	numbering_put(&n, a);
	assert_int_equal(numbering_count(&n), 1);
	assert_int_equal(numbering_take(&n, "b"), b);
	assert_true(numbering_take(&n, "") != b);
	numbering_clear(&n);
	assert_int_equal(numbering_count(&n), 0);
}

/* However many texts there have been: numbers, and memory, are those of the
 * texts that are in use at one time. */
static void test_reuse(void **state)
{
	static int numbers[AT_ONCE];
	struct numbering n = { .size = 0 };

	(void) state;
	for (int i = 0; i < MANY; i++) {
		int *mine = &numbers[i % AT_ONCE];

		numbering_put(&n, *mine);
		*mine = take(&n, i);
		assert_in_range(*mine, 1, AT_ONCE);
	}
	assert_int_equal(numbering_count(&n), AT_ONCE);
	assert_true(n.size <= 2 * AT_ONCE);
	assert_true(n.texts.nbuckets <= 2 * AT_ONCE);
	for (int i = 0; i < AT_ONCE; i++)
		assert_int_equal(take(&n, MANY - AT_ONCE + i), numbers[i]);
	numbering_clear(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_reuse),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
