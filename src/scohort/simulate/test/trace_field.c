/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test trace_field.c - the texts of a trace's fields
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/trace.h"

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
		{ "\"", ',', -1, "" },
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
		{ "", -1 }, { "-1", -1 }, { "x", -1 }, { "1.5", -1 },
		{ "0", 0 }, { "90", 90 }, { "1:30", 90 }, { "1:00:00", 3600 },
		{ "2-00:00:00", 172800 }, { "30s", 30 }, { "4h", 14400 },
	};
	int64_t ns;

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		int rc = trace_span(of[i].text, &ns);

		assert_int_equal(rc, of[i].seconds < 0 ? -1 : 0);
		if (!rc)
			assert_int_equal(ns, of[i].seconds * SPEC_SEC);
	}
}

static void dates(void **state)
{
	int64_t ns;

	(void) state;
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	assert_int_equal(trace_date("2026-11-21T14:05:11", &ns), 0);
	assert_int_equal(ns, INT64_C(1795269911) * SPEC_SEC);
	assert_int_equal(trace_date("2026-11-21", &ns), -1);
	assert_int_equal(trace_date("2026-11-21T14:05:11Z", &ns), -1);
	assert_int_equal(trace_date("Unknown", &ns), -1);
	/* more than ns since the epoch can hold */
	assert_int_equal(trace_date("8983-11-21T14:05:11", &ns), -1);
	assert_int_equal(trace_date("2100-01-01T00:00:00", &ns), 0);
}

static void requests(void **state)
{
	static const struct {
		const char *text;
		const char *want;	/* name=amount; or what err begins with */
		int rc;
	} of[] = {
		{ "cpu=4", "cpu=4;", 0 },
		{ "billing=4,cpu=4,gres/gpu=2,mem=16G,node=1",
		  "billing=4;cpu=4;gres/gpu=2;mem=16384;node=1;", 0 },
		{ "mem=3.50G", "mem=3584;", 0 },
		{ "mem=0.5M", "mem=1;", 0 },	/* rounded up */
		{ "mem=1.1K", "mem=1;", 0 },
		{ "mem=1.5", "mem: \"1.5\"", -1 },
		{ "mem=1.5X", "mem: \"1.5X\"", -1 },
		{ "mem=99999999.5P", "mem: \"99999999.5P\"", -1 },
		{ "cpu=1.5K", "cpu: \"1.5K\"", -1 },
		{ "cpu", "\"cpu\" is not", -1 },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct trace_amount *list = NULL;
		char got[256] = "", err[256];
		size_t n = 0;

		assert_int_equal(trace_request(of[i].text, &list, &n, err,
					       sizeof(err)), of[i].rc);
		for (size_t j = 0; !of[i].rc && j < n; j++)
			sprintf(got + strlen(got), "%s=%lld;",
				list[j].resource, (long long) list[j].amount);
		if (of[i].rc)
			assert_int_equal(strncmp(err, of[i].want,
						 strlen(of[i].want)), 0);
		else
			assert_string_equal(got, of[i].want);
		free(list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split),
		cmocka_unit_test(spans),
		cmocka_unit_test(dates),
		cmocka_unit_test(requests),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
