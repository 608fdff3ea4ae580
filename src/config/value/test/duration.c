/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test duration.c - Slurm's time formats and numbers with units
 */
#include "parse.h"
#include "value/times.h"

static const struct {
	const char *text;
	const char *err;
} wrong[] = {
	{ "", "is empty, not a time" OF_TIME },
	{ "-1", "is negative" OF_TIME },
	{ "-5m", "is negative" OF_TIME },
	{ "soon", "is not a time" OF_TIME },
	{ "UNLIMITED", "is not a time" OF_TIME },
	{ "5 m", "is not a time" OF_TIME },
	{ "1.5h", "is not a time" OF_TIME },
	{ "5min", "is not a time" OF_TIME },
	{ "10w", "is not a time" OF_TIME },
	{ "30m1h", "is not a time" OF_TIME },
	{ "1h1h", "is not a time" OF_TIME },
	{ "1h30", "is not a time" OF_TIME },
	{ "h", "is not a time" OF_TIME },
	{ "1:2:3:4", "is not a time" OF_TIME },
	{ "1:", "is not a time" OF_TIME },
	{ ":1", "is not a time" OF_TIME },
	{ "1::2", "is not a time" OF_TIME },
	{ "2-", "is not a time" OF_TIME },
	{ "1-2-3", "is not a time" OF_TIME },
	{ "1-2:3:4:5", "is not a time" OF_TIME },
	{ "+5", "is not a time" OF_TIME },
	{ "0x10", "is not a time" OF_TIME },
	{ "3651d", "is over the maximum of 3650d" },
	{ "3650d1s", "is over the maximum of 3650d" },
	{ "3651-0", "is over the maximum of 3650d" },
	{ "99999999999999999999", "is over the maximum of 3650d" },
	{ "99999999999999999999h", "is over the maximum of 3650d" },
	{ "1:99999999999999999999:0", "is over the maximum of 3650d" },
};

static const struct {
	const char *text;
	int64_t seconds;
} right[] = {
	{ "0", 0 },
	{ "0s", 0 },
	{ "00:00:00", 0 },
	{ "30", 1800 },			/* minutes */
	{ "4:30", 270 },		/* minutes:seconds */
	{ "4:00:00", 14400 },
	{ "1:75:61", 8161 },
	{ "2-12", 216000 },
	{ "2-12:30", 217800 },
	{ "2-12:30:15", 217815 },
	{ "0-0", 0 },
	{ "90s", 90 },
	{ "10m", 600 },
	{ "4h", 14400 },
	{ "2d", 172800 },
	{ "1h30m", 5400 },
	{ "1d2h3m4s", 93784 },
	{ "1d4s", 86404 },
	{ "3650d", 315360000 },
};

static const struct {
	int64_t seconds;
	const char *text;
} formats[] = {
	{ 0, "0s" }, { 1, "1s" }, { 60, "60s" }, { 90, "90s" },
	{ 300, "5m" }, { 3600, "1h" }, { 5400, "90m" }, { 86400, "1d" },
	{ 90000, "25h" },
};

static void test_wrong(void **state)
{
	char err[160];
	int64_t ns = 42;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(duration_parse(wrong[i].text, &ns, err, sizeof(err)), -1);
		assert_string_equal(err, wrong[i].err);
		assert_int_equal(ns, 42);
	}
}

static void test_right(void **state)
{
	char err[160];
	int64_t ns;

	for (size_t i = 0; i < COUNT(right); i++) {
		assert_int_equal(duration_parse(right[i].text, &ns, err, sizeof(err)), 0);
		assert_int_equal(ns, right[i].seconds * SPEC_SEC);
	}
}

static void test_format(void **state)
{
	char buf[32];

	for (size_t i = 0; i < COUNT(formats); i++) {
		duration_format(formats[i].seconds * SPEC_SEC, buf, sizeof(buf));
		assert_string_equal(buf, formats[i].text);
	}
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_right), cmocka_unit_test(test_format))
