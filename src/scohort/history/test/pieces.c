/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test pieces.c - an amount is spread over the time between two readings
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "history/pieces.h"

#define MAX 100

static struct {
	int64_t slots[MAX], parts[MAX], sum;
	size_t n;
} got;

static void put(void *arg, int64_t slot, int64_t part)
{
	(void) arg;
	assert_true(got.n < MAX);
	got.slots[got.n] = slot;
	got.parts[got.n++] = part;
	got.sum += part;
}

static void spread(int64_t begin, int64_t end, struct piece gap,
		   enum db_level level, int64_t oldest, int64_t amount)
{
	struct pieces p;

	got.n = 0;
	got.sum = 0;
	pieces_make(&p, begin, end, &gap);
	pieces_spread(&p, level, oldest, amount, put, NULL);
}

static const struct piece no_gap = { 0, 0 };

static void zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static void test_no_time(void **state)
{
	(void) state;
	spread(7230, 7230, no_gap, DB_HOUR, 0, 17);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.slots[0], 7200);
	assert_int_equal(got.parts[0], 17);
	spread(7230, 7230, no_gap, DB_HOUR, 7201, 17);
	assert_int_equal(got.n, 0);
}

static void test_parts_add_up(void **state)
{
	(void) state;
	/* a quarter of an hour, an hour, half an hour */
	spread(2700, 9000, no_gap, DB_HOUR, 0, 70);
	assert_int_equal(got.n, 3);
	assert_int_equal(got.parts[0], 10);
	assert_int_equal(got.parts[1], 40);
	assert_int_equal(got.parts[2], 20);
	for (int64_t amount = 1; amount < 50; amount++) {
		spread(59, 59 + 60 * 33 + 7, no_gap, DB_MINUTE, 0, amount);
		assert_int_equal(got.sum, amount);
	}
	spread(0, 3 * 3600, no_gap, DB_HOUR, 0, INT64_MAX);
	assert_true(got.sum == INT64_MAX);
	assert_int_equal(got.n, 3);
}

static void test_gap(void **state)
{
	(void) state;
	/* 0:00 to 4:00 without 1:00 to 3:00 */
	spread(0, 14400, (struct piece) { 3600, 10800 }, DB_HOUR, 0, 10);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.slots[1], 10800);
	assert_int_equal(got.parts[0], 5);
	assert_int_equal(got.parts[1], 5);
	/* one that begins before, one that ends later, one that has it all */
	spread(3600, 14400, (struct piece) { 0, 7200 }, DB_HOUR, 0, 10);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.slots[0], 7200);
	spread(0, 7200, (struct piece) { 3600, 90000 }, DB_HOUR, 0, 10);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.slots[0], 0);
	spread(3600, 7200, (struct piece) { 0, 90000 }, DB_HOUR, 0, 10);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.sum, 10);
	/* one that is elsewhere */
	spread(3600, 7200, (struct piece) { 100, 200 }, DB_HOUR, 0, 10);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.slots[0], 3600);
}

static void test_old_slots_are_left_out(void **state)
{
	(void) state;
	spread(0, 4 * 3600, no_gap, DB_HOUR, 7200, 8);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.sum, 4);
	assert_int_equal(got.slots[0], 7200);
}

/* Days have 23 and 25 hours where clocks change, hours begin at half past elsewhere */
static void test_zones(void **state)
{
	const int64_t spring = 1774652400;	/* 2026-03-28 0:00 in Berlin */
	const int64_t autumn = 1792879200;	/* 2026-10-25 0:00 */

	(void) state;
	zone("Europe/Berlin");
	spread(spring, spring + 47 * 3600, no_gap, DB_DAY, 0, 47);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.parts[0], 24);
	assert_int_equal(got.parts[1], 23);
	spread(autumn, autumn + 26 * 3600, no_gap, DB_DAY, 0, 26);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.parts[0], 25);
	spread(autumn, autumn + 26 * 3600, no_gap, DB_HOUR, 0, 26);
	assert_int_equal(got.n, 26);
	zone("Asia/Kolkata");
	assert_int_equal(db_slot(DB_HOUR, 1800 + 59), 1800);
	assert_int_equal(db_slot(DB_HOUR, 1800 - 1), -1800);
	assert_int_equal(db_slot(DB_DAY, 100000), 86400 - 19800);
	zone("UTC");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_parts_add_up),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_old_slots_are_left_out),
		cmocka_unit_test(test_zones),
	};

	zone("UTC");
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
