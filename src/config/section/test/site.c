/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test site.c - the document, and settings of the whole site
 */
#include "parse.h"

#define SITE_KEYS "enforcement, priority, localQueue, preemptorTimeout, " \
	"packBorrowers, lentNodeWeight, planBudget, plannedJobs, unmanaged, visibility, events, " \
	"notify, minRuntime, fairSharing, flavors, cohorts, clusterQueues, admissionFairSharing, " \
	"lossWeights"

static const struct parse_case documents[] = {
	{ "[]", "1: a list is not a map (its keys would be " SITE_KEYS ")" },
	{ "hello", "1: \"hello\" is not a map (its keys would be " SITE_KEYS ")" },
	{ "{}", "1: clusterQueues is missing" },
	{ "priority: qos", "1: clusterQueues is missing" },
	{ "clusterQueues:", "1: clusterQueues:" NO_VALUE },
	{ "clusterQueues: x", "1: clusterQueues: \"x\" is not a list of cluster queues" },
	{ "clusterQueues: {a: 1}", "1: clusterQueues: a map is not a list of cluster queues" },
	{ "clusterQueues: []\nflavors: {}\ncohorts: 3", "2: flavors: a map is not a list of "
	  "flavors\n3: cohorts: \"3\" is not a list of cohorts" },
	{ "clusterQueues: []\nclusterQueues: []",
	  "2: clusterQueues: is there twice (first on line 1)" },
	{ "clusterQueues: []\nqueues: []\nzz: 1", "2: queues: unknown key (known here: " SITE_KEYS
	  ")\n3: zz: unknown key (known here: " SITE_KEYS ")" },
	{ "clusterQueues: []\nx: &x {}\n<<: *x", "2: x: unknown key (known here: " SITE_KEYS ")\n"
	  "3: <<: merge keys are not understood (write the keys out, or alias a value)" },
	{ "clusterQueues: []", "1: warning: clusterQueues: is empty: no job is managed" },
};

static const struct parse_case errors[] = {
	{ "enforcment: enforce", "enforcment: unknown key (did you mean enforcement?)" },
	{ "enforcement: Enforce",
	  "enforcement: \"Enforce\" is not enforce or observe (did you mean enforce?)" },
	{ "enforcement:", "enforcement:" NO_VALUE },
	{ "enforcement: null", "enforcement:" NO_VALUE },
	{ "enforcement: \"\"", "enforcement: \"\" is not enforce or observe" },
	{ "priority: multifactor", "priority: \"multifactor\" is not qos, partition or job" },
	{ "localQueue: accounts",
	  "localQueue: \"accounts\" is not account or user (did you mean account?)" },
	{ "preemptorTimeout: 0", "preemptorTimeout: 0 is under the minimum of 1s" },
	{ "preemptorTimeout: 25h", "preemptorTimeout: 25h is over the maximum of 1d" },
	{ "preemptorTimeout: soon", "preemptorTimeout: \"soon\" is not a time" OF_TIME },
	{ "packBorrowers: 2", "packBorrowers: \"2\" is not true or false" },
	{ "lentNodeWeight: 0", "lentNodeWeight: 0 is under the minimum of 1" },
	{ "lentNodeWeight: 101", "lentNodeWeight: 101 is over the maximum of 100" },
	{ "planBudget: 9999", "planBudget: 9999 is under the minimum of 10000" },
	{ "plannedJobs: 17", "plannedJobs: 17 is over the maximum of 16" },
	{ "plannedJobs: -1", "plannedJobs: -1 is under the minimum of 0" },
	{ "packBorrowers: []", "packBorrowers: a list is not true or false" },
	{ "preemptorTimeout: {a: 1}", "preemptorTimeout: a map is not a time" },
	{ "unmanaged: none", "unmanaged: \"none\" is not a map (its keys would be preemption)" },
	{ "unmanaged: {preemption: tier}",
	  "unmanaged.preemption: \"tier\" is not none, qos or partition_prio" },
	{ "visibility: {updateInterval: 0s, maxPosition: 0, comments: yes}",
	  "visibility.updateInterval: 0s is under the minimum of 1s\nvisibility.maxPosition: 0 is "
	  "under the minimum of 1\nvisibility.comments: \"yes\" is not true or false" },
	{ "visibility:\n  updateInterval: 2h\n  maxPosition: 1000000001",
	  "3: visibility.updateInterval: 2h is over the maximum of 1h\n4: visibility.maxPosition: "
	  "1000000001 is over the maximum of 1000000000" },
	{ "visibility: {maxPosition: 99999999999999999999}",
	  "visibility.maxPosition: 99999999999999999999 is over the maximum of 1000000000" },
	{ "visibility: {maxPosition: -99999999999999999999}",
	  "visibility.maxPosition: -99999999999999999999 is under the minimum of 1" },
	{ "visibility: {maxPosition: 4e3}",
	  "visibility.maxPosition: \"4e3\" is not a whole number" },
	{ "visibility: {maxPosition: \" 4\"}",
	  "visibility.maxPosition: \" 4\" is not a whole number" },
	{ "visibility: {maxPosition: [4]}",
	  "visibility.maxPosition: a list is not a whole number" },
	{ "visibility: {publish: [/x], comments: true}",
	  "visibility.publish: a list is not a path" },
	{ "visibility: {publish: status.json}",
	  "visibility.publish: \"status.json\" is not the absolute path of a file" },
	{ "visibility: {publish: /}",
	  "visibility.publish: \"/\" is not the absolute path of a file" },
	{ "visibility: {publish: /run/slurm/}",
	  "visibility.publish: \"/run/slurm/\" is not the absolute path of a file" },
	{ "events: {file: events.jsonl}",
	  "events.file: \"events.jsonl\" is not the absolute path of a file" },
	{ "events: {maxMegabytes: 0, keep: -1, enable: 1}",
	  "events.enable: \"1\" is not true or false\nevents.maxMegabytes: 0 is under the minimum "
	  "of 1\nevents.keep: -1 is under the minimum of 0" },
	{ "events: {maxMegabytes: 1025, keep: 1001}", "events.maxMegabytes: 1025 is over the "
	  "maximum of 1024\nevents.keep: 1001 is over the maximum of 1000" },
	{ "events: /var/log/events", "events: \"/var/log/events\" is not a map (its keys would be "
	  "enable, file, maxMegabytes, keep)" },
	{ "notify: {}", "notify: program is missing" },
	{ "notify: {program: mail.sh, timeLimit: 0, atOnce: 0}",
	  "notify.program: \"mail.sh\" is not the absolute path of a file\nnotify.timeLimit: 0 is "
	  "under the minimum of 1s\nnotify.atOnce: 0 is under the minimum of 1" },
	{ "notify: {program: /p, timeLimit: 1h, atOnce: 65}", "notify.timeLimit: 1h is over the "
	  "maximum of 10m\nnotify.atOnce: 65 is over the maximum of 64" },
	{ "minRuntime: {preempt: -1, reclaim: 1y, resolve: LCA}",
	  "minRuntime.preempt: \"-1\" is negative" OF_TIME "\nminRuntime.reclaim: \"1y\" is not a "
	  "time" OF_TIME "\nminRuntime.resolve: \"LCA\" is not lca or queue (did you mean lca?)" },
	{ "fairSharing: {enable: on}", "fairSharing.enable: \"on\" is not true or false" },
	{ "fairSharing: {preemptionStrategies: []}",
	  "fairSharing.preemptionStrategies: is not a list of one or two strategies" },
	{ "fairSharing: {preemptionStrategies: LessThanInitialShare}",
	  "fairSharing.preemptionStrategies: \"LessThanInitialShare\" is not a list of "
	  "strategies" },
	{ "fairSharing: {preemptionStrategies: [LessThanInitialShar]}",
	  "fairSharing.preemptionStrategies[0]: \"LessThanInitialShar\" is not "
	  "LessThanOrEqualToFinalShare or LessThanInitialShare (did you mean "
	  "LessThanInitialShare?)" },
	{ "fairSharing: {preemptionStrategies: [LessThanInitialShare, "
	  "LessThanOrEqualToFinalShare]}", "fairSharing.preemptionStrategies: two strategies can "
	  "only be LessThanOrEqualToFinalShare and then LessThanInitialShare" },
	{ "fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanInitialShare]}",
	  "fairSharing.preemptionStrategies: two strategies can only be "
	  "LessThanOrEqualToFinalShare and then LessThanInitialShare" },
};

/* Only errors count here: the error in this section keeps warnings away. */
#define WRAP "clusterQueues: [{name: q, match: [{user: a}], cohort: no}]\n%s\n"
#define WRAP_SAYS "1: clusterQueues[0].cohort: \"no\" is not in cohorts\n"

#define GROUPS "  resourceGroups: [{coveredResources: [cpu, \"gres/gpu\"]," \
	" flavors: [{name: f, nominalQuota: \"cpu=1,gres/gpu=1\"}]}]\n"
#define COVERED "flavors: [{name: f}]\nclusterQueues:\n- name: q\n" \
	"  match: [{user: x}]\n" GROUPS

static const struct parse_case losses[] = {
	{ "cpu", ": \"cpu\" is not a map of resources and weights" },
	{ "[cpu]", ": a list is not a map of resources and weights" },
	{ "{}", ": names no resource (leave the key out for CPU time)" },
	{ "{cpu: -1, mem: 1, gres/gpu: many}", ".cpu: \"-1\"" NO_WEIGHT "\n.mem: no cluster queue "
	  "covers this resource\n.gres/gpu: \"many\"" NO_WEIGHT },
	{ "{cpu: 0, gres/gpu: 0.0}",
	  ": all weights are 0, so nothing would be lost (leave the key out for CPU time)" },
	/* what is wrong is told, and nothing about the sum of the rest */
	{ "{cpu: 0, mem: 1}", ".mem: no cluster queue covers this resource" },
};

static void test_losses(void **state)
{
	struct conf *conf;

	parse_cases(COVERED "lossWeights: %s", "6: lossWeights", losses, COUNT(losses));
	/* what is left out does not count; it may stand before the queues */
	conf = parse_good("lossWeights: {gres/gpu: 2.5}\n" COVERED, NULL);
	assert_true(conf->loss_weights[0] == 0);
	assert_true(conf->loss_weights[1] == 2.5);
	conf_destroy(conf);
	conf = parse_good(COVERED, NULL);
	assert_null(conf->loss_weights);
	conf_destroy(conf);
}

TEST_PARSE(test_documents, "%s", "", documents)

static void test_errors(void **state)
{
	for (size_t i = 0; i < COUNT(errors); i++) {
		char says[1024];
		struct parse_case c = { errors[i].text, says };

		snprintf(says, sizeof(says), WRAP_SAYS "%s", errors[i].says);
		parse_cases(WRAP, "2: ", &c, 1);
	}
}

static void test_defaults(void **state)
{
	struct conf *conf = parse_good("clusterQueues: []", NULL);

	assert_false(conf->observe);
	assert_int_equal(conf->priority, CONF_PRIORITY_DEFAULT);
	assert_int_equal(conf->unmanaged, CONF_UNMANAGED_NONE);
	assert_int_equal(conf->local_queue, CONF_LOCAL_ACCOUNT);
	assert_int_equal(conf->update_interval, 5 * SPEC_SEC);
	assert_int_equal(conf->max_position, 4000);
	assert_true(conf->comments);
	assert_int_equal(conf->own_timeout, 300 * SPEC_SEC);
	assert_true(conf->pack_borrowers);
	assert_int_equal(conf->lent_node_weight, 1);
	assert_int_equal(conf->planned_jobs, 0);
	assert_false(conf->spec->fair_sharing);
	assert_int_equal(conf->spec->preempt_min_runtime, 0);
	assert_int_equal(conf->spec->reclaim_min_runtime, 0);
	assert_int_equal(conf->spec->resolve, RESOLVE_LCA);
	assert_int_equal(conf->spec->strategies[0], FAIR_LESS_OR_EQUAL_FINAL);
	assert_int_equal(conf->spec->strategies[1], FAIR_LESS_INITIAL);
	assert_int_equal(conf->spec->nqueues, 0);
	conf_destroy(conf);
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"enforcement: observe\n"
		"priority: job\n"
		"localQueue: user\n"
		"preemptorTimeout: 90s\n"
		"packBorrowers: false\n"
		"lentNodeWeight: 4\n"
		"plannedJobs: 2\n"
		"unmanaged: {preemption: partition_prio}\n"
		"visibility: {updateInterval: 1, maxPosition: 10, publish: /r/s.json, comments: "
		"false}\n"
		"minRuntime: {preempt: 5, reclaim: 90s, resolve: queue}\n"
		"fairSharing: {enable: true, preemptionStrategies: [LessThanInitialShare]}\n"
		"clusterQueues: []\n", NULL);

	assert_true(conf->observe);
	assert_int_equal(conf->priority, CONF_PRIORITY_JOB);
	assert_int_equal(conf->unmanaged, CONF_UNMANAGED_PARTITION_PRIO);
	assert_int_equal(conf->local_queue, CONF_LOCAL_USER);
	assert_int_equal(conf->own_timeout, 90 * SPEC_SEC);
	assert_false(conf->pack_borrowers);
	assert_int_equal(conf->lent_node_weight, 4);
	assert_int_equal(conf->planned_jobs, 2);
	assert_string_equal(conf->publish, "/r/s.json");
	assert_int_equal(conf->update_interval, 60 * SPEC_SEC);
	assert_int_equal(conf->max_position, 10);
	assert_false(conf->comments);
	assert_int_equal(conf->spec->preempt_min_runtime, 300 * SPEC_SEC);
	assert_int_equal(conf->spec->reclaim_min_runtime, 90 * SPEC_SEC);
	assert_int_equal(conf->spec->resolve, RESOLVE_QUEUE);
	assert_true(conf->spec->fair_sharing);
	assert_int_equal(conf->spec->strategies[0], FAIR_LESS_INITIAL);
	assert_int_equal(conf->spec->strategies[1], FAIR_NONE);
	conf_destroy(conf);
}

/* ---- usage history ---- */

#define QUEUES "clusterQueues:\n- name: q\n  match: [{user: x}]\n" \
	"  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n" \
	"  resourceGroups: [{coveredResources: [cpu], flavors:" \
	" [{name: f, nominalQuota: cpu=1}]}]\nflavors: [{name: f}]\n"

static const struct parse_case cases[] = {
	{ "fairSharing: {enable: true, usageHalfLifeTime: 59s}",
	  "7: fairSharing.usageHalfLifeTime: 59s is under the minimum of 60s" },
	{ "fairSharing: {enable: true, usageHalfLifeTime: -1}",
	  "7: fairSharing.usageHalfLifeTime: \"-1\" is negative" OF_TIME },
	{ "fairSharing: {enable: true, kValue: -1}", "7: fairSharing.kValue: \"-1\"" NO_WEIGHT },
	{ "fairSharing:\n  enable: true\n  usageHalfLifeTime: 1d\n  historyMargin: 1",
	  "10: fairSharing.historyMargin: historyMargin (1) has to be below kValue (1): else equal "
	  "queues never take turns" },
	{ "fairSharing: {enable: true, kValue: 0.2}", "7: fairSharing.kValue: historyMargin (0.25) "
	  "has to be below kValue (0.2): else equal queues never take turns" },
	{ "admissionFairSharing: {usageHalfLifeTime: 30s}",
	  "7: admissionFairSharing.usageHalfLifeTime: 30s is under the minimum of 60s" },
	{ "admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 0}",
	  "7: admissionFairSharing.usageSamplingInterval: 0 is under the minimum of 1s" },
	{ "admissionFairSharing:\n  resourceWeights:\n    cpu: -2\n    gres/gpu: 1",
	  "9: admissionFairSharing.resourceWeights.cpu: \"-2\"" NO_WEIGHT "\n10: "
	  "admissionFairSharing.resourceWeights.gres/gpu: no cluster queue covers this resource" },
	{ "admissionFairSharing: {resourceWeights: [cpu]}",
	  "7: admissionFairSharing.resourceWeights: a list is not a map of resources and weights" },
	{ "admissionFairSharing: {halfLife: 1h}", "7: admissionFairSharing.halfLife: unknown key "
	  "(known here: usageHalfLifeTime, usageSamplingInterval, resourceWeights, usageFrom)" },
	{ "admissionFairSharing: {usageFrom: sacct}",
	  "7: admissionFairSharing.usageFrom: \"sacct\" is not cohort or slurm" },
	{ "", "4: warning: clusterQueues[0].admissionScope.admissionMode: has no effect unless "
	  "admissionFairSharing.usageHalfLifeTime is set" },
	{ "admissionFairSharing: {usageHalfLifeTime: 1h}\nfairSharing: {usageHalfLifeTime: 1h}",
	  "8: warning: fairSharing.usageHalfLifeTime: has no effect unless fairSharing.enable is "
	  "true" },
};

#define LATELY "admissionFairSharing: {usageHalfLifeTime: 1h}\n"
#define IN_QUEUE "flavors: [{name: f}]\nclusterQueues:\n- name: q\n" \
	"  match: [{user: x}]\n  resourceGroups: [{coveredResources: [cpu]," \
	" flavors: [{name: f, nominalQuota: cpu=1}]}]\n"
#define SCOPE "  admissionScope: {admissionMode:" \
	" UsageBasedAdmissionFairSharing}\n"

static const struct parse_case locals[] = {
	{ LATELY IN_QUEUE SCOPE "  localQueues:\n  - {name: a, fairSharing: {weight: -1}}\n  - "
	  "{name: b, fairSharing: {weight: much}}\n  - {name: c, weight: 2}\n  - {fairSharing: "
	  "{weight: 2}}\n  - {name: \"\"}\n  - {name: \"lab*\"}\n  - {name: [a]}\n  - d",
	  "9: clusterQueues[0].localQueues[0].fairSharing.weight: \"-1\"" NO_WEIGHT "\n10: "
	  "clusterQueues[0].localQueues[1].fairSharing.weight: \"much\"" NO_WEIGHT "\n11: "
	  "clusterQueues[0].localQueues[2].weight: unknown key (known here: name, fairSharing)\n"
	  "12: clusterQueues[0].localQueues[3]: name is missing\n13: "
	  "clusterQueues[0].localQueues[4].name: is empty: it has to be the name of an account (or "
	  "user, as localQueue says)\n14: clusterQueues[0].localQueues[5].name: \"lab*\" is a "
	  "pattern: a weight is for one account or user, by its name\n15: "
	  "clusterQueues[0].localQueues[6].name: a list is not a name\n16: "
	  "clusterQueues[0].localQueues[7]: \"d\" is not a map (its keys would be name, "
	  "fairSharing)" },
	{ LATELY IN_QUEUE SCOPE "  localQueues:\n  - {name: a}\n  - {name: b}\n  - {name: a, "
	  "fairSharing: {weight: 2}}",
	  "11: clusterQueues[0].localQueues[2].name: \"a\" is there twice (first on line 9)" },
	{ LATELY IN_QUEUE SCOPE "  localQueues: {a: 2}", "8: clusterQueues[0].localQueues: a map "
	  "is not a list of accounts or users like [{name: lab, fairSharing: {weight: 2}}]" },
	{ LATELY IN_QUEUE "  localQueues: [{name: a}]", "7: warning: clusterQueues[0].localQueues: "
	  "has no effect unless admissionScope.admissionMode is UsageBasedAdmissionFairSharing" },
	{ IN_QUEUE SCOPE "  localQueues: [{name: a}]",
	  "6: warning: clusterQueues[0].admissionScope.admissionMode: has no effect unless "
	  "admissionFairSharing.usageHalfLifeTime is set" },
};

static void test_locals(void **state)
{
	struct conf *conf;

	parse_cases("%s", "", locals, COUNT(locals));
	conf = parse_good(LATELY IN_QUEUE SCOPE "  localQueues: [{name: a, fairSharing: {weight: "
			  "0.5}}, {name: b}, {name: \"7\", fairSharing: {weight: 0}}]", NULL);
	assert_int_equal(conf->queues[0].nlocals, 3);
	assert_true(conf_local_weight(conf, 0, "a") == 0.5);
	assert_true(conf_local_weight(conf, 0, "b") == 1);
	assert_true(conf_local_weight(conf, 0, "7") == 0);
	assert_true(conf_local_weight(conf, 0, "c") == 1);
	assert_true(conf_local_weight(conf, 0, NULL) == 1);
	conf_destroy(conf);
}

TEST_PARSE(test_cases, QUEUES "%s", "", cases)

static void test_history_values(void **state)
{
	struct conf *conf = parse_good(
		QUEUES "admissionFairSharing: {usageHalfLifeTime: 2d, usageSamplingInterval: 1m, "
		"resourceWeights: {cpu: 0.5}}\nfairSharing: {enable: true, usageHalfLifeTime: 1h, "
		"kValue: 3, historyMargin: 2}\n", NULL);
	const struct spec_history *h = &conf->spec->history;

	assert_true(conf->spec->queues[0].by_usage);
	assert_int_equal(h->half_life, 3600 * SPEC_SEC);
	assert_true(h->k == 3);
	assert_true(h->margin == 2);
	assert_int_equal(h->local_half_life, 48 * 3600 * SPEC_SEC);
	assert_int_equal(h->sampling, 60 * SPEC_SEC);
	assert_true(h->weights[0] == 0.5);
	conf_destroy(conf);
	conf = parse_good(QUEUES "admissionFairSharing: {usageFrom: slurm}", NULL);
	assert_true(conf->slurm_usage);
	assert_true(conf->spec->queues[0].by_usage);
	assert_int_equal(conf->spec->history.local_half_life, 7 * 24 * 3600 * SPEC_SEC);
	conf_destroy(conf);
	conf = parse_good("clusterQueues: []\nfairSharing: {enable: true, usageHalfLifeTime: "
			  "0}", NULL);
	assert_int_equal(conf->spec->history.half_life, 0);
	assert_true(conf->spec->history.k == 1);
	assert_true(conf->spec->history.margin == 0.25);
	assert_int_equal(conf->spec->history.sampling, 300 * SPEC_SEC);
	assert_null(conf->spec->history.weights);
	conf_destroy(conf);
}

TESTS(cmocka_unit_test(test_losses), cmocka_unit_test(test_documents),
      cmocka_unit_test(test_errors), cmocka_unit_test(test_defaults), cmocka_unit_test(test_values),
      cmocka_unit_test(test_locals), cmocka_unit_test(test_cases),
      cmocka_unit_test(test_history_values))
