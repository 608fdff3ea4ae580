/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test nonpreemptible.c - which jobs of a cluster queue can't be preempted
 */
#include "parse.h"

#define AT "4: clusterQueues[0].nonPreemptible"

static const struct parse_case errors[] = {
	{ "true", AT ": \"true\" is not a map (its keys would be match, "
	  "priority, byUser, scope)" },
	{ "{qos: interactive}", AT ".qos: unknown key (known here: match, "
	  "priority, byUser, scope)" },
	{ "{match: interactive}", AT ".match: \"interactive\" is not a list "
	  "of rules like [{partition: gpu}]" },
	{ "{match: [{qos: a}, {}]}", AT ".match[1]: is empty (a rule needs at "
	  "least one of partition, qos, account, user)" },
	{ "{match: [{qos: \"\"}]}", AT ".match[0].qos: is empty (\"*\" matches "
	  "any, and so does no key)" },
	{ "{priority: high}", AT ".priority: \"high\" is not a whole number" },
	{ "{priority: 4294967296}", AT ".priority: 4294967296 is over the "
	  "maximum of 4294967295" },
	{ "{priority: -2147483649}", AT ".priority: -2147483649 is under the "
	  "minimum of -2147483648" },
	{ "{byUser: sometimes}", AT ".byUser: \"sometimes\" is not true or "
	  "false" },
	{ "{byUser: true, scope: Queue}", AT ".scope: \"Queue\" is not "
	  "ClusterQueue or Cohort" },
	/* two at once, and nothing is lost or freed twice */
	{ "{match: [{user: x}, {usr: y}], scope: None}",
	  AT ".match[1].usr: unknown key (did you mean user?)\n"
	  AT ".scope: \"None\" is not ClusterQueue or Cohort" },
};

static const struct parse_case advice[] = {
	{ "{scope: ClusterQueue}", "clusterQueues[0].nonPreemptible: selects no "
	  "jobs: it needs match, priority or byUser to have any effect" },
	{ "{byUser: true, scope: Cohort}", "clusterQueues[0].nonPreemptible.scope: has no "
	  "effect without a cohort" },
	{ "{priority: 0}", "" },
	{ "{match: [{partition: gpu}]}", "" },
};

static const struct parse_case quota[] = {
	{ "cpu=0, temporaryQuota: [{end: 2999-01-01, nominalQuota: cpu=2}]", "" },
	{ "cpu=0", "clusterQueues[0].nonPreemptible: no such job can start: "
	  "nominal quota limits them, and the queue has none (scope: Cohort "
	  "would count the quota of its cohorts)" },
	{ "cpu=1", "" },
};

static void test_errors(void **state)
{
	(void) state;
	parse_cases("clusterQueues:\n- name: q\n  match: [{user: x}]\n"
		    "  nonPreemptible: %s\n", errors, COUNT(errors));
}

static size_t said_of(const struct parse_case *c, const char *wrap,
		      struct said *said)
{
	char text[1024];

	memset(said, 0, sizeof(*said));
	snprintf(text, sizeof(text), wrap, c->text);
	conf_destroy(parse_good(text, said));
	return said->warnings;
}

static void test_advice(void **state)
{
	static const char wrap[] = "clusterQueues:\n- name: q\n"
		"  match: [{user: x}]\n  nonPreemptible: %s\n"
		"  resourceGroups: [{coveredResources: [cpu], flavors: [{name:"
		" f, nominalQuota: cpu=1}]}]\nflavors: [{name: f}]\n";
	struct said said;

	(void) state;
	for (size_t i = 0; i < COUNT(advice); i++) {
		size_t n = said_of(&advice[i], wrap, &said);

		assert_int_equal(n, *advice[i].says != '\0');
		assert_non_null(strstr(said.text, advice[i].says));
	}
}

static void test_quota_advice(void **state)
{
	static const char wrap[] = "clusterQueues:\n- name: q\n"
		"  match: [{user: x}]\n  nonPreemptible: {byUser: true}\n"
		"  resourceGroups: [{coveredResources: [cpu], flavors: [{name:"
		" f, nominalQuota: %s}]}]\nflavors: [{name: f}]\n";
	struct said said;

	(void) state;
	for (size_t i = 0; i < COUNT(quota); i++) {
		assert_int_equal(said_of(&quota[i], wrap, &said),
				 *quota[i].says != '\0');
		assert_non_null(strstr(said.text, quota[i].says));
	}
}

static void test_values(void **state)
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

	(void) state;
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
	{ "match: [{qos: r}, {partition: p, account: a}]",
	  { "p", "q", "a", "u" }, 0, 0, true },
	{ "match: [{qos: r}, {partition: p, account: b}]",
	  { "p", "q", "a", "u" }, 0, 0, false },
	/* from a priority on */
	{ "priority: 100", { "p", "q", "a", "u" }, 99, 0, false },
	{ "priority: 100", { "p", "q", "a", "u" }, 100, 0, true },
	{ "priority: -1", { "p", "q", "a", "u" }, 0, 0, true },
	/* the user's word, both ways, where it counts */
	{ "priority: 100", { "p", "q", "a", "u" }, 9, CONF_NONPREEMPTIBLE,
	  false },
	{ "priority: 100", { "p", "q", "a", "u" }, 100, CONF_PREEMPTIBLE,
	  true },
	{ "byUser: true", { "p", "q", "a", "u" }, 9, CONF_NONPREEMPTIBLE,
	  true },
	{ "byUser: true", { "p", "q", "a", "u" }, 9, 0, false },
	{ "byUser: true, priority: 100", { "p", "q", "a", "u" }, 100,
	  CONF_PREEMPTIBLE, false },
	{ "byUser: true, match: [{qos: q}]", { "p", "q", "a", "u" }, 0,
	  CONF_PREEMPTIBLE, false },
};

static void test_jobs(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(jobs); i++) {
		char text[512];
		struct conf *conf;

		snprintf(text, sizeof(text), "clusterQueues:\n- name: a\n"
			 "- name: b\n  nonPreemptible: {%s}\n", jobs[i].text);
		conf = parse_good(text, &(struct said) { .text = "" });
		assert_int_equal(conf_is_nonpreemptible(conf, 1, &jobs[i].job,
							jobs[i].priority,
							jobs[i].word),
				 jobs[i].is);
		assert_false(conf_is_nonpreemptible(conf, 0, &jobs[i].job,
						    jobs[i].priority,
						    jobs[i].word));
		conf_destroy(conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_quota_advice),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_jobs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
