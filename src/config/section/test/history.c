/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test history.c - usage history
 */
#include "parse.h"

#define QUEUES "clusterQueues:\n- name: q\n  match: [{user: x}]\n" \
	"  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n" \
	"  resourceGroups: [{coveredResources: [cpu], flavors:" \
	" [{name: f, nominalQuota: cpu=1}]}]\nflavors: [{name: f}]\n"

static const struct parse_case cases[] = {
	{ QUEUES "fairSharing: {enable: true, usageHalfLifeTime: 59s}",
	  "7: fairSharing.usageHalfLifeTime: 59s is under the minimum of 60s" },
	{ QUEUES "fairSharing: {enable: true, usageHalfLifeTime: -1}",
	  "7: fairSharing.usageHalfLifeTime: \"-1\" is negative (minutes, "
	  "4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)" },
	{ QUEUES "fairSharing: {enable: true, kValue: -1}",
	  "7: fairSharing.kValue: \"-1\" is not a weight (a number from 0 to "
	  "1000000 with up to 3 decimals)" },
	{ QUEUES "fairSharing:\n  enable: true\n  usageHalfLifeTime: 1d\n"
	  "  historyMargin: 1",
	  "10: fairSharing.historyMargin: historyMargin (1) has to be below "
	  "kValue (1): else equal queues never take turns" },
	{ QUEUES "fairSharing: {enable: true, kValue: 0.2}",
	  "7: fairSharing.kValue: historyMargin (0.25) has to be below "
	  "kValue (0.2): else equal queues never take turns" },
	{ QUEUES "admissionFairSharing: {usageHalfLifeTime: 30s}",
	  "7: admissionFairSharing.usageHalfLifeTime: 30s is under the "
	  "minimum of 60s" },
	{ QUEUES "admissionFairSharing: {usageHalfLifeTime: 1h,"
	  " usageSamplingInterval: 0}",
	  "7: admissionFairSharing.usageSamplingInterval: 0 is under the "
	  "minimum of 1s" },
	{ QUEUES "admissionFairSharing:\n  resourceWeights:\n    cpu: -2\n"
	  "    gres/gpu: 1",
	  "9: admissionFairSharing.resourceWeights.cpu: \"-2\" is not a weight "
	  "(a number from 0 to 1000000 with up to 3 decimals)\n"
	  "10: admissionFairSharing.resourceWeights.gres/gpu: no cluster queue "
	  "covers this resource" },
	{ QUEUES "admissionFairSharing: {resourceWeights: [cpu]}",
	  "7: admissionFairSharing.resourceWeights: a list is not a map of "
	  "resources and weights" },
	{ QUEUES "admissionFairSharing: {halfLife: 1h}",
	  "7: admissionFairSharing.halfLife: unknown key (known here: "
	  "usageHalfLifeTime, usageSamplingInterval, resourceWeights, usageFrom)" },
	{ QUEUES "admissionFairSharing: {usageFrom: sacct}",
	  "7: admissionFairSharing.usageFrom: \"sacct\" is not cohort or slurm" },
	{ QUEUES, "4: warning: clusterQueues[0].admissionScope.admissionMode"
	  ": has no effect unless admissionFairSharing.usageHalfLifeTime is"
	  " set" },
	{ QUEUES "admissionFairSharing: {usageHalfLifeTime: 1h}\n"
	  "fairSharing: {usageHalfLifeTime: 1h}",
	  "8: warning: fairSharing.usageHalfLifeTime: has no effect unless "
	  "fairSharing.enable is true" },
};

#define LATELY "admissionFairSharing: {usageHalfLifeTime: 1h}\n"
#define IN_QUEUE "flavors: [{name: f}]\nclusterQueues:\n- name: q\n" \
	"  match: [{user: x}]\n  resourceGroups: [{coveredResources: [cpu]," \
	" flavors: [{name: f, nominalQuota: cpu=1}]}]\n"
#define SCOPE "  admissionScope: {admissionMode:" \
	" UsageBasedAdmissionFairSharing}\n"

static const struct parse_case locals[] = {
	{ LATELY IN_QUEUE SCOPE "  localQueues:\n"
	  "  - {name: a, fairSharing: {weight: -1}}\n"
	  "  - {name: b, fairSharing: {weight: much}}\n"
	  "  - {name: c, weight: 2}\n"
	  "  - {fairSharing: {weight: 2}}\n"
	  "  - {name: \"\"}\n  - {name: \"lab*\"}\n  - {name: [a]}\n  - d",
	  "9: clusterQueues[0].localQueues[0].fairSharing.weight: \"-1\" is not "
	  "a weight (a number from 0 to 1000000 with up to 3 decimals)\n"
	  "10: clusterQueues[0].localQueues[1].fairSharing.weight: \"much\" is "
	  "not a weight (a number from 0 to 1000000 with up to 3 decimals)\n"
	  "11: clusterQueues[0].localQueues[2].weight: unknown key (known here: "
	  "name, fairSharing)\n"
	  "12: clusterQueues[0].localQueues[3]: name is missing\n"
	  "13: clusterQueues[0].localQueues[4].name: is empty: it has to be the "
	  "name of an account (or user, as localQueue says)\n"
	  "14: clusterQueues[0].localQueues[5].name: \"lab*\" is a pattern: a "
	  "weight is for one account or user, by its name\n"
	  "15: clusterQueues[0].localQueues[6].name: a list is not a name\n"
	  "16: clusterQueues[0].localQueues[7]: \"d\" is not a map (its keys "
	  "would be name, fairSharing)" },
	{ LATELY IN_QUEUE SCOPE "  localQueues:\n  - {name: a}\n  - {name: b}\n"
	  "  - {name: a, fairSharing: {weight: 2}}",
	  "11: clusterQueues[0].localQueues[2].name: \"a\" is there twice "
	  "(first on line 9)" },
	{ LATELY IN_QUEUE SCOPE "  localQueues: {a: 2}",
	  "8: clusterQueues[0].localQueues: a map is not a list of accounts or "
	  "users like [{name: lab, fairSharing: {weight: 2}}]" },
	{ LATELY IN_QUEUE "  localQueues: [{name: a}]",
	  "7: warning: clusterQueues[0].localQueues: has no effect unless "
	  "admissionScope.admissionMode is UsageBasedAdmissionFairSharing" },
	{ IN_QUEUE SCOPE "  localQueues: [{name: a}]",
	  "6: warning: clusterQueues[0].admissionScope.admissionMode"
	  ": has no effect unless admissionFairSharing.usageHalfLifeTime is"
	  " set" },
};

static void test_locals(void **state)
{
	struct conf *conf;

	(void) state;
	parse_cases("%s", locals, COUNT(locals));
	conf = parse_good(LATELY IN_QUEUE SCOPE "  localQueues: [{name: a,"
			  " fairSharing: {weight: 0.5}}, {name: b}, {name: \"7\","
			  " fairSharing: {weight: 0}}]", NULL);
	assert_int_equal(conf->queues[0].nlocals, 3);
	assert_true(conf_local_weight(conf, 0, "a") == 0.5);
	assert_true(conf_local_weight(conf, 0, "b") == 1);
	assert_true(conf_local_weight(conf, 0, "7") == 0);
	assert_true(conf_local_weight(conf, 0, "c") == 1);
	assert_true(conf_local_weight(conf, 0, NULL) == 1);
	conf_destroy(conf);
}

static void test_cases(void **state)
{
	(void) state;
	parse_cases("%s", cases, COUNT(cases));
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		QUEUES "admissionFairSharing: {usageHalfLifeTime: 2d,"
		" usageSamplingInterval: 1m, resourceWeights: {cpu: 0.5}}\n"
		"fairSharing: {enable: true, usageHalfLifeTime: 1h, kValue: 3,"
		" historyMargin: 2}\n", NULL);
	const struct spec_history *h = &conf->spec->history;

	(void) state;
	assert_true(conf->spec->queues[0].by_usage);
	assert_int_equal(h->half_life, 3600 * SPEC_SEC);
	assert_true(h->k == 3);
	assert_true(h->margin == 2);
	assert_int_equal(h->local_half_life, 48 * 3600 * SPEC_SEC);
	assert_int_equal(h->sampling, 60 * SPEC_SEC);
	assert_true(h->weights[0] == 0.5);
	conf_destroy(conf);
	conf = parse_good(QUEUES "admissionFairSharing: {usageFrom: slurm}",
			  NULL);
	assert_true(conf->slurm_usage);
	assert_true(conf->spec->queues[0].by_usage);
	assert_int_equal(conf->spec->history.local_half_life,
			 7 * 24 * 3600 * SPEC_SEC);
	conf_destroy(conf);
	conf = parse_good("clusterQueues: []\nfairSharing: {enable: true,"
			  " usageHalfLifeTime: 0}", NULL);
	assert_int_equal(conf->spec->history.half_life, 0);
	assert_true(conf->spec->history.k == 1);
	assert_true(conf->spec->history.margin == 0.25);
	assert_int_equal(conf->spec->history.sampling, 300 * SPEC_SEC);
	assert_null(conf->spec->history.weights);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_locals),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
