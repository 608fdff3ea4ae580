/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test effect.c - fields without effect in this version are refused
 */
#include "parse.h"

#define LEAVE "has no effect in this version (leave it out"
#define QUEUE "clusterQueues: [{name: q, match: [{user: u}], %s}]"

/* The document, and what is said of it; NULL: nothing of the kind */
static const struct {
	const char *text;
	const char *says;
} site[] = {
	{ "fairSharing: {enable: true}",
	  "fairSharing.enable: true " LEAVE ", or false)" },
	{ "fairSharing: {enable: false}", NULL },
	{ "fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
	  "fairSharing.preemptionStrategies: " LEAVE ")" },
	{ "minRuntime: {preempt: 1s}",
	  "minRuntime.preempt: 1s " LEAVE ", or 0)" },
	{ "minRuntime: {reclaim: 10m}",
	  "minRuntime.reclaim: 10m " LEAVE ", or 0)" },
	{ "minRuntime: {resolve: queue}",
	  "minRuntime.resolve: queue " LEAVE ", or lca)" },
	{ "minRuntime: {preempt: 0, reclaim: 00:00:00, resolve: lca}", NULL },
	{ "unmanaged: {preemption: qos}",
	  "unmanaged.preemption: qos " LEAVE ", or none)" },
	{ "unmanaged: {preemption: partition_prio}",
	  "unmanaged.preemption: partition_prio " LEAVE ", or none)" },
	{ "unmanaged: {preemption: none}", NULL },
	{ "cohorts: [{name: a, fairSharing: {weight: 1}}]",
	  "cohorts[0].fairSharing.weight: " LEAVE ")" },
	{ "cohorts: [{name: a}, {name: b, preemptMinRuntime: 5}]",
	  "cohorts[1].preemptMinRuntime: 5 " LEAVE ", or 0)" },
	{ "cohorts: [{name: a, reclaimMinRuntime: 2d}]",
	  "cohorts[0].reclaimMinRuntime: 2d " LEAVE ", or 0)" },
	{ "cohorts: [{name: a, preemptMinRuntime: 0s, reclaimMinRuntime: 0}]",
	  NULL },
};

static const struct {
	const char *text;
	const char *says;
} queue[] = {
	{ "fairSharing: {weight: 0}",
	  "clusterQueues[0].fairSharing.weight: " LEAVE ")" },
	{ "preemptMinRuntime: 15m",
	  "clusterQueues[0].preemptMinRuntime: 15m " LEAVE ", or 0)" },
	{ "reclaimMinRuntime: 1-0",
	  "clusterQueues[0].reclaimMinRuntime: 1-0 " LEAVE ", or 0)" },
	{ "maxPreemptions: 3",
	  "clusterQueues[0].maxPreemptions: 3 " LEAVE ", or 0)" },
	{ "preemptMinRuntime: 0, reclaimMinRuntime: 0, maxPreemptions: 0",
	  NULL },
	{ "preemption: {withinClusterQueue: LowerOrNewerEqualPriority, "
	  "withinClusterQueueConfig: {minAdmitDuration: 1h}}",
	  "clusterQueues[0].preemption.withinClusterQueueConfig."
	  "minAdmitDuration: " LEAVE ")" },
	{ "preemption: {withinClusterQueueConfig: {}}", NULL },
};

static void text_check(const char *text, const char *says)
{
	struct said said = { .text = "" };
	struct conf *conf;

	conf = conf_parse("cohort.yaml", text, strlen(text), said_add, &said);
	assert_int_equal(said.errors, says ? 1 : 0);
	assert_int_equal(conf == NULL, says != NULL);
	if (says)
		assert_string_equal(strchr(said.text, ' ') + 1, says);
	else
		assert_null(strstr(said.text, LEAVE));
	conf_destroy(conf);
}

static void test_site(void **state)
{
	char text[512];

	(void) state;
	for (size_t i = 0; i < COUNT(site); i++) {
		snprintf(text, sizeof(text), "clusterQueues: []\n%s\n",
			 site[i].text);
		text_check(text, site[i].says);
	}
}

static void test_queue(void **state)
{
	char text[512];

	(void) state;
	for (size_t i = 0; i < COUNT(queue); i++) {
		snprintf(text, sizeof(text), QUEUE, queue[i].text);
		text_check(text, queue[i].says);
	}
}

/* A value that is wrong is told as such only. */
static void test_wrong(void **state)
{
	(void) state;
	text_check("clusterQueues: []\nminRuntime: {preempt: -1}",
		   "minRuntime.preempt: \"-1\" is negative (minutes, 4:00:00, "
		   "2-12, or a number with unit like 30s, 10m, 4h, 2d)");
}

static void test_read(void **state)
{
	struct conf *conf = parse_refused(
		"minRuntime: {preempt: 5m, reclaim: 10m, resolve: queue}\n"
		"fairSharing: {enable: true, preemptionStrategies:"
		" [LessThanInitialShare]}\n"
		"unmanaged: {preemption: partition_prio}\n"
		"clusterQueues: []\n", LEAVE);
	const struct spec *spec = conf->spec;

	(void) state;
	assert_int_equal(spec->preempt_min_runtime, 300 * SPEC_SEC);
	assert_int_equal(spec->reclaim_min_runtime, 600 * SPEC_SEC);
	assert_int_equal(spec->resolve, RESOLVE_QUEUE);
	assert_true(spec->fair_sharing);
	assert_int_equal(spec->strategies[0], FAIR_LESS_INITIAL);
	assert_int_equal(spec->strategies[1], FAIR_NONE);
	assert_int_equal(conf->unmanaged, CONF_UNMANAGED_PARTITION_PRIO);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_site),
		cmocka_unit_test(test_queue),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_read),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
