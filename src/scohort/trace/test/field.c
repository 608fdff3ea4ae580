/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test field.c - the texts of a trace's fields
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/trace.h"

static void split(void **state)
{
	static const struct {
		const char *line;
		char separator;
		int n;
		const char *want;	/* fields, each in brackets */
	} of[] = {
		{ "", ',', 1, "[]" },
		{ "a", ',', 1, "[a]" },
		{ "a,b,", ',', 3, "[a][b][]" },
		{ ",,", ',', 3, "[][][]" },
		{ "a,\"b,c\",d", ',', 3, "[a][b,c][d]" },
		{ "\"say \"\"so\"\"\",x", ',', 2, "[say \"so\"][x]" },
		{ "\"\",x", ',', 2, "[][x]" },
		{ "a|\"b|c", '|', 3, "[a][\"b][c]" },
		{ "a,b|c", '|', 2, "[a,b][c]" },
		{ "a,\"b", ',', -1, "" },
		{ "\"", ',', TRACE_UNCLOSED, "" },
		{ "\"a\"b,c", ',', TRACE_BEHIND, "" },
		{ "\"a\" ,c", ',', TRACE_BEHIND, "" },
		{ "", ' ', 0, "" },
		{ "  1\t 2 3  ", ' ', 3, "[1][2][3]" },
		{ "1 2 3 4 5", ' ', 5, "[1][2][3][4]" },
		{ "1,2,3,4,5", ',', 5, "[1][2][3][4]" },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		char line[64], *fields[4], got[128] = "";
		int n;

		strcpy(line, of[i].line);
		n = trace_split(line, of[i].separator, fields, 4);
		assert_int_equal(n, of[i].n);
		for (int j = 0; j < n && j < 4; j++)
			sprintf(got + strlen(got), "[%s]", fields[j]);
		assert_string_equal(got, of[i].want);
	}
}

static void spans(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;	/* -1: refused */
	} of[] = {
		{ "", -1 }, { "-1", -1 }, { "x", -1 }, { "1.", -1 }, { ".5", -1 },
		{ "1e3", -1 }, { "1000000001", -1 }, { "1.5.5", -1 },
		{ "99999999999999999999999", -1 },
		{ "2.000", 2 }, { "1.9999999999", 2 },
		{ "0", 0 }, { "90", 90 }, { "1:30", 90 }, { "1:00:00", 3600 },
		{ "2-00:00:00", 172800 }, { "30s", 30 }, { "4h", 14400 },
	};
	int64_t ns;

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		int rc = trace_span(of[i].text, SPEC_SEC, &ns);

		assert_int_equal(rc, of[i].seconds < 0 ? -1 : 0);
		if (!rc)
			assert_int_equal(ns, of[i].seconds * SPEC_SEC);
	}
}

static void units(void **state)
{
	int64_t ns;

	(void) state;
	assert_int_equal(trace_span("90", 60 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 5400 * SPEC_SEC);
	assert_int_equal(trace_span("1.5", 3600 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 5400 * SPEC_SEC);
	/* what has a unit or a colon does not need another */
	assert_int_equal(trace_span("90s", 3600 * SPEC_SEC, &ns), 0);
	assert_int_equal(ns, 90 * SPEC_SEC);
}

static void dates(void **state)
{
	int64_t ns;

	(void) state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	assert_int_equal(trace_date("2026-11-21T14:05:11", &ns), 0);
	assert_int_equal(ns, INT64_C(1795269911) * SPEC_SEC);
	assert_int_equal(trace_date("2026-11-21", &ns), -1);
	assert_int_equal(trace_date("2026-11-21T14:05:11Z", &ns), 0);
	assert_int_equal(trace_date("2026-11-21 14:05:11.250", &ns), 0);
	assert_int_equal(ns, INT64_C(1795269911) * SPEC_SEC);
	assert_int_equal(trace_date("1795269911", &ns), 0);
	assert_int_equal(ns, INT64_C(1795269911) * SPEC_SEC);
	assert_int_equal(trace_date("1795269911.5", &ns), 0);
	assert_int_equal(trace_date("2026-11-21T14:05:11Zulu", &ns), -1);
	assert_int_equal(trace_date("2026-11-21T14:05:11.", &ns), -1);
	assert_int_equal(trace_date("2026-02-30T00:00:00", &ns), -1);
	assert_int_equal(trace_date("1795269911000", &ns), -1);
	assert_int_equal(trace_date("179526991", &ns), -1);
	assert_int_equal(trace_date("Unknown", &ns), -1);
	/* more than ns since the epoch can hold */
	assert_int_equal(trace_date("8983-11-21T14:05:11", &ns), -1);
	assert_int_equal(trace_date("2100-01-01T00:00:00", &ns), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split),
		cmocka_unit_test(spans),
		cmocka_unit_test(units),
		cmocka_unit_test(dates),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
