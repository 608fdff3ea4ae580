/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test config without memory - each allocation fails once: no conf, an error
 */
#include "parse.h"
#include "test/failing.h"
#include "text/report.h"
#include "yaml/document.h"

static const char good[] =
	"enforcement: observe\npriority: qos\nfairSharing: {enable: true, preemptionStrategies: "
	"[LessThanInitialShare]}\nvisibility: {publish: /p, maxPosition: 9}\nevents: {file: /e, "
	"keep: 9}\nnotify: {program: /n}\nflavors:\n- {name: a, features: \"x&y\", nodes: "
	"\"n[1-4]\", partitions: \"p,q\"}\n- {name: b, features: z}\ncohorts:\n- {name: top}\n- "
	"name: c\n  parent: top\n  resourceGroups: [{coveredResources: [cpu], flavors: [{name: a, "
	"nominalQuota: cpu=4, borrowingLimit: cpu=1, lendingLimit: cpu=1}]}]\nclusterQueues:\n- "
	"&q\n  name: q\n  cohort: c\n  match: [{partition: p, qos: q, account: \"a*\", user: u}, "
	"{account: b}]\n  resourceGroups:\n  - coveredResources: [cpu, mem]\n    flavors: [{name: "
	"a, nominalQuota: \"cpu=4,mem=1G\"}, {name: b, nominalQuota: \"cpu=4,mem=1G\"}]\n  - "
	"coveredResources: [gres/gpu]\n    flavors: [{name: b, nominalQuota: gres/gpu=4}]\n  "
	"admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}\n  localQueues: [{name: "
	"a}, {name: b, fairSharing: {weight: 2}}]\n  preemption: {withinClusterQueue: "
	"LowerPriority, reclaimWithinCohort: Any}\n- name: r\n  cohort: c\n  match: [{user: w}]\n"
	"  resourceGroups:\n  - coveredResources: [cpu]\n    flavors: [{name: a, nominalQuota: "
	"cpu=4}]\n";

static const char wrong[] =
	"cohorts: [{name: c, parent: d}, {name: c}]\nclusterQueues: [{name: q, cohort: x, match: "
	"[{}]}]\nnonsense: [*x]\n";

static const char aliases[] = "flavors: &f [{name: a}]\nclusterQueues: [*f, {<<: *f}]\n";

static void count_errors(void *arg, bool warning, const char *message)
{
	size_t *errors = arg;

	assert_true(*message);
	*errors += !warning;
}

/* Is the text good? Once for each allocation that it takes, until none fails. */
static void test_read(const char *text, bool is_good)
{
	struct conf *conf;
	size_t n = 0;
	bool failed;

	do {
		size_t errors = 0;

		failing_begin(++n);
		conf = conf_read_text("cohort.yaml", text, strlen(text), count_errors, &errors);
		failed = failing_end();
		/* a conf that lacks anything would be worse than none */
		if (failed && conf)
			assert_true(is_good);
		if (!failed)
			assert_int_equal(conf != NULL, is_good);
		/* though for the message itself there may be no memory */
		conf_destroy(conf);
	} while (failed);
	assert_in_range(n, 2, 5000);
}

static void test_good(void **state)
{
	test_read(good, true);
}

static void test_wrong(void **state)
{
	test_read(wrong, false);
	test_read(aliases, false);
	test_read("a: [", false);
	test_read("\xff", false);
}

/* A conf that was read while an allocation failed is the same, or there is
 * none. */
static void test_same(void **state)
{
	struct conf *whole = conf_read_text("c", good, strlen(good), NULL, NULL);
	bool failed = true;

	assert_non_null(whole);
	for (size_t n = 1; failed; n++) {
		struct conf *conf;

		failing_begin(n);
		conf = conf_read_text("c", good, strlen(good), NULL, NULL);
		failed = failing_end();
		if (!conf)
			continue;
		assert_int_equal(conf->spec->nqueues, whole->spec->nqueues);
		assert_int_equal(conf->spec->ncohorts, whole->spec->ncohorts);
		assert_int_equal(conf->queues[0].match.n, 2);
		assert_string_equal(conf->publish, "/p");
		for (size_t i = 0; i < whole->spec->nqueues; i++)
			assert_int_equal(conf->spec->queues[i].nquotas,
					 whole->spec->queues[i].nquotas);
		for (size_t i = 0; i < 2; i++) {
			assert_string_equal(conf->flavors[i].features, whole->flavors[i].features);
			assert_string_equal(conf->queues[0].match.list[i].account, i ? "b" : "a*");
		}
		assert_string_equal(conf->flavors[0].nodes, "n[1-4]");
		assert_string_equal(conf->source, good);
		conf_destroy(conf);
	}
	conf_destroy(whole);
}

static void test_stream(void **state)
{
	static const char text[] = "a: &x [1, b]\n---\nc: *x\n---\nd: 1\n";
	bool failed = true;

	for (size_t n = 1; failed; n++) {
		struct report *report = report_create("c");

		failing_begin(n);
		document_destroy(document_load_stream(text, strlen(text), report));
		failed = failing_end();
		report_destroy(report);
	}
}

TESTS(cmocka_unit_test(test_good), cmocka_unit_test(test_wrong), cmocka_unit_test(test_same),
      cmocka_unit_test(test_stream))
