/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test queues.c - cluster queues
 */
#include "parse.h"

#define KEYS "name, cohort, queueingStrategy, stopPolicy, match, " \
	"resourceGroups, flavorFungibility, preemption, preemptMinRuntime, " \
	"reclaimMinRuntime, fairSharing, admissionScope, localQueues, " \
	"maxPreemptions, yieldAfterEvictions, " \
	"nonPreemptible"
#define NEEDS "preference: needs TryNextFlavor as whenCanBorrow and " \
	"whenCanPreempt"

static const struct parse_case errors[] = {
	{ "- vision", "3: clusterQueues[0]: \"vision\" is not a map (its keys "
	  "would be " KEYS ")" },
	{ "- {}", "3: clusterQueues[0]: name is missing" },
	{ "- {name: a}\n- {name: b}\n- {name: a}",
	  "5: clusterQueues[2].name: \"a\" is there twice (first on line 3)" },
	{ "- {name: a/b}", "3: clusterQueues[0].name: \"a/b\" is not a name "
	  "(letters, digits, \"_\", \"-\" and \".\")" },
	{ "- {name: a, cohort: mll}", "3: clusterQueues[0].cohort: \"mll\" is "
	  "not in cohorts (did you mean ml?)" },
	{ "- {name: a, zone: ml}", "3: clusterQueues[0].zone: unknown key "
	  "(known here: " KEYS ")" },
	{ "- {name: a, queueStrategy: StrictFIFO}",
	  "3: clusterQueues[0].queueStrategy: unknown key (did you mean "
	  "queueingStrategy?)" },
	{ "- {name: a, queueingStrategy: FIFO}",
	  "3: clusterQueues[0].queueingStrategy: \"FIFO\" is not "
	  "BestEffortFIFO or StrictFIFO" },
	{ "- {name: a, stopPolicy: none}",
	  "3: clusterQueues[0].stopPolicy: \"none\" is not None, Hold or "
	  "HoldAndDrain (did you mean None?)" },
	{ "- {name: a, preemptMinRuntime: 1:2:3:4, reclaimMinRuntime: -1}",
	  "3: clusterQueues[0].preemptMinRuntime: \"1:2:3:4\" is not a time "
	  "(minutes, 4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, "
	  "2d)\n"
	  "3: clusterQueues[0].reclaimMinRuntime: \"-1\" is negative (minutes, "
	  "4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)" },
	{ "- {name: a, maxPreemptions: -1}",
	  "3: clusterQueues[0].maxPreemptions: -1 is under the minimum of 0" },
	{ "- {name: a, maxPreemptions: 1000001}",
	  "3: clusterQueues[0].maxPreemptions: 1000001 is over the maximum of "
	  "1000000" },
	{ "- {name: a, yieldAfterEvictions: -1}",
	  "3: clusterQueues[0].yieldAfterEvictions: -1 is under the minimum of "
	  "0" },
	{ "- {name: a, maxPreemptions: few}",
	  "3: clusterQueues[0].maxPreemptions: \"few\" is not a whole "
	  "number" },
	{ "- {name: a, fairSharing: 2}",
	  "3: clusterQueues[0].fairSharing: \"2\" is not a map (its keys would "
	  "be weight)" },
	{ "- {name: a, flavorFungibility: {whenCanBorrow: Preempt,"
	  " whenCanPreempt: Borrow}}",
	  "3: clusterQueues[0].flavorFungibility.whenCanBorrow: \"Preempt\" is "
	  "not MayStopSearch, TryNextFlavor or Borrow\n"
	  "3: clusterQueues[0].flavorFungibility.whenCanPreempt: \"Borrow\" is "
	  "not MayStopSearch, TryNextFlavor or Preempt" },
	{ "- {name: a, flavorFungibility: {preference: Borrowing}}",
	  "3: clusterQueues[0].flavorFungibility.preference: \"Borrowing\" is "
	  "not BorrowingOverPreemption or PreemptionOverBorrowing\n"
	  "3: clusterQueues[0].flavorFungibility." NEEDS
	  " (whenCanBorrow is MayStopSearch)" },
	{ "- {name: a, flavorFungibility: {preference:"
	  " BorrowingOverPreemption}}",
	  "3: clusterQueues[0].flavorFungibility." NEEDS
	  " (whenCanBorrow is MayStopSearch)" },
	{ "- {name: a, flavorFungibility: {preference:"
	  " PreemptionOverBorrowing, whenCanBorrow: TryNextFlavor,"
	  " whenCanPreempt: Preempt}}",
	  "3: clusterQueues[0].flavorFungibility." NEEDS
	  " (whenCanPreempt is MayStopSearch)" },
	/* no second complaint where the first may explain it */
	{ "- {name: a, flavorFungibility: {preference:"
	  " PreemptionOverBorrowing, whenCanBorrow: TryNext}}",
	  "3: clusterQueues[0].flavorFungibility.whenCanBorrow: \"TryNext\" is "
	  "not MayStopSearch, TryNextFlavor or Borrow" },
};

static void test_errors(void **state)
{
	(void) state;
	parse_cases("cohorts: [{name: ml}]\nclusterQueues:\n%s\n", errors,
		    COUNT(errors));
}

static void test_defaults(void **state)
{
	struct conf *conf = parse_good("clusterQueues:\n- name: a\n", NULL);
	const struct spec_queue *q = &conf->spec->queues[0];

	(void) state;
	assert_int_equal(conf->queues[0].line, 2);
	assert_int_equal(conf->queues[0].nmatches, 0);
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
	assert_true(q->weight == 1);
	assert_int_equal(q->max_preemptions, 3);
	assert_int_equal(q->yield_after, 1);
	conf_destroy(conf);
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"		/* before the cohorts */
		"- name: a\n"
		"  cohort: ml\n"
		"  queueingStrategy: StrictFIFO\n"
		"  stopPolicy: HoldAndDrain\n"
		"  preemptMinRuntime: 0\n"
		"  maxPreemptions: 7\n"
		"  yieldAfterEvictions: 0\n"
		"  flavorFungibility: {whenCanBorrow: TryNextFlavor,"
		" whenCanPreempt: TryNextFlavor,"
		" preference: PreemptionOverBorrowing}\n"
		"- {name: b, preemptMinRuntime: 15, reclaimMinRuntime: 30s,"
		" fairSharing: {weight: 0.125}, stopPolicy: Hold, flavorFungibility:"
		" {whenCanBorrow: Borrow, whenCanPreempt: Preempt}}\n"
		"- {name: c, stopPolicy: None, queueingStrategy:"
		" BestEffortFIFO, flavorFungibility: {whenCanBorrow:"
		" MayStopSearch, whenCanPreempt: MayStopSearch}}\n"
		"cohorts: [{name: org}, {name: ml}]\n", NULL);
	const struct spec_queue *q = conf->spec->queues;

	(void) state;
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
	assert_true(q[1].weight == 0.125);
	assert_int_equal(q[1].stop, STOP_HOLD);
	assert_int_equal(q[1].when_can_borrow, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q[1].when_can_preempt, FUNGIBILITY_MAY_STOP);
	assert_int_equal(q[2].when_can_preempt, FUNGIBILITY_MAY_STOP);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
