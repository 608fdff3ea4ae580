/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test growth.c - by how much a counter has grown since the last reading
 */
#include "history/reading.h"
#include "test/outside.h"

#define SUM COUNTED_SUM
#define EVENT COUNTED_EVENT

static void test_epochs(void **state)
{
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

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(growth_of(&cases[i].c, cases[i].value), cases[i].growth);
}

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

static void spread(int64_t begin, int64_t end, int64_t gap_begin, int64_t gap_end,
		   enum span_by level, int64_t oldest, int64_t amount)
{
	const struct stretch s = { begin, end, gap_begin, gap_end };

	got.n = 0;
	got.sum = 0;
	stretch_spread(&s, level, oldest, amount, put, NULL);
}

static void test_no_time(void **state)
{
	spread(7230, 7230, 0, 0, SPAN_HOUR, 0, 17);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.slots[0], 7200);
	assert_int_equal(got.parts[0], 17);
	spread(7230, 7230, 0, 0, SPAN_HOUR, 7201, 17);
	assert_int_equal(got.n, 0);
}

static void test_parts_add_up(void **state)
{
	/* a quarter of an hour, an hour, half an hour */
	spread(2700, 9000, 0, 0, SPAN_HOUR, 0, 70);
	assert_int_equal(got.n, 3);
	assert_int_equal(got.parts[0], 10);
	assert_int_equal(got.parts[1], 40);
	assert_int_equal(got.parts[2], 20);
	for (int64_t amount = 1; amount < 50; amount++) {
		spread(59, 59 + 60 * 33 + 7, 0, 0, SPAN_MINUTE, 0, amount);
		assert_int_equal(got.sum, amount);
	}
	spread(0, 3 * 3600, 0, 0, SPAN_HOUR, 0, INT64_MAX);
	assert_true(got.sum == INT64_MAX);
	assert_int_equal(got.n, 3);
}

static void test_gap(void **state)
{
	static const struct {
		int64_t begin, end, gap_begin, gap_end;
		size_t n;
		int64_t first, last;	/* slots */
		int64_t end_known;	/* the last second */
	} cases[] = {
		/* 0:00 to 4:00 without 1:00 to 3:00 */
		{ 0, 14400, 3600, 10800, 2, 0, 10800, 14399 },
		/* one that begins before, one that ends later, one that has it all */
		{ 3600, 14400, 0, 7200, 2, 7200, 10800, 14399 },
		{ 0, 7200, 3600, 90000, 1, 0, 0, 3599 },
		{ 3600, 7200, 0, 90000, 1, 7200, 7200, 7200 },
		/* one that is elsewhere, one of a year */
		{ 3600, 7200, 100, 200, 1, 3600, 3600, 7199 },
		{ 0, 31539600, 3600, 31536000, 2, 0, 31536000, 31539599 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct stretch s = { cases[i].begin, cases[i].end,
					   cases[i].gap_begin, cases[i].gap_end };

		spread(s.begin, s.end, s.gap_begin, s.gap_end, SPAN_HOUR, 0, 10);
		assert_int_equal(got.n, cases[i].n);
		assert_int_equal(got.sum, 10);
		assert_int_equal(got.slots[0], cases[i].first);
		assert_int_equal(got.slots[got.n - 1], cases[i].last);
		assert_int_equal(stretch_last(&s), cases[i].end_known);
	}
}

static void test_old_slots_are_left_out(void **state)
{
	spread(0, 4 * 3600, 0, 0, SPAN_HOUR, 7200, 8);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.sum, 4);
	assert_int_equal(got.slots[0], 7200);
}

/* Days have 23 and 25 hours where clocks change, hours begin at half past elsewhere */
static void test_zones(void **state)
{
	const int64_t spring = 1774652400;	/* 2026-03-28 0:00 in Berlin */
	const int64_t autumn = 1792879200;	/* 2026-10-25 0:00 */

	zone_set("Europe/Berlin");
	spread(spring, spring + 47 * 3600, 0, 0, SPAN_DAY, 0, 47);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.parts[0], 24);
	assert_int_equal(got.parts[1], 23);
	spread(autumn, autumn + 26 * 3600, 0, 0, SPAN_DAY, 0, 26);
	assert_int_equal(got.n, 2);
	assert_int_equal(got.parts[0], 25);
	spread(autumn, autumn + 26 * 3600, 0, 0, SPAN_HOUR, 0, 26);
	assert_int_equal(got.n, 26);
	zone_set("Asia/Kolkata");
	assert_int_equal(span_begin(SPAN_HOUR, 1800 + 59), 1800);
	assert_int_equal(span_begin(SPAN_HOUR, 1800 - 1), -1800);
	assert_int_equal(span_begin(SPAN_DAY, 100000), 86400 - 19800);
	zone_set("UTC");
}

TESTS_WITH(tests_in_utc, NULL, cmocka_unit_test(test_epochs), cmocka_unit_test(test_growth),
	   cmocka_unit_test(test_no_time), cmocka_unit_test(test_parts_add_up),
	   cmocka_unit_test(test_gap), cmocka_unit_test(test_old_slots_are_left_out),
	   cmocka_unit_test(test_zones))
