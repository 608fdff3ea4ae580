/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test request.c - how much a pod set asks for
 */
#include "nomination/request.h"
#include "quota/books.h"
#include "world.h"

static void test_scale(void **state)
{
	struct request request = { .amount = 10 };
	struct podset_desc ps = { .count = 3, .requests = &request };

	(void) state;
	assert_int_equal(request_least(&ps, 0, 3), 10);
	assert_int_equal(request_least(&ps, 0, 2), 6);	/* (10 / 3) * 2 */
	assert_int_equal(request_least(&ps, 0, 1), 3);
	assert_int_equal(request_least(&ps, 0, 0), 0);
	ps.count = 1;
	request.amount = INT64_MAX / 2;
	assert_int_equal(request_least(&ps, 0, 3), INT64_MAX);
}

static void test_by_flavor(void **state)
{
	const int64_t by_flavor[] = { 4, 8 };
	struct request request = { .amount = 4 };
	struct podset_desc ps = { .count = 2, .requests = &request,
				  .by_flavor = by_flavor };
	struct books books = { .nflavors = 2 };
	struct engine e = { .books = &books };

	(void) state;
	assert_int_equal(request_in(&e, &ps, 0, 1, 2), 8);
	assert_int_equal(request_in(&e, &ps, 0, 1, 1), 4);
	assert_int_equal(request_least(&ps, 0, 2), 4);
	ps.by_flavor = NULL;
	assert_int_equal(request_in(&e, &ps, 0, 1, 2), 4);
}

static void test_least_count(void **state)
{
	struct podset_desc ps = { .count = 5, .min_count = 2 };
	struct engine e = { .no_partial = false };

	(void) state;
	assert_int_equal(request_least_count(&e, &ps), 2);
	e.no_partial = true;
	assert_int_equal(request_least_count(&e, &ps), 5);
	e.no_partial = false;
	ps.min_count = 0;
	assert_int_equal(request_least_count(&e, &ps), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_by_flavor),
		cmocka_unit_test(test_least_count),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
