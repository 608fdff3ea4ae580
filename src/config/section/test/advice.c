/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test advice.c - settings that are legal, but hardly meant
 */
#include "parse.h"

#define GROUPS "resourceGroups: [{coveredResources: [cpu], flavors: [{name: " \
	"a, nominalQuota: cpu=0}]}]"
#define TAKES " comes first and takes all its jobs"

static const struct parse_case cases[] = {
	{ "clusterQueues: [{name: q, match: [{user: u}], " GROUPS "}]", "" },
	{ "clusterQueues:\n- {name: q, " GROUPS "}\n- {name: r, match: "
	  "[{user: u}]}\n- {name: s, match: [], resourceGroups: []}",
	  "3: warning: clusterQueues[0]: \"q\" has no match rules: no job "
	  "can enter it\n"
	  "4: warning: clusterQueues[1]: \"r\" has no resourceGroups: it "
	  "limits nothing\n"
	  "5: warning: clusterQueues[2]: \"s\" has no match rules: no job "
	  "can enter it\n"
	  "5: warning: clusterQueues[2]: \"s\" has no resourceGroups: it "
	  "limits nothing" },
	/* cohorts */
	{ "cohorts:\n- {name: c}\n- {name: d, parent: c}\n- {name: e, parent: "
	  "c}\n- {name: f, parent: e}\n"
	  "clusterQueues: [{name: q, cohort: d, match: [{user: u}], " GROUPS
	  "}]",
	  "5: warning: cohorts[2]: \"e\" has no cluster queues\n"
	  "6: warning: cohorts[3]: \"f\" has no cluster queues" },
	/* rules */
	{ "clusterQueues:\n- {name: q, match: [{user: u}, {user: u}], " GROUPS
	  "}\n- name: r\n  match:\n  - {user: u, account: a}\n"
	  "  - {account: a}\n  - {qos: \"*\"}\n  " GROUPS "\n"
	  "- {name: s, match: [{qos: high, user: v}, {account: \"*\"},\n"
	  "  {user: \"u*\"}], " GROUPS "}",
	  "3: warning: clusterQueues[0].match[1]: has no effect: "
	  "clusterQueues[0].match[0] on line 3" TAKES "\n"
	  "6: warning: clusterQueues[1].match[0]: has no effect: "
	  "clusterQueues[0].match[0] on line 3" TAKES "\n"
	  "10: warning: clusterQueues[2].match[0]: has no effect: "
	  "clusterQueues[1].match[2] on line 8" TAKES },
};

#define UNLESS "has no effect unless fairSharing.enable is true"

static const struct parse_case fair[] = {
	{ "false, preemptionStrategies: [LessThanInitialShare]",
	  "1: warning: fairSharing.preemptionStrategies: " UNLESS "\n"
	  "3: warning: cohorts[1].fairSharing.weight: " UNLESS "\n"
	  "5: warning: clusterQueues[0].fairSharing.weight: " UNLESS },
	{ "false",
	  "3: warning: cohorts[1].fairSharing.weight: " UNLESS "\n"
	  "5: warning: clusterQueues[0].fairSharing.weight: " UNLESS },
	{ "true, preemptionStrategies: [LessThanInitialShare]", "" },
};

static const struct parse_case flavors[] = {
	{ "[{name: a}, {name: b}, {name: c}]",
	  "1: warning: flavors[0]: \"a\" has no quota anywhere\n"
	  "1: warning: flavors[2]: \"c\" has no quota anywhere" },
};

static void test_advice(void **state)
{
	(void) state;
	parse_cases("flavors: [{name: a}]\n%s\n", cases, COUNT(cases));
	parse_cases("flavors: %s\nclusterQueues: [{name: q, match: "
		    "[{user: u}], resourceGroups: [{coveredResources: [cpu], "
		    "flavors: [{name: b, nominalQuota: cpu=0}]}]}]\n",
		    flavors, COUNT(flavors));
	parse_cases("{fairSharing: {enable: %s},\n"
		    "flavors: [{name: a}], cohorts: [{name: d},\n"
		    "{name: c, parent: d, fairSharing: {weight: 3}}],\n"
		    "clusterQueues: [{name: q, match: [{user: u}], cohort: c,\n"
		    "fairSharing: {weight: 1}, " GROUPS "}]}\n", fair,
		    COUNT(fair));
}

/* No advice where there are errors: it may come from those. */
static void test_errors(void **state)
{
	static const struct parse_case c[] = {
		{ "1", "2: priority: \"1\" is not qos, partition or job" },
	};

	(void) state;
	parse_cases("flavors: [{name: a}]\npriority: %s\nclusterQueues: []\n",
		    c, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_errors),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
