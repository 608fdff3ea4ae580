/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test budget.c - how much time something may take of all the time there is
 */
#include "lib/budget.h"
#include "world.h"

#define SEC INT64_C(1000000000)

static struct budget a_tenth(void)
{
	return (struct budget) { .parts = 10, .most = SEC };
}

static void test_saved(void **state)
{
	struct budget b = a_tenth();

	(void) state;
	assert_false(budget_has(&b, 0));
	assert_true(budget_has(&b, 1000 * SEC));
	assert_int_equal(b.left, SEC);		/* and no more */
	budget_spend(&b, SEC);
	assert_false(budget_has(&b, 1000 * SEC));
	assert_false(budget_has(&b, 1000 * SEC + 9));
	assert_true(budget_has(&b, 1000 * SEC + 10));
}

static void test_overspent(void **state)
{
	struct budget b = a_tenth();

	(void) state;
	assert_true(budget_has(&b, 1000 * SEC));
	budget_spend(&b, 3 * SEC);		/* 2 too many: 20 to wait */
	assert_false(budget_has(&b, 1020 * SEC));
	assert_true(budget_has(&b, 1020 * SEC + 10));
}

/* A user that asks as often as it can, whatever each costs, gets a tenth. */
static void test_flood(void **state)
{
	static const int64_t costs[] = { 1, 999, SEC / 1000, SEC / 5, 2 * SEC };

	(void) state;
	for (size_t i = 0; i < COUNT(costs); i++) {
		struct budget b = a_tenth();
		int64_t spent = 0, begin = 1000 * SEC, now = begin;

		for (int k = 0; k < 100000; k++) {
			/* asked every 7 us at least, or when it is done */
			now += 7001;
			if (!budget_has(&b, now))
				continue;
			budget_spend(&b, costs[i]);
			spent += costs[i];
			now += costs[i];
			assert_true(spent <= SEC + (now - begin) / 10 +
				    costs[i]);
		}
		assert_true(spent > 0);
	}
}

/* Questions that come often lose nothing of what is earned. */
static void test_often(void **state)
{
	struct budget b = a_tenth();
	int64_t now = 1000 * SEC;

	(void) state;
	assert_true(budget_has(&b, now));
	budget_spend(&b, 2 * SEC);
	for (int i = 0; i < 1000000; i++)
		(void) budget_has(&b, now += 19);
	assert_int_equal(b.left, -SEC + 19 * 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saved),
		cmocka_unit_test(test_overspent),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_often),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
