/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test cohorts.c - groups that lend to each other
 */
#include "parse.h"

#define TAIL "clusterQueues: [{name: q, match: [{user: a}], cohort: ml}]\n"

static const struct parse_case errors[] = {
	{ "- ml", "3: cohorts[0]: \"ml\" is not a map (its keys would be name, "
	  "parent, resourceGroups, fairSharing, preemptMinRuntime, "
	  "reclaimMinRuntime)\n"
	  "4: clusterQueues[0].cohort: \"ml\" is not in cohorts" },
	{ "- {name: ml, cohort: org}",
	  "3: cohorts[0].cohort: unknown key (known here: name, parent, "
	  "resourceGroups, fairSharing, preemptMinRuntime, "
	  "reclaimMinRuntime)" },
	{ "- {name: ml}\n- {name: m l}\n- {name: ml}\n- {}",
	  "4: cohorts[1].name: \"m l\" is not a name (letters, digits, \"_\", "
	  "\"-\" and \".\")\n"
	  "5: cohorts[2].name: \"ml\" is there twice (first on line 3)\n"
	  "6: cohorts[3]: name is missing" },
	{ "- {name: ml, parent: orgg}\n- {name: org}",
	  "3: cohorts[0].parent: \"orgg\" is not in cohorts (did you mean "
	  "org?)" },
	{ "- {name: ml, parent: elsewhere}",
	  "3: cohorts[0].parent: \"elsewhere\" is not in cohorts" },
	{ "- {name: ml, parent: [org]}",
	  "3: cohorts[0].parent: a list is not a name" },
	{ "- {name: ml, fairSharing: {weight: -1}, preemptMinRuntime: x,"
	  " reclaimMinRuntime: []}",
	  "3: cohorts[0].fairSharing.weight: \"-1\" is not a weight (a number "
	  "from 0 to 1000000 with up to 3 decimals)\n"
	  "3: cohorts[0].preemptMinRuntime: \"x\" is not a time (minutes, "
	  "4:00:00, 2-12, or a number with unit like 30s, 10m, 4h, 2d)\n"
	  "3: cohorts[0].reclaimMinRuntime: a list is not a time" },
	/* quota of its own: as in quotas.c, but limits need a parent */
	{ "- name: ml\n  resourceGroups:\n  - coveredResources: [cpu]\n"
	  "    flavors: [{name: f, nominalQuota: cpu=1, borrowingLimit: cpu=1,"
	  " lendingLimit: cpu=2}]",
	  "6: cohorts[0].resourceGroups[0].flavors[0].borrowingLimit: a limit "
	  "needs a cohort to borrow from and lend to (there is none above)\n"
	  "6: cohorts[0].resourceGroups[0].flavors[0].lendingLimit: a limit "
	  "needs a cohort to borrow from and lend to (there is none above)" },
};

static void test_errors(void **state)
{
	(void) state;
	parse_cases("flavors: [{name: f}]\ncohorts:\n%s\n" TAIL, errors,
		    COUNT(errors));
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"flavors: [{name: f}]\n"
		"cohorts:\n"
		"- name: ml\n"			/* its parent comes later */
		"  parent: org\n"
		"  preemptMinRuntime: 0\n"
		"  resourceGroups:\n"
		"  - coveredResources: [cpu, gres/gpu]\n"
		"    flavors:\n"
		"    - {name: f, nominalQuota: \"cpu=8,gres/gpu=2\","
		" borrowingLimit: cpu=4, lendingLimit: gres/gpu=9}\n"
		"- {name: org, preemptMinRuntime: 15m, reclaimMinRuntime: 1h,"
		" fairSharing: {weight: 2.5}}\n" TAIL, NULL);
	const struct spec *spec = conf->spec;
	const struct spec_cohort *ml = &spec->cohorts[0];

	(void) state;
	assert_int_equal(spec->ncohorts, 2);
	assert_string_equal(ml->name, "ml");
	assert_int_equal(ml->parent, 1);
	assert_true(ml->weight == 1);
	assert_int_equal(ml->preempt_min_runtime, 0);
	assert_int_equal(ml->reclaim_min_runtime, SPEC_NO_TIME);
	assert_int_equal(spec->cohorts[1].parent, SPEC_NONE);
	assert_int_equal(spec->cohorts[1].preempt_min_runtime, 900 * SPEC_SEC);
	assert_int_equal(spec->cohorts[1].reclaim_min_runtime,
			 3600 * SPEC_SEC);
	assert_true(spec->cohorts[1].weight == 2.5);
	assert_int_equal(ml->nquotas, 2);
	assert_int_equal(ml->quotas[0].flavor, 0);
	assert_int_equal(ml->quotas[0].resource,
			 spec_find_resource(spec, "cpu"));
	assert_int_equal(ml->quotas[0].nominal, 8);
	assert_int_equal(ml->quotas[0].borrowing_limit, 4);
	assert_int_equal(ml->quotas[0].lending_limit, SPEC_NO_LIMIT);
	assert_int_equal(ml->quotas[1].nominal, 2);
	assert_int_equal(ml->quotas[1].borrowing_limit, SPEC_NO_LIMIT);
	assert_int_equal(ml->quotas[1].lending_limit, 9);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_values),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
