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
	{ "unmanaged: {preemption: qos}",
	  "unmanaged.preemption: qos " LEAVE ", or none)" },
	{ "unmanaged: {preemption: partition_prio}",
	  "unmanaged.preemption: partition_prio " LEAVE ", or none)" },
	{ "unmanaged: {preemption: none}", NULL },
	/* they all had none once */
	{ "minRuntime: {preempt: 1s, reclaim: 10m, resolve: queue}", NULL },
	{ "fairSharing: {enable: true, preemptionStrategies: "
	  "[LessThanInitialShare]}", NULL },
	{ "cohorts: [{name: a, fairSharing: {weight: 2}, preemptMinRuntime: 5,"
	  " reclaimMinRuntime: 2d}]", NULL },
};

static const struct {
	const char *text;
	const char *says;
} queue[] = {
	{ "maxPreemptions: 3",
	  "clusterQueues[0].maxPreemptions: 3 " LEAVE ", or 0)" },
	{ "maxPreemptions: 0", NULL },
	{ "preemptMinRuntime: 15m, reclaimMinRuntime: 1-0", NULL },
	{ "fairSharing: {weight: 0}", NULL },
	{ "preemption: {withinClusterQueue: LowerOrNewerEqualPriority, "
	  "withinClusterQueueConfig: {minAdmitDuration: 1h}}", NULL },
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
	text_check("clusterQueues: []\nunmanaged: {preemption: None}",
		   "unmanaged.preemption: \"None\" is not none, qos or "
		   "partition_prio (did you mean none?)");
}

static void test_read(void **state)
{
	struct conf *conf = parse_refused(
		"unmanaged: {preemption: partition_prio}\n"
		"clusterQueues: [{name: q, maxPreemptions: 3}]\n", LEAVE);

	(void) state;
	assert_int_equal(conf->unmanaged, CONF_UNMANAGED_PARTITION_PRIO);
	assert_int_equal(conf->spec->queues[0].max_preemptions, 3);
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
