/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test range.c - what is asked of the past, wrong ones first; how many steps that is
 */
#include "past/past.h"
#include "test/outside.h"

#define HOUR 3600
#define DAY 86400
#define NOW 1795444496		/* 2026-11-23T14:34:56 UTC */

static void test_wrong(void **state)
{
	static const struct {
		const char *name, *from, *to, *says;
	} cases[] = {
		{ "decade", "", "", "The time is none of" },
		{ "Hour", "", "", "The time is none of" },
		{ "<script>", NULL, NULL, "The time is none of" },
		{ "span", "", "", "The begin is no time" },
		{ "span", NULL, "today", "The begin is no time" },
		{ "", "x", "", "The begin is no time" },
		{ "", "yesterday", "nonsense", "The end is no time" },
		{ "", "2026-11-23", "2026-11-22", "The begin is later" },
		{ "", "tomorrow", "", "The begin is later" },
		{ "span", "1900-01-01", "2026-11-22", "More than 80 years" },
		{ "", "now-10000000weeks", "", "Such a time is too far" },
		{ "", "today", "now+10000000weeks", "Such a time is too far" },
	};
	enum range_kind kind;
	struct range r;

	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *says = range_read(&r, &kind, cases[i].name, cases[i].from,
					      cases[i].to, NOW);

		assert_non_null(says);
		assert_memory_equal(says, cases[i].says, strlen(cases[i].says));
		assert_null(strstr(says, "<script>"));
	}
}

#define MINUTE (NOW - 56)
#define FULL_HOUR (NOW - 34 * 60 - 56)
#define TODAY (FULL_HOUR - 14 * HOUR)

static void test_ranges(void **state)
{
	static const struct {
		const char *name, *from, *to;
		int64_t start, end;
		enum span_by by;
	} cases[] = {
		{ "hour", "", "", MINUTE - HOUR, MINUTE, SPAN_MINUTE },
		{ "day", "", "", FULL_HOUR - 23 * HOUR, FULL_HOUR + HOUR, SPAN_HOUR },
		{ NULL, NULL, NULL, FULL_HOUR - 23 * HOUR, FULL_HOUR + HOUR, SPAN_HOUR },
		{ "week", "yesterday", "", FULL_HOUR + HOUR - 7 * DAY, FULL_HOUR + HOUR,
		  SPAN_HOUR },
		{ "month", "", "", TODAY - 29 * DAY, TODAY + DAY, SPAN_DAY },
		{ "span", "2026-11-23T14:00", "2026-11-23T14:30", FULL_HOUR,
		  FULL_HOUR + 1800, SPAN_MINUTE },
		{ "", "2026-11-23T14:00", "", FULL_HOUR, MINUTE + 60, SPAN_MINUTE },
		{ "", "2026-11-23T14:00", "2026-11-23T14:00", FULL_HOUR, FULL_HOUR + 60,
		  SPAN_MINUTE },
		{ "span", "2026-11-22T14:30", "2026-11-23T14:30", FULL_HOUR - DAY,
		  FULL_HOUR + HOUR, SPAN_HOUR },
		{ "span", "2025-11-23", "2026-11-23", TODAY - 365 * DAY, TODAY, SPAN_DAY },
	};
	enum range_kind kind;
	struct range r;

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_null(range_read(&r, &kind, cases[i].name, cases[i].from, cases[i].to, NOW));
		assert_int_equal(r.start, cases[i].start);
		assert_int_equal(r.end, cases[i].end);
		assert_int_equal(r.by, cases[i].by);
	}
}

/* Summer time ended on 2026-10-25: that day had 25 hours */
static void test_zone(void **state)
{
	enum range_kind kind;
	struct range r;

	zone_set("CET-1CEST,M3.5.0,M10.5.0/3");
	assert_null(range_read(&r, &kind, "month", "", "", NOW));
	assert_int_equal(r.start, span_begin(SPAN_DAY, r.start));
	assert_int_equal(r.end - r.start, 30 * DAY + HOUR);
	zone_set("UTC");
}

static void test_whole_days(void **state)
{
	enum range_kind kind;
	struct range r;

	assert_null(range_read(&r, &kind, "", "2026-11-23T14:00", "2026-11-23T14:01", NOW));
	range_to_days(&r);
	assert_int_equal(r.start, TODAY);
	assert_int_equal(r.end, TODAY + DAY);
	assert_int_equal(r.by, SPAN_DAY);
	range_to_days(&r);
	assert_int_equal(r.end - r.start, DAY);
	assert_null(range_read(&r, &kind, "", "2020-11-23T14:00", "2026-11-23T14:01", NOW));
	range_to_days(&r);
	assert_int_equal(r.start, span_begin(SPAN_DAY, r.start));
	assert_int_equal(r.end, TODAY + DAY);
	assert_int_equal(r.by, SPAN_WEEK);
}

static size_t steps_of(const struct range *r)
{
	size_t n = 0;

	for (int64_t at = r->start; at < r->end; n++)
		at = span_next(r->by, span_begin(r->by, at));
	return n;
}

static void test_steps_are_bounded(void **state)
{
	char from[64];
	enum range_kind kind;
	struct range r;

	/* up to 80 years of 366 days, in steps that grow by a tenth */
	for (int64_t ago = 60; ago < 80LL * 366 * DAY; ago += ago / 10 + 1) {
		time_t at = (time_t) (NOW - ago);

		strftime(from, sizeof(from), "%Y-%m-%dT%H:%M:%S", gmtime(&at));
		assert_null(range_read(&r, &kind, "span", from, "", NOW));
		assert_in_range(steps_of(&r), 1, RANGE_STEPS_MAX);
	}
}

static void test_coarsen(void **state)
{
	enum range_kind kind;
	struct range r;

	assert_null(range_read(&r, &kind, "hour", "", "", NOW));
	range_coarsen(&r);
	assert_int_equal(r.start, FULL_HOUR - HOUR);
	assert_int_equal(r.end, FULL_HOUR + HOUR);
	assert_int_equal(r.by, SPAN_HOUR);
	range_coarsen(&r);
	assert_int_equal(r.start, TODAY);
	assert_int_equal(r.end, TODAY + DAY);
	for (int i = 0; i < 5; i++)
		range_coarsen(&r);
	assert_int_equal(r.by, SPAN_MONTH);
	assert_int_equal(steps_of(&r), 1);
}

TESTS_WITH(tests_in_utc, NULL, cmocka_unit_test(test_wrong), cmocka_unit_test(test_ranges),
	   cmocka_unit_test(test_zone), cmocka_unit_test(test_whole_days),
	   cmocka_unit_test(test_steps_are_bounded), cmocka_unit_test(test_coarsen))
