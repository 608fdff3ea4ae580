/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test span.c - times as sreport reads them, and how a report divides them
 */
#include "report/span.h"
#include "test/outside.h"

#define NOW 1795441530		/* 2026-11-23 (a Monday) 13:45:30 UTC */
#define TODAY (NOW - 49530)
#define DAY 86400

static void test_no_times(void **state)
{
	static const char *const bad[] = {
		"", "x", "2026", "2026-13-01", "2026-02-30", "2026-11-23T",
		"2026-11-23T25:00", "now-", "now-x", "now-3fortnights",
		"now-99999999999", "now 3", "11/31", "1332", "25:00", "13:00 PM",
		"2026-11-23 12:00", "todays",
		/* more than a long has room for */
		"now-99999999999999999999", "now+99999999999999999999",
		"now-9223372036854775808days",
	};
	int64_t at = 42;

	for (size_t i = 0; i < COUNT(bad); i++) {
		if (span_time(bad[i], NOW, &at))
			fail_msg("\"%s\" is %lld", bad[i], (long long) at);
	}
}

static void test_times(void **state)
{
	static const struct {
		const char *text;
		int64_t at;
	} cases[] = {
		{ "now", NOW }, { "now-90", NOW - 90 },
		{ "now-2days", NOW - 2 * DAY }, { "NOW+1week", NOW + 7 * DAY },
		{ "now-1hour", NOW - 3600 }, { "now-3Hours", NOW - 10800 },
		{ "now-5minutes", NOW - 300 }, { "now-5seconds", NOW - 5 },
		{ "today", TODAY }, { "midnight", TODAY },
		{ "noon", TODAY + DAY / 2 }, { "yesterday", TODAY - DAY },
		{ "tomorrow", TODAY + DAY },
		{ "2026-11-22", TODAY - DAY },
		{ "2026-11-22T01:02", TODAY - DAY + 3720 },
		{ "2026-11-22T01:02:03", TODAY - DAY + 3723 },
		{ "11/22", TODAY - DAY }, { "11/22/26", TODAY - DAY },
		{ "11.22", TODAY - DAY }, { "11.22.26", TODAY - DAY },
		{ "1122", TODAY - DAY }, { "112226", TODAY - DAY },
		{ "11/22/26-01:02:03", TODAY - DAY + 3723 },
		{ "11/22-01:02", TODAY - DAY + 3720 },
		{ "01:02", TODAY + 3720 }, { "13:02:03", TODAY + 46923 },
		{ "01:02 PM", TODAY + 46920 }, { "1:02AM", TODAY + 3720 },
		{ "12:00 AM", TODAY },
	};
	int64_t at;

	for (size_t i = 0; i < COUNT(cases); i++) {
		at = 0;
		if (!span_time(cases[i].text, NOW, &at) || at != cases[i].at)
			fail_msg("\"%s\" is %lld, not %lld", cases[i].text,
				 (long long) at, (long long) cases[i].at);
	}
}

static void test_rounded(void **state)
{
	assert_int_equal(span_round(TODAY + 1799), TODAY);
	assert_int_equal(span_round(TODAY + 1800), TODAY + 3600);
	assert_int_equal(span_round(TODAY), TODAY);
}

static void test_periods(void **state)
{
	char name[64];
	enum span_by by;

	assert_true(span_by_name("week", &by) && by == SPAN_WEEK);
	assert_false(span_by_name("year", &by));
	assert_false(span_by_name("", &by));
	assert_int_equal(span_begin(SPAN_HOUR, NOW), TODAY + 13 * 3600);
	assert_int_equal(span_begin(SPAN_DAY, NOW), TODAY);
	assert_int_equal(span_begin(SPAN_WEEK, NOW), TODAY);
	assert_int_equal(span_begin(SPAN_WEEK, TODAY - 1), TODAY - 7 * DAY);
	assert_int_equal(span_begin(SPAN_MONTH, NOW), TODAY - 22 * DAY);
	assert_int_equal(span_next(SPAN_MONTH, TODAY - 22 * DAY), TODAY + 8 * DAY);
	assert_int_equal(span_next(SPAN_WEEK, TODAY), TODAY + 7 * DAY);
	assert_true(span_next(SPAN_WHOLE, span_begin(SPAN_WHOLE, NOW)) > NOW);
	span_name(SPAN_HOUR, TODAY + 3600, name, sizeof(name));
	assert_string_equal(name, "2026-11-23T01:00");
	span_name(SPAN_WEEK, TODAY, name, sizeof(name));
	assert_string_equal(name, "2026-11-23");
	span_name(SPAN_MONTH, TODAY, name, sizeof(name));
	assert_string_equal(name, "2026-11");
}

/* All periods of three years follow each other. */
static void test_periods_follow(void **state)
{
	static const char *const zones[] = {
		"UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata",
	};

	for (size_t z = 0; z < COUNT(zones); z++) {
		zone_set(zones[z]);
		for (int by = SPAN_HOUR; by <= SPAN_MONTH; by++) {
			int64_t at = span_begin((enum span_by) by, NOW);

			for (int i = 0; i < 36; i++) {
				int64_t next = span_next((enum span_by) by, at);

				assert_true(next > at);
				assert_int_equal(span_begin((enum span_by) by, next), next);
				assert_int_equal(span_begin((enum span_by) by, next - 1), at);
				at = next;
			}
		}
	}
	zone_set("UTC");
}

TESTS_WITH(tests_in_utc, NULL, cmocka_unit_test(test_no_times), cmocka_unit_test(test_times),
	   cmocka_unit_test(test_rounded), cmocka_unit_test(test_periods),
	   cmocka_unit_test(test_periods_follow))
