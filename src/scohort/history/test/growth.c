/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test growth.c - by how much a counter has grown since the last reading
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history/growth.h"

#define SUM COUNTED_SUM
#define EVENT COUNTED_EVENT

static void test_epochs(void **state)
{
	(void) state;
	assert_int_equal(epoch_of(100, 100, 100), EPOCH_SAME);
	assert_int_equal(epoch_of(100, 100, 101), EPOCH_NEW);
	assert_int_equal(epoch_of(100, 100, 99), EPOCH_OLD);
	/* it went back, stays there, goes on to one between, and to the right one */
	assert_int_equal(epoch_of(80, 100, 80), EPOCH_SAME);
	assert_int_equal(epoch_of(80, 100, 90), EPOCH_OLD);
	assert_int_equal(epoch_of(80, 100, 100), EPOCH_OLD);
	assert_int_equal(epoch_of(80, 100, 101), EPOCH_NEW);
}

static void test_growth(void **state)
{
	static const struct {
		struct counter c;
		int64_t value, growth;
	} cases[] = {
		/* what was before the first reading is not known */
		{ { SUM, true, EPOCH_FIRST, false, 0 }, 70, 0 },
		/* a new queue has begun at zero */
		{ { SUM, true, EPOCH_SAME, false, 0 }, 70, 70 },
		{ { SUM, false, EPOCH_SAME, true, 70 }, 100, 30 },
		{ { SUM, false, EPOCH_SAME, true, 70 }, 70, 0 },
		/* after a crash: as it was saved */
		{ { SUM, false, EPOCH_SAME, true, 70 }, 60, 0 },
		/* the queue was gone, and has begun anew, or was kept */
		{ { SUM, true, EPOCH_SAME, true, 70 }, 60, 60 },
		{ { EVENT, true, EPOCH_SAME, true, 70 }, 70, 0 },
		{ { SUM, true, EPOCH_SAME, true, 70 }, 75, 5 },
		/* the state was lost: a sum is all new, a count may be kept */
		{ { SUM, false, EPOCH_NEW, true, 70 }, 100, 100 },
		{ { SUM, false, EPOCH_NEW, true, 70 }, 5, 5 },
		{ { COUNTED_LOAN, false, EPOCH_NEW, true, 70 }, 100, 100 },
		{ { EVENT, false, EPOCH_NEW, true, 70 }, 100, 30 },
		{ { EVENT, false, EPOCH_NEW, true, 70 }, 5, 5 },
		{ { COUNTED_LOST, false, EPOCH_NEW, true, 70 }, 70, 0 },
		{ { EVENT, false, EPOCH_NEW, false, 0 }, 3, 3 },
		/* an older state was put back: it was counted already */
		{ { SUM, false, EPOCH_OLD, true, 70 }, 100, 0 },
		{ { EVENT, true, EPOCH_OLD, true, 70 }, 5, 0 },
		{ { EVENT, true, EPOCH_OLD, false, 0 }, 5, 0 },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(growth_of(&cases[i].c, cases[i].value),
				 cases[i].growth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epochs),
		cmocka_unit_test(test_growth),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
