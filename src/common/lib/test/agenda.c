/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test agenda.c - appointments, by time
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/agenda.h"

#define MANY 1000

static void add(struct agenda *agenda, int64_t at, int kind)
{
	struct appointment a = { .at = at, .kind = kind };

	assert_int_equal(agenda_add(agenda, &a), 0);
}

static void test_empty(void **state)
{
	struct agenda agenda = { 0 };

	(void) state;
	assert_null(agenda_first(&agenda));
	agenda_free(&agenda);
}

/* By time; those of the same time as they were added, also with others
 * between */
static void test_order(void **state)
{
	struct agenda agenda = { 0 };
	int64_t last = -1;
	int kind = -1;

	(void) state;
	for (int i = 0; i < MANY; i++)
		add(&agenda, i * 7919 % 100, i);
	for (int i = 0; i < MANY; i++) {
		int64_t first = agenda_first(&agenda)->at;
		struct appointment a = agenda_take(&agenda);

		assert_int_equal(a.at, first);
		assert_true(a.at > last || (a.at == last && a.kind > kind));
		last = a.at;
		kind = a.kind;
	}
	assert_null(agenda_first(&agenda));
	agenda_free(&agenda);
}

static void test_between(void **state)
{
	struct agenda agenda = { 0 };

	(void) state;
	add(&agenda, 5, 1);
	add(&agenda, 3, 2);
	assert_int_equal(agenda_take(&agenda).kind, 2);
	add(&agenda, 4, 3);
	add(&agenda, 5, 4);
	assert_int_equal(agenda_take(&agenda).kind, 3);
	assert_int_equal(agenda_take(&agenda).kind, 1);
	assert_int_equal(agenda_take(&agenda).kind, 4);
	agenda_free(&agenda);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_between),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
