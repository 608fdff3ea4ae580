/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test match.c - the cluster queue of a job, by the published rules
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "input/json_members.h"
#include "ledger/match.h"

static void test_rules(void **state)
{
	static const struct {
		struct view v;
		const char *queue;
		bool sure;
	} cases[] = {
		{ { .partition = "gpu,cpu", .account = "vision-x" }, "v",
		  true },
		{ { .partition = "cpu,gpu", .account = "vision-x" }, "u",
		  false },
		{ { .partition = "cpu", .account = "none" }, "u", false },
		{ { .partition = "cpu", .qos = "any" }, "w", false },
		{ { .qos = "any" }, "w", false },
	};
	struct published p = { .document = json_tokener_parse(
		"{\"clusterQueues\": [{\"name\": \"v\", \"match\": "
		"[{\"partition\": \"gpu\", \"account\": \"vision*\"}]}, "
		"{\"name\": \"u\", \"match\": [{\"user\": true}]}, "
		"{\"name\": \"w\", \"match\": [{\"qos\": \"a*\"}]}]}") };
	bool sure;

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_object *q = published_match(&p, &cases[i].v,
							&sure);

		/* a rule that asks for a user matches no job for certain */
		assert_string_equal(q ? json_text(q, "name") : "u",
				    cases[i].queue);
		assert_int_equal(sure, cases[i].sure);
	}
	json_object_put(p.document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
