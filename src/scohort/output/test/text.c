/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test text.c - numbers, amounts and times as people read them
 */
#include "output/text.h"
#include "test/outside.h"

static char buf[TEXT_SIZE];

static void test_numbers_refused(void **state)
{
	static const char *const bad[] = {
		"", "-1", "+1", " 1", "1 ", "1x", "x", "0x10", "99999999999999999999",
	};
	int64_t n = 42;

	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(text_number(bad[i], &n));
	assert_int_equal(n, 42);
	assert_true(text_number("0012", &n));
	assert_int_equal(n, 12);
}

static void test_amounts(void **state)
{
	static const struct {
		const char *resource;
		int64_t amount;
		const char *text;
	} cases[] = {
		{ "cpu", 4096, "4096" },  { "gres/gpu", 0, "0" },   { "mem", 0, "0" },
		{ "mem", 1, "1M" },	  { "mem", 4000, "4000M" }, { "mem", 1024, "1G" },
		{ "mem", 1536, "1.5G" },  { "mem", 1280, "1.25G" }, { "mem", 524288, "512G" },
		{ "mem", 2097152, "2T" }, { "mem", -2048, "-2G" },  { "mem", 1025, "1025M" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(text_amount(buf, sizeof(buf), cases[i].resource,
						cases[i].amount),
				    cases[i].text);
	assert_string_equal(text_amount_of(buf, sizeof(buf), "gres/gpu", 16), "16 gres/gpu");
	assert_string_equal(text_amount_of(buf, sizeof(buf), "mem", 65536), "64G of mem");
}

static void test_durations(void **state)
{
	static const struct {
		int64_t seconds;
		const char *text;
	} cases[] = {
		{ -5, "0:00" },	   { 0, "0:00" },	 { 52, "0:52" },	   { 60, "1:00" },
		{ 3599, "59:59" }, { 12011, "3:20:11" }, { 187200, "2-04:00:00" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(text_duration(buf, sizeof(buf), cases[i].seconds),
				    cases[i].text);
}

static void test_times(void **state)
{
	zone_set("UTC");
	assert_string_equal(text_time(buf, sizeof(buf), 0, 100), "unknown");
	assert_string_equal(text_time(buf, sizeof(buf), 50711, 100), "14:05:11");
	assert_string_equal(text_time(buf, sizeof(buf), 86400, 100), "1970-01-02T00:00:00");
	assert_string_equal(text_date(buf, sizeof(buf), 50711), "1970-01-01T14:05:11");
}

static void test_ordinals(void **state)
{
	static const struct {
		int64_t n;
		const char *text;
	} cases[] = {
		{ 1, "1st" }, { 2, "2nd" }, { 3, "3rd" }, { 4, "4th" },
		{ 10, "10th" }, { 11, "11th" }, { 12, "12th" }, { 13, "13th" },
		{ 21, "21st" }, { 101, "101st" }, { 111, "111th" },
		{ 0, "0th" }, { -2, "-2th" }, { INT64_MIN, "-9223372036854775808th" },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(text_ordinal(buf, sizeof(buf), cases[i].n), cases[i].text);
}

static void test_columns_are_characters(void **state)
{
	const char *text = "gr\xc3\xb6\xc3\x9f" "er";

	assert_int_equal(text_columns(text, strlen(text)), 6);
	assert_int_equal(text_bytes(text, 3), 4);
	assert_int_equal(text_bytes(text, 9), strlen(text));
}

static void test_dates_read(void **state)
{
	static const char *const wrong[] = {
		"", "Unknown", "2026-11-21", "2026-11-21 14:05:11",
		"2026-13-21T14:05:11", "2026-11-21T14:05:11Z",
	};
	const int64_t times[] = { 1, 1795269911, 1774742400 };
	char text[TEXT_SIZE];
	int64_t when;

	for (size_t i = 0; i < COUNT(times); i++) {
		text_date(text, sizeof(text), times[i]);
		assert_true(text_date_read(text, &when));
		assert_int_equal(when, times[i]);
	}
	for (size_t i = 0; i < COUNT(wrong); i++) {
		when = 7;
		assert_false(text_date_read(wrong[i], &when));
		assert_int_equal(when, 7);
	}
}

static void test_sanitize(void **state)
{
	char text[] = "a\033[31m\nb\177";

	text_sanitize(text);
	assert_string_equal(text, "a?[31m?b?");
}

/* C1 controls and bytes that are no character count as control characters */
static void test_sanitize_utf8(void **state)
{
	char text[] = "gr\xc3\xb6\xc3\x9f" "er \xc2\x9b" "31m \xff\xc3";

	text_sanitize(text);
	assert_string_equal(text, "gr\xc3\xb6\xc3\x9f" "er ?31m ??");
}

TESTS(cmocka_unit_test(test_numbers_refused), cmocka_unit_test(test_amounts),
      cmocka_unit_test(test_durations), cmocka_unit_test(test_times),
      cmocka_unit_test(test_ordinals), cmocka_unit_test(test_columns_are_characters),
      cmocka_unit_test(test_dates_read), cmocka_unit_test(test_sanitize),
      cmocka_unit_test(test_sanitize_utf8))
