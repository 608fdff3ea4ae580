/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test jobs.c - which jobs belong to a queue
 */
#include "parse.h"

static const struct parse_case errors[] = {
	{ "gpu", "1: clusterQueues[0].match: \"gpu\" is not a list of rules "
	  "like [{partition: gpu}]" },
	{ "{partition: gpu}", "1: clusterQueues[0].match: a map is not a list "
	  "of rules like [{partition: gpu}]" },
	{ "[gpu]", "1: clusterQueues[0].match[0]: \"gpu\" is not a map (its "
	  "keys would be partition, qos, account, user)" },
	{ "[{}]", "1: clusterQueues[0].match[0]: is empty (a rule needs at "
	  "least one of partition, qos, account, user)" },
	{ "[{user: a}, ~]", "1: clusterQueues[0].match[1]: has no value" },
	{ "[{acount: a}]", "1: clusterQueues[0].match[0].acount: unknown key "
	  "(did you mean account?)" },
	{ "[{user: \"\"}]", "1: clusterQueues[0].match[0].user: is empty "
	  "(\"*\" matches any, and so does no key)" },
	{ "[{user: [a, b]}]", "1: clusterQueues[0].match[0].user: a list is "
	  "not a shell pattern" },
	{ "[{user: a, user: b}]", "1: clusterQueues[0].match[0].user: is there "
	  "twice (first on line 1)" },
	{ "[{user: a234567890123456789012345678901234567890123456789012345678"
	  "9012345678901234567890123456789012345678901234567890123456789012345"
	  "678}]",
	  "1: clusterQueues[0].match[0].user: \"a23456789012345678901234567"
	  "890123456789012345678901234567890...\" is longer than 127 characters" },
};

static void test_errors(void **state)
{
	(void) state;
	parse_cases("clusterQueues: [{name: q, match: %s}]\n", errors,
		    COUNT(errors));
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"
		"- name: q\n"
		"  match:\n"
		"  - {partition: gpu, account: \"vision*\"}\n"
		"  - qos: high\n"
		"    user: kim\n", NULL);
	const struct conf_queue *q = &conf->queues[0];

	(void) state;
	assert_int_equal(q->nmatches, 2);
	assert_string_equal(q->matches[0].partition, "gpu");
	assert_string_equal(q->matches[0].account, "vision*");
	assert_null(q->matches[0].qos);
	assert_null(q->matches[0].user);
	assert_int_equal(q->matches[0].line, 4);
	assert_string_equal(q->matches[1].qos, "high");
	assert_string_equal(q->matches[1].user, "kim");
	assert_int_equal(q->matches[1].line, 5);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_values),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
