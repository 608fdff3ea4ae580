/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test queues.c - cluster queues
 */
#include "parse.h"

#define KEYS "name, cohort, queueingStrategy, stopPolicy, match, " \
	"resourceGroups, flavorFungibility, preemption, preemptMinRuntime, " \
	"reclaimMinRuntime, reclaimDelay, reclaimDelayPolicy, fairSharing, admissionScope, localQueues, " \
	"maxPreemptions, yieldAfterEvictions, " \
	"nonPreemptible"
#define NEEDS "preference: needs TryNextFlavor as whenCanBorrow and " \
	"whenCanPreempt"

static const struct parse_case errors[] = {
	{ "- vision", ": \"vision\" is not a map (its keys would be " KEYS ")" },
	{ "- {}", ": name is missing" },
	{ "- {name: a}\n- {name: b}\n- {name: a}",
	  "5: clusterQueues[2].name: \"a\" is there twice (first on line 3)" },
	{ "- {name: a/b}",
	  ".name: \"a/b\" is not a name (letters, digits, \"_\", \"-\" and \".\")" },
	{ "- {name: a, cohort: mll}", ".cohort: \"mll\" is not in cohorts (did you mean ml?)" },
	{ "- {name: a, zone: ml}", ".zone: unknown key (known here: " KEYS ")" },
	{ "- {name: a, queueStrategy: StrictFIFO}",
	  ".queueStrategy: unknown key (did you mean queueingStrategy?)" },
	{ "- {name: a, queueingStrategy: FIFO}",
	  ".queueingStrategy: \"FIFO\" is not BestEffortFIFO or StrictFIFO" },
	{ "- {name: a, stopPolicy: none}",
	  ".stopPolicy: \"none\" is not None, Hold or HoldAndDrain (did you mean None?)" },
	{ "- {name: a, preemptMinRuntime: 1:2:3:4, reclaimMinRuntime: -1}", ".preemptMinRuntime: "
	  "\"1:2:3:4\" is not a time" OF_TIME "\n.reclaimMinRuntime: \"-1\" is negative" OF_TIME },
	{ "- {name: a, maxPreemptions: -1}", ".maxPreemptions: -1 is under the minimum of 0" },
	{ "- {name: a, maxPreemptions: 1000001}",
	  ".maxPreemptions: 1000001 is over the maximum of 1000000" },
	{ "- {name: a, reclaimDelay: soon}", ".reclaimDelay: \"soon\" is not a time" OF_TIME },
	{ "- {name: a, reclaimDelayPolicy: expected}", ".reclaimDelayPolicy: \"expected\" is not "
	  "Always or Expected (did you mean Expected?)" },
	{ "- {name: a, reclaimDelay: -5}", ".reclaimDelay: \"-5\" is negative" OF_TIME },
	{ "- {name: a, yieldAfterEvictions: -1}",
	  ".yieldAfterEvictions: -1 is under the minimum of 0" },
	{ "- {name: a, fairSharing: 2}",
	  ".fairSharing: \"2\" is not a map (its keys would be weight)" },
	{ "- {name: a, flavorFungibility: {whenCanBorrow: Preempt, whenCanPreempt: Borrow}}",
	  ".flavorFungibility.whenCanBorrow: \"Preempt\" is not MayStopSearch, TryNextFlavor or "
	  "Borrow\n.flavorFungibility.whenCanPreempt: \"Borrow\" is not MayStopSearch, "
	  "TryNextFlavor or Preempt" },
	{ "- {name: a, flavorFungibility: {preference: Borrowing}}",
	  ".flavorFungibility.preference: \"Borrowing\" is not BorrowingOverPreemption or "
	  "PreemptionOverBorrowing\n.flavorFungibility." NEEDS " (whenCanBorrow is "
	  "MayStopSearch)" },
	{ "- {name: a, flavorFungibility: {preference: BorrowingOverPreemption}}",
	  ".flavorFungibility." NEEDS " (whenCanBorrow is MayStopSearch)" },
	{ "- {name: a, flavorFungibility: {preference: PreemptionOverBorrowing, whenCanBorrow: "
	  "TryNextFlavor, whenCanPreempt: Preempt}}",
	  ".flavorFungibility." NEEDS " (whenCanPreempt is MayStopSearch)" },
	/* no second complaint where the first may explain it */
	{ "- {name: a, flavorFungibility: {preference: PreemptionOverBorrowing, whenCanBorrow: "
	  "TryNext}}", ".flavorFungibility.whenCanBorrow: \"TryNext\" is not MayStopSearch, "
	  "TryNextFlavor or Borrow" },
};

TEST_PARSE(test_errors, "cohorts: [{name: ml}]\nclusterQueues:\n%s\n", "3: clusterQueues[0]",
	   errors)

static void test_defaults(void **state)
{
	struct conf *conf = parse_good("clusterQueues:\n- name: a\n", NULL);
	const struct spec_queue *q = &conf->spec->queues[0];

	assert_int_equal(conf->queues[0].line, 2);
	assert_int_equal(conf->queues[0].match.n, 0);
	assert_string_equal(q->name, "a");
	assert_int_equal(q->cohort, SPEC_NONE);
	assert_int_equal(q->strategy, STRATEGY_BEST_EFFORT_FIFO);
	assert_int_equal(q->stop, STOP_NONE);
	assert_int_equal(q->within, POLICY_NEVER);
	assert_int_equal(q->reclaim, POLICY_NEVER);
	assert_false(q->borrow_set);
	assert_false(q->threshold_set);
	assert_int_equal(q->when_can_borrow, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q->when_can_preempt, FUNGIBILITY_TRY_NEXT);
	assert_int_equal(q->preference, PREFER_BORROWING);
	assert_int_equal(q->min_admit, SPEC_NO_TIME);
	assert_int_equal(q->preempt_min_runtime, SPEC_NO_TIME);
	assert_int_equal(q->reclaim_min_runtime, SPEC_NO_TIME);
	assert_int_equal(q->reclaim_delay, 0);
	assert_false(q->delay_if_expected);
	assert_true(q->weight == 1);
	assert_int_equal(q->max_preemptions, 3);
	assert_int_equal(q->yield_after, 1);
	conf_destroy(conf);
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"		/* before the cohorts */
		"- name: a\n  cohort: ml\n  queueingStrategy: StrictFIFO\n  stopPolicy: "
		"HoldAndDrain\n  preemptMinRuntime: 0\n  maxPreemptions: 7\n  yieldAfterEvictions: "
		"0\n  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: "
		"TryNextFlavor, preference: PreemptionOverBorrowing}\n- {name: b, "
		"preemptMinRuntime: 15, reclaimMinRuntime: 30s, reclaimDelay: 10, reclaimDelayPolicy: Expected, fairSharing: {weight: 0.125}, "
		"stopPolicy: Hold, flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: "
		"Preempt}}\n- {name: c, stopPolicy: None, queueingStrategy: BestEffortFIFO, "
		"flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: "
		"MayStopSearch}}\ncohorts: [{name: org}, {name: ml}]\n", NULL);
	const struct spec_queue *q = conf->spec->queues;

	assert_int_equal(conf->spec->nqueues, 3);
	assert_int_equal(q[0].max_preemptions, 7);
	assert_int_equal(q[0].yield_after, 0);
	assert_int_equal(q[0].cohort, 1);
	assert_int_equal(q[0].strategy, STRATEGY_STRICT_FIFO);
	assert_int_equal(q[0].stop, STOP_HOLD_AND_DRAIN);
	assert_int_equal(q[0].preempt_min_runtime, 0);
	assert_int_equal(q[0].reclaim_min_runtime, SPEC_NO_TIME);
	assert_int_equal(q[0].when_can_borrow, FUNGIBILITY_TRY_NEXT);
	assert_int_equal(q[0].preference, PREFER_PREEMPTION);
	assert_int_equal(q[1].preempt_min_runtime, 900 * SPEC_SEC);
	assert_int_equal(q[1].reclaim_min_runtime, 30 * SPEC_SEC);
	assert_int_equal(q[1].reclaim_delay, 600 * SPEC_SEC);
	assert_true(q[1].delay_if_expected);
	assert_true(q[1].weight == 0.125);
	assert_int_equal(q[1].stop, STOP_HOLD);
	assert_int_equal(q[1].when_can_borrow, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q[1].when_can_preempt, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q[2].when_can_preempt, FUNGIBILITY_MAY_STOP);
	conf_destroy(conf);
}

/* ---- which jobs belong to a queue ---- */

/* 40 characters */
#define NINES "9999999999999999999999999999999999999999"

static const struct parse_case errors_rule[] = {
	{ "gpu", ": \"gpu\" is not a list of rules like [{partition: gpu}]" },
	{ "{partition: gpu}", ": a map is not a list of rules like [{partition: gpu}]" },
	{ "[gpu]", "[0]: \"gpu\" is not a map (its keys would be partition, qos, account, user)" },
	{ "[{}]", "[0]: is empty (a rule needs at least one of partition, qos, account, user)" },
	{ "[{user: a}, ~]", "[1]: has no value" },
	{ "[{acount: a}]", "[0].acount: unknown key (did you mean account?)" },
	{ "[{user: \"\"}]", "[0].user: is empty (\"*\" matches any, and so does no key)" },
	{ "[{user: [a, b]}]", "[0].user: a list is not a shell pattern" },
	{ "[{user: a, user: b}]", "[0].user: is there twice (first on line 1)" },
	{ "[{user: a" NINES NINES NINES "1234567}]",
	  "[0].user: \"a99999999999999999999999999999999999999999999999999999999999...\" is longer "
	  "than 127 characters" },
};

TEST_PARSE(test_rule_errors, "clusterQueues: [{name: q, match: %s}]\n", "1: clusterQueues[0].match",
	   errors_rule)

static void test_rule_values(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"
		"- name: q\n"
		"  match:\n"
		"  - {partition: gpu, account: \"vision*\"}\n"
		"  - qos: high\n"
		"    user: kim\n"
		"  - user: " NINES NINES NINES "1234567\n", NULL);
	const struct conf_queue *q = &conf->queues[0];

	assert_int_equal(q->match.n, 3);
	assert_string_equal(q->match.list[0].partition, "gpu");
	assert_string_equal(q->match.list[0].account, "vision*");
	assert_null(q->match.list[0].qos);
	assert_null(q->match.list[0].user);
	assert_int_equal(q->match.list[0].line, 4);
	assert_string_equal(q->match.list[1].qos, "high");
	assert_string_equal(q->match.list[1].user, "kim");
	assert_int_equal(q->match.list[1].line, 5);
	conf_destroy(conf);
}

/* ---- what the jobs of a queue may evict ---- */

#define CONFIG ".withinClusterQueueConfig"

static const struct parse_case errors_preemption[] = {
	{ "[]", ": a list is not a map (its keys would be withinClusterQueue, "
	  "withinClusterQueueConfig, reclaimWithinCohort, borrowWithinCohort)" },
	{ "{withinCluster: Never}",
	  ".withinCluster: unknown key (did you mean withinClusterQueue?)" },
	{ "{withinClusterQueue: Any}",
	  ".withinClusterQueue: \"Any\" is not Never, LowerPriority or LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: lowerpriority}", ".withinClusterQueue: \"lowerpriority\" is not "
	  "Never, LowerPriority or LowerOrNewerEqualPriority (did you mean LowerPriority?)" },
	{ "{reclaimWithinCohort: Always}", ".reclaimWithinCohort: \"Always\" is not Never, "
	  "LowerPriority, LowerOrNewerEqualPriority or Any" },
	{ "{borrowWithinCohort: LowerPriority}", ".borrowWithinCohort: \"LowerPriority\" is not a "
	  "map (its keys would be policy, maxPriorityThreshold)" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: Any}}",
	  ".borrowWithinCohort.policy: \"Any\" is not Never or LowerPriority" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority, "
	  "maxPriorityThreshold: 4294967296}}", ".borrowWithinCohort.maxPriorityThreshold: "
	  "4294967296 is over the maximum of 4294967295" },
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: LowerPriority, "
	  "maxPriorityThreshold: high}}",
	  ".borrowWithinCohort.maxPriorityThreshold: \"high\" is not a whole number" },
	/* borrowing needs reclaim */
	{ "{borrowWithinCohort: {policy: LowerPriority}}",
	  ".borrowWithinCohort: needs a reclaimWithinCohort other than Never" },
	{ "{reclaimWithinCohort: Never, borrowWithinCohort: {policy: LowerPriority}}",
	  ".borrowWithinCohort: needs a reclaimWithinCohort other than Never" },
	{ "{reclaimWithinCohort: Nevr, borrowWithinCohort: {policy: LowerPriority}}",
	  ".reclaimWithinCohort: \"Nevr\" is not Never, LowerPriority, LowerOrNewerEqualPriority "
	  "or Any (did you mean Never?)" },
	/* turns */
	{ "{withinClusterQueueConfig: {minAdmitDuraton: 1h}}",
	  CONFIG ".minAdmitDuraton: unknown key (did you mean minAdmitDuration?)" },
	{ "{withinClusterQueue: LowerOrNewerEqualPriority, withinClusterQueueConfig: "
	  "{minAdmitDuration: 30s}}", CONFIG ".minAdmitDuration: 30s is under the minimum of 60s" },
	{ "{withinClusterQueue: LowerOrNewerEqualPriority, withinClusterQueueConfig: "
	  "{minAdmitDuration: 0}}", CONFIG ".minAdmitDuration: 0 is under the minimum of 60s" },
	{ "{withinClusterQueueConfig: {minAdmitDuration: 4h}}",
	  CONFIG ".minAdmitDuration: needs withinClusterQueue to be LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: LowerPriority, withinClusterQueueConfig: {minAdmitDuration: 30s}}",
	  CONFIG ".minAdmitDuration: 30s is under the minimum of 60s\n" CONFIG ".minAdmitDuration: "
	  "needs withinClusterQueue to be LowerOrNewerEqualPriority" },
	{ "{withinClusterQueue: Lower, withinClusterQueueConfig: {minAdmitDuration: soon}}",
	  ".withinClusterQueue: \"Lower\" is not Never, LowerPriority or "
	  "LowerOrNewerEqualPriority\n" CONFIG ".minAdmitDuration: \"soon\" is not a time"
	  OF_TIME },
};

static const struct parse_case warnings[] = {
	{ "{reclaimWithinCohort: Any, borrowWithinCohort: {policy: Never, maxPriorityThreshold: "
	  "4}}", "3: warning: clusterQueues[0].preemption.borrowWithinCohort.maxPriorityThreshold: "
	  "has no effect unless policy is LowerPriority" },
};

static const struct parse_case alone[] = {
	{ "{reclaimWithinCohort: Any}", "2: warning: "
	  "clusterQueues[0].preemption.reclaimWithinCohort: has no effect without a cohort" },
	{ "{reclaimWithinCohort: Never}", "" },
};

static const struct parse_case delays[] = {
	{ "0, preemption: {reclaimWithinCohort: Never}", "" },
	{ "1, preemption: {reclaimWithinCohort: Any}", "" },
	{ "1", "3: warning: clusterQueues[0].reclaimDelay: has no effect without a "
	  "reclaimWithinCohort other than Never" },
	{ "0, reclaimDelayPolicy: Always", "" },
	{ "1, reclaimDelayPolicy: Expected, preemption: {reclaimWithinCohort: Any}", "" },
	{ "0, reclaimDelayPolicy: Expected, preemption: {reclaimWithinCohort: Any}", "3: warning: "
	  "clusterQueues[0].reclaimDelayPolicy: has no effect without reclaimDelay" },
	{ "1, preemption: {reclaimWithinCohort: Never}", "3: warning: "
	  "clusterQueues[0].reclaimDelay: has no effect without a reclaimWithinCohort other than "
	  "Never" },
};

#define GROUPS "resourceGroups: [{coveredResources: [cpu], flavors: [{name: " \
	"a, nominalQuota: cpu=0}]}]"

TEST_PARSE(test_preemption_errors, "cohorts: [{name: ml}]\nclusterQueues:\n- {name: q, cohort: ml, "
	   "match: [{user: u}], preemption: %s}\n", "3: clusterQueues[0].preemption",
	   errors_preemption)

static void test_warnings(void **state)
{
	parse_cases("{flavors: [{name: a}], cohorts: [{name: ml}],\nclusterQueues: [\n{name: q, "
		    "cohort: ml, match: [{user: u}], " GROUPS ", preemption: %s}]}\n", "",
		    warnings, COUNT(warnings));
	parse_cases("{flavors: [{name: a}], cohorts: [{name: ml}],\nclusterQueues: [\n{name: q, "
		    "cohort: ml, match: [{user: u}], " GROUPS ", reclaimDelay: %s}]}\n", "",
		    delays, COUNT(delays));
	parse_cases("{flavors: [{name: a}], clusterQueues: [\n{name: q, match: [{user: "
		    "u}], " GROUPS ", preemption: %s}]}\n", "", alone, COUNT(alone));
}

static const struct {
	const char *within, *reclaim;
	enum policy want_within, want_reclaim;
} policies[] = {
	{ "Never", "Never", POLICY_NEVER, POLICY_NEVER },
	{ "LowerPriority", "LowerPriority", POLICY_LOWER_PRIORITY, POLICY_LOWER_PRIORITY },
	{ "LowerOrNewerEqualPriority", "LowerOrNewerEqualPriority",
	  POLICY_LOWER_OR_NEWER_EQUAL, POLICY_LOWER_OR_NEWER_EQUAL },
	{ "Never", "Any", POLICY_NEVER, POLICY_ANY },
};

static void test_policies(void **state)
{
	char text[512];

	for (size_t i = 0; i < COUNT(policies); i++) {
		struct conf *conf;

		snprintf(text, sizeof(text), "cohorts: [{name: ml}]\nclusterQueues: [{name: q, "
			 "cohort: ml, preemption: {withinClusterQueue: %s, reclaimWithinCohort: "
			 "%s}}]",
			 policies[i].within, policies[i].reclaim);
		conf = parse_good(text, NULL);
		assert_int_equal(conf->spec->queues[0].within, policies[i].want_within);
		assert_int_equal(conf->spec->queues[0].reclaim, policies[i].want_reclaim);
		assert_false(conf->spec->queues[0].borrow_set);
		conf_destroy(conf);
	}
}

static void test_borrow(void **state)
{
	struct conf *conf = parse_good(
		"cohorts: [{name: ml}]\n"
		"clusterQueues:\n"
		"- {name: p, cohort: ml, preemption: {reclaimWithinCohort: Any, "
		"borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: -100}}}\n"
		"- {name: q, cohort: ml, preemption: {reclaimWithinCohort: LowerPriority, "
		"borrowWithinCohort: {}}}\n", NULL);
	const struct spec_queue *q = conf->spec->queues;

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
		"- {name: p, preemption: {withinClusterQueue: LowerOrNewerEqualPriority, "
		"withinClusterQueueConfig: {minAdmitDuration: 60s}}}\n"
		"- {name: q, preemption: {withinClusterQueue: LowerOrNewerEqualPriority}}\n", NULL);

	assert_int_equal(conf->spec->queues[0].min_admit, 60 * SPEC_SEC);
	assert_int_equal(conf->spec->queues[1].min_admit, SPEC_NO_TIME);
	conf_destroy(conf);
}

/* ---- which jobs of a cluster queue can't be preempted ---- */

static const struct parse_case errors_fixed[] = {
	{ "true", ": \"true\" is not a map (its keys would be match, priority, byUser, scope)" },
	{ "{qos: interactive}", ".qos: unknown key (known here: match, priority, byUser, scope)" },
	{ "{match: interactive}",
	  ".match: \"interactive\" is not a list of rules like [{partition: gpu}]" },
	{ "{match: [{qos: a}, {}]}",
	  ".match[1]: is empty (a rule needs at least one of partition, qos, account, user)" },
	{ "{match: [{qos: \"\"}]}",
	  ".match[0].qos: is empty (\"*\" matches any, and so does no key)" },
	{ "{priority: high}", ".priority: \"high\" is not a whole number" },
	{ "{priority: 4294967296}", ".priority: 4294967296 is over the maximum of 4294967295" },
	{ "{priority: -2147483649}", ".priority: -2147483649 is under the minimum of -2147483648" },
	{ "{byUser: sometimes}", ".byUser: \"sometimes\" is not true or false" },
	{ "{byUser: true, scope: Queue}", ".scope: \"Queue\" is not ClusterQueue or Cohort" },
	/* two at once, and nothing is lost or freed twice */
	{ "{match: [{user: x}, {usr: y}], scope: None}", ".match[1].usr: unknown key (did you mean "
	  "user?)\n.scope: \"None\" is not ClusterQueue or Cohort" },
};

static const struct parse_case advice[] = {
	{ "{scope: ClusterQueue}",
	  ": selects no jobs: it needs match, priority or byUser to have any effect" },
	{ "{byUser: true, scope: Cohort}", ".scope: has no effect without a cohort" },
	{ "{priority: 0}", "" },
	{ "{match: [{partition: gpu}]}", "" },
};

static const struct parse_case quota[] = {
	{ "cpu=0, temporaryQuota: [{end: 2999-01-01, nominalQuota: cpu=2}]", "" },
	{ "cpu=0", ": no such job can start: nominal quota limits them, and the queue has none "
	  "(scope: Cohort would count the quota of its cohorts)" },
	{ "cpu=1", "" },
};

#define ADVISED "clusterQueues:\n- name: q\n  match: [{user: x}]\n  nonPreemptible: "
#define QUOTA "\n  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: "
#define ADVISED_AT "4: warning: clusterQueues[0].nonPreemptible"

TEST_PARSE(test_fixed_errors, "clusterQueues:\n- name: q\n  match: [{user: x}]\n  nonPreemptible: "
	   "%s\n", "4: clusterQueues[0].nonPreemptible", errors_fixed)

static void test_advice(void **state)
{
	parse_cases(ADVISED "%s" QUOTA "cpu=1}]}]\nflavors: [{name: f}]\n", ADVISED_AT, advice,
		    COUNT(advice));
	parse_cases(ADVISED "{byUser: true}" QUOTA "%s}]}]\nflavors: [{name: f}]\n", ADVISED_AT,
		    quota, COUNT(quota));
}

static void test_fixed_values(void **state)
{
	struct conf *conf = parse_good(
		"cohorts: [{name: o}]\n"
		"clusterQueues:\n"
		"- {name: a, match: [{user: x}]}\n"
		"- name: b\n"
		"  cohort: o\n"
		"  match: [{user: y}]\n"
		"  nonPreemptible:\n"
		"    match: [{qos: inter*}, {partition: p, account: q}]\n"
		"    priority: -5\n"
		"    byUser: true\n"
		"    scope: Cohort\n", NULL);
	const struct conf_nonpreemptible *a = &conf->queues[0].nonpreemptible;
	const struct conf_nonpreemptible *b = &conf->queues[1].nonpreemptible;

	assert_int_equal(a->rules.n, 0);
	assert_false(a->priority_set || a->by_user);
	assert_int_equal(conf->spec->queues[0].cap_scope, CAP_QUEUE);
	assert_int_equal(b->rules.n, 2);
	assert_string_equal(b->rules.list[0].qos, "inter*");
	assert_string_equal(b->rules.list[1].partition, "p");
	assert_true(b->priority_set && b->by_user);
	assert_int_equal(b->priority, -5);
	assert_int_equal(conf->spec->queues[1].cap_scope, CAP_COHORT);
	conf_destroy(conf);
}

/* ---- which jobs ---- */

static const struct {
	const char *text;
	struct conf_job job;
	int64_t priority;
	enum conf_preemptibility word;
	bool is;
} jobs[] = {
	/* off */
	{ "", { "p", "q", "a", "u" }, UINT32_MAX, CONF_NONPREEMPTIBLE, false },
	/* by a rule, whatever the priority */
	{ "match: [{qos: q}]", { "p", "q", "a", "u" }, -9, 0, true },
	{ "match: [{qos: q}]", { "p", "r", "a", "u" }, 9, 0, false },
	{ "match: [{qos: q}]", { "p", NULL, "a", "u" }, 9, 0, false },
	{ "match: [{qos: r}, {partition: p, account: a}]", { "p", "q", "a", "u" }, 0, 0, true },
	{ "match: [{qos: r}, {partition: p, account: b}]", { "p", "q", "a", "u" }, 0, 0, false },
	/* from a priority on */
	{ "priority: 100", { "p", "q", "a", "u" }, 99, 0, false },
	{ "priority: 100", { "p", "q", "a", "u" }, 100, 0, true },
	{ "priority: -1", { "p", "q", "a", "u" }, 0, 0, true },
	/* the user's word, both ways, where it counts */
	{ "priority: 100", { "p", "q", "a", "u" }, 9, CONF_NONPREEMPTIBLE, false },
	{ "priority: 100", { "p", "q", "a", "u" }, 100, CONF_PREEMPTIBLE, true },
	{ "byUser: true", { "p", "q", "a", "u" }, 9, CONF_NONPREEMPTIBLE, true },
	{ "byUser: true", { "p", "q", "a", "u" }, 9, 0, false },
	{ "byUser: true, priority: 100", { "p", "q", "a", "u" }, 100, CONF_PREEMPTIBLE, false },
	{ "byUser: true, match: [{qos: q}]", { "p", "q", "a", "u" }, 0, CONF_PREEMPTIBLE, false },
};

static void test_jobs(void **state)
{
	for (size_t i = 0; i < COUNT(jobs); i++) {
		char text[512];
		struct conf *conf;

		snprintf(text, sizeof(text), "clusterQueues:\n- name: a\n- name: b\n  "
			 "nonPreemptible: {%s}\n", jobs[i].text);
		conf = parse_good(text, &(struct said) { .text = "" });
		assert_int_equal(conf_is_nonpreemptible(conf, 1, &jobs[i].job, jobs[i].priority,
							jobs[i].word),
				 jobs[i].is);
		assert_false(conf_is_nonpreemptible(conf, 0, &jobs[i].job, jobs[i].priority,
						    jobs[i].word));
		conf_destroy(conf);
	}
}

TESTS(cmocka_unit_test(test_errors), cmocka_unit_test(test_defaults), cmocka_unit_test(test_values),
      cmocka_unit_test(test_rule_errors), cmocka_unit_test(test_rule_values),
      cmocka_unit_test(test_preemption_errors), cmocka_unit_test(test_warnings),
      cmocka_unit_test(test_policies), cmocka_unit_test(test_borrow), cmocka_unit_test(test_turns),
      cmocka_unit_test(test_fixed_errors), cmocka_unit_test(test_advice),
      cmocka_unit_test(test_fixed_values), cmocka_unit_test(test_jobs))
