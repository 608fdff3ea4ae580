/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test preemption.c - what the jobs of a queue may evict
 */
#include "parse.h"

#define AT "3: clusterQueues[0].preemption"
#define CONFIG ".withinClusterQueueConfig"

static const struct parse_case errors[] = {
	{ "[]", AT ": a list is not a map (its keys would be "
	  "withinClusterQueue, withinClusterQueueConfig, reclaimWithinCohort, "
	  "borrowWithinCohort)" },
	{ "{withinCluster: Never}", AT ".withinCluster: unknown key (did you "
	  "mean withinClusterQueue?)" },
	{ "{withinClusterQueue: Any}", AT ".withinClusterQueue: \"Any\" is not "
	  "Never, LowerPriority or LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: lowerpriority}", AT ".withinClusterQueue: "
	  "\"lowerpriority\" is not Never, LowerPriority or "
	  "LowerOrNewerEqualPriority (did you mean LowerPriority?)" },
	{ "{reclaimWithinCohort: Always}", AT ".reclaimWithinCohort: "
	  "\"Always\" is not Never, LowerPriority, LowerOrNewerEqualPriority "
	  "or Any" },
	{ "{borrowWithinCohort: LowerPriority}", AT ".borrowWithinCohort: "
	  "\"LowerPriority\" is not a map (its keys would be policy, "
	  "maxPriorityThreshold)" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: Any}}",
	  AT ".borrowWithinCohort.policy: \"Any\" is not Never or "
	  "LowerPriority" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: "
	  "LowerPriority, maxPriorityThreshold: 4294967296}}",
	  AT ".borrowWithinCohort.maxPriorityThreshold: 4294967296 is over the "
	  "maximum of 4294967295" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: "
	  "LowerPriority, maxPriorityThreshold: high}}",
	  AT ".borrowWithinCohort.maxPriorityThreshold: \"high\" is not a "
	  "whole number" },
	/* borrowing needs reclaim */
	{ "{borrowWithinCohort: {policy: LowerPriority}}",
	  AT ".borrowWithinCohort: needs a reclaimWithinCohort other than "
	  "Never" },
	{ "{reclaimWithinCohort: Never, borrowWithinCohort: {policy: "
	  "LowerPriority}}",
	  AT ".borrowWithinCohort: needs a reclaimWithinCohort other than "
	  "Never" },
	{ "{reclaimWithinCohort: Nevr, borrowWithinCohort: {policy: "
	  "LowerPriority}}",
	  AT ".reclaimWithinCohort: \"Nevr\" is not Never, LowerPriority, "
	  "LowerOrNewerEqualPriority or Any (did you mean Never?)" },
	/* turns */
	{ "{withinClusterQueueConfig: {minAdmitDuraton: 1h}}",
	  AT CONFIG ".minAdmitDuraton: unknown key (did you mean "
	  "minAdmitDuration?)" },
	{ "{withinClusterQueue: LowerOrNewerEqualPriority, "
	  "withinClusterQueueConfig: {minAdmitDuration: 30s}}",
	  AT CONFIG ".minAdmitDuration: 30s is under the minimum of 60s" },
	{ "{withinClusterQueue: LowerOrNewerEqualPriority, "
	  "withinClusterQueueConfig: {minAdmitDuration: 0}}",
	  AT CONFIG ".minAdmitDuration: 0 is under the minimum of 60s" },
	{ "{withinClusterQueueConfig: {minAdmitDuration: 4h}}",
	  AT CONFIG ".minAdmitDuration: needs withinClusterQueue to be "
	  "LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: LowerPriority, withinClusterQueueConfig: "
	  "{minAdmitDuration: 30s}}",
	  AT CONFIG ".minAdmitDuration: 30s is under the minimum of 60s\n"
	  AT CONFIG ".minAdmitDuration: needs withinClusterQueue to be "
	  "LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: Lower, withinClusterQueueConfig: "
	  "{minAdmitDuration: soon}}",
	  AT ".withinClusterQueue: \"Lower\" is not Never, LowerPriority or "
	  "LowerOrNewerEqualPriority\n"
	  AT CONFIG ".minAdmitDuration: \"soon\" is not a time (minutes, "
	  "4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)" },
};

static const struct parse_case warnings[] = {
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: Never, "
	  "maxPriorityThreshold: 4}}",
	  "3: warning: clusterQueues[0].preemption.borrowWithinCohort."
	  "maxPriorityThreshold: has no effect unless policy is "
	  "LowerPriority" },
};

static const struct parse_case alone[] = {
	{ "{reclaimWithinCohort: Any}",
	  "2: warning: clusterQueues[0].preemption.reclaimWithinCohort: has no "
	  "effect without a cohort" },
	{ "{reclaimWithinCohort: Never}", "" },
};

#define GROUPS "resourceGroups: [{coveredResources: [cpu], flavors: [{name: " \
	"a, nominalQuota: cpu=0}]}]"

static void test_errors(void **state)
{
	(void) state;
	parse_cases("cohorts: [{name: ml}]\nclusterQueues:\n- {name: q, "
		    "cohort: ml, match: [{user: u}], preemption: %s}\n",
		    errors, COUNT(errors));
}

static void test_warnings(void **state)
{
	(void) state;
	parse_cases("{flavors: [{name: a}], cohorts: [{name: ml}],\n"
		    "clusterQueues: [\n{name: q, cohort: ml, match: "
		    "[{user: u}], " GROUPS ", preemption: %s}]}\n", warnings,
		    COUNT(warnings));
	parse_cases("{flavors: [{name: a}], clusterQueues: [\n{name: q, "
		    "match: [{user: u}], " GROUPS ", preemption: %s}]}\n",
		    alone, COUNT(alone));
}

static const struct {
	const char *within, *reclaim;
	enum policy want_within, want_reclaim;
} policies[] = {
	{ "Never", "Never", POLICY_NEVER, POLICY_NEVER },
	{ "LowerPriority", "LowerPriority", POLICY_LOWER_PRIORITY,
	  POLICY_LOWER_PRIORITY },
	{ "LowerOrNewerEqualPriority", "LowerOrNewerEqualPriority",
	  POLICY_LOWER_OR_NEWER_EQUAL, POLICY_LOWER_OR_NEWER_EQUAL },
	{ "Never", "Any", POLICY_NEVER, POLICY_ANY },
};

static void test_policies(void **state)
{
	char text[512];

	(void) state;
	for (size_t i = 0; i < COUNT(policies); i++) {
		struct conf *conf;

		snprintf(text, sizeof(text), "cohorts: [{name: ml}]\n"
			 "clusterQueues: [{name: q, cohort: ml, preemption: "
			 "{withinClusterQueue: %s, reclaimWithinCohort: %s}}]",
			 policies[i].within, policies[i].reclaim);
		conf = parse_good(text, NULL);
		assert_int_equal(conf->spec->queues[0].within,
				 policies[i].want_within);
		assert_int_equal(conf->spec->queues[0].reclaim,
				 policies[i].want_reclaim);
		assert_false(conf->spec->queues[0].borrow_set);
		conf_destroy(conf);
	}
}

static void test_borrow(void **state)
{
	struct conf *conf = parse_good(
		"cohorts: [{name: ml}]\n"
		"clusterQueues:\n"
		"- {name: p, cohort: ml, preemption: {reclaimWithinCohort: Any,"
		" borrowWithinCohort: {policy: LowerPriority,"
		" maxPriorityThreshold: -100}}}\n"
		"- {name: q, cohort: ml, preemption: {reclaimWithinCohort:"
		" LowerPriority, borrowWithinCohort: {}}}\n", NULL);
	const struct spec_queue *q = conf->spec->queues;

	(void) state;
	assert_true(q[0].borrow_set);
	assert_int_equal(q[0].borrow, POLICY_LOWER_PRIORITY);
	assert_true(q[0].threshold_set);
	assert_int_equal(q[0].threshold, -100);
	assert_true(q[1].borrow_set);
	assert_int_equal(q[1].borrow, POLICY_NEVER);
	assert_false(q[1].threshold_set);
	conf_destroy(conf);
}

static void test_turns(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"
		"- {name: p, preemption: {withinClusterQueue:"
		" LowerOrNewerEqualPriority, withinClusterQueueConfig:"
		" {minAdmitDuration: 60s}}}\n"
		"- {name: q, preemption: {withinClusterQueue:"
		" LowerOrNewerEqualPriority}}\n", NULL);

	(void) state;
	assert_int_equal(conf->spec->queues[0].min_admit, 60 * SPEC_SEC);
	assert_int_equal(conf->spec->queues[1].min_admit, SPEC_NO_TIME);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_borrow),
		cmocka_unit_test(test_turns),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
