/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test job_text.c - what a job asks for, in short
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ledger/job_text.h"

static void test_requests(void **state)
{
	static const struct {
		struct view v;
		const char *text;
	} cases[] = {
		{ { .tres_asked = NULL }, "" },
		{ { .tres_asked = "cpu=8,mem=64G,node=2,billing=8" },
		  "cpu=8,mem=64G,node=2" },
		{ { .tres_asked = "billing=1" }, "" },
		{ { .tres_asked = "cpu=8", .tres_per_node = "gres:gpu:2" },
		  "cpu=8,gres:gpu:2/node" },
		{ { .tres_asked = "cpu=8,gres/gpu=4",
		    .tres_per_node = "gres:gpu:2" }, "cpu=8,gres/gpu=4" },
		{ { .tres_asked = "cpu=8", .tres_per_job = "gres:gpu:4" },
		  "cpu=8,gres:gpu:4" },
	};
	char buf[256];

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(request_text(&cases[i].v, buf, sizeof(buf)),
				    cases[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
