/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test names.c - texts and requests that many jobs share
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/names.h"

static void texts(void **state)
{
	struct trace_names names = { 0 };
	char text[] = "alice";
	const char *alice = trace_name(&names, text);

	(void) state;
	text[0] = 'A';
	assert_string_equal(alice, "alice");
	assert_ptr_equal(trace_name(&names, "alice"), alice);
	assert_ptr_not_equal(trace_name(&names, text), alice);
	assert_string_equal(trace_name(&names, ""), "");
	trace_names_free(&names);
}

static void labels(void **state)
{
	struct trace_names names = { 0 };

	(void) state;
	assert_null(trace_labelled(&names, "queue 1"));
	trace_label(&names, "queue 1", "night shift", 5);
	assert_string_equal(trace_labelled(&names, "queue 1"), "night");
	assert_null(trace_labelled(&names, "queue 11"));
	trace_label(&names, "queue 1", "day", 3);
	assert_string_equal(trace_labelled(&names, "queue 1"), "day");
	trace_names_free(&names);
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
		{ "", "is empty", -1 },
		{ "gpu=1", "\"gpu\" is not a resource (gres/gpu would", -1 },
		{ "cpu=1,gpus=1", "\"gpus\" is not a resource (gres/gpu", -1 },
		{ "gres=1", "\"gres\" needs a name", -1 },
		{ "cpu=1,mem=1G,cpu=2", "cpu comes twice", -1 },
		{ "cpu=1,", "ends in a comma", -1 },
	};
	struct trace_names names = { 0 };

	(void) state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		char got[256] = "", err[256];
		const struct trace_request *r =
			trace_request(&names, of[i].text, err, sizeof(err));

		assert_int_equal(r ? 0 : -1, of[i].rc);
		for (size_t j = 0; r && j < r->n; j++)
			sprintf(got + strlen(got), "%s=%lld;",
				r->amounts[j].resource,
				(long long) r->amounts[j].amount);
		if (r)
			assert_string_equal(got, of[i].want);
		else
			assert_int_equal(strncmp(err, of[i].want,
						 strlen(of[i].want)), 0);
		if (r)
			assert_ptr_equal(trace_request(&names, of[i].text, err,
						       sizeof(err)), r);
	}
	trace_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts),
		cmocka_unit_test(labels),
		cmocka_unit_test(requests),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
