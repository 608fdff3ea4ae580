/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test cohorts.c - groups that lend to each other
 */
#include "parse.h"
#include "section/sections.h"

#define TAIL "clusterQueues: [{name: q, match: [{user: a}], cohort: ml}]\n"

static const struct parse_case errors[] = {
	{ "- ml", "3: cohorts[0]: \"ml\" is not a map (its keys would be name, parent, "
	  "resourceGroups, fairSharing, preemptMinRuntime, reclaimMinRuntime)\n4: "
	  "clusterQueues[0].cohort: \"ml\" is not in cohorts" },
	{ "- {name: ml, cohort: org}", "3: cohorts[0].cohort: unknown key (known here: name, "
	  "parent, resourceGroups, fairSharing, preemptMinRuntime, reclaimMinRuntime)" },
	{ "- {name: ml}\n- {name: m l}\n- {name: ml}\n- {}", "4: cohorts[1].name: \"m l\" is not a "
	  "name (letters, digits, \"_\", \"-\" and \".\")\n5: cohorts[2].name: \"ml\" is there "
	  "twice (first on line 3)\n6: cohorts[3]: name is missing" },
	{ "- {name: ml, parent: orgg}\n- {name: org}",
	  "3: cohorts[0].parent: \"orgg\" is not in cohorts (did you mean org?)" },
	{ "- {name: ml, parent: elsewhere}",
	  "3: cohorts[0].parent: \"elsewhere\" is not in cohorts" },
	{ "- {name: ml, parent: [org]}", "3: cohorts[0].parent: a list is not a name" },
	{ "- {name: ml, fairSharing: {weight: -1}, preemptMinRuntime: x, reclaimMinRuntime: []}",
	  "3: cohorts[0].fairSharing.weight: \"-1\"" NO_WEIGHT "\n3: cohorts[0].preemptMinRuntime: "
	  "\"x\" is not a time" OF_TIME "\n3: cohorts[0].reclaimMinRuntime: a list is not a time" },
	/* quota of its own: as in quotas.c, but limits need a parent */
	{ "- name: ml\n  resourceGroups:\n  - coveredResources: [cpu]\n    flavors: [{name: f, "
	  "nominalQuota: cpu=1, borrowingLimit: cpu=1, lendingLimit: cpu=2}]",
	  "6: cohorts[0].resourceGroups[0].flavors[0].borrowingLimit: a limit needs a cohort to "
	  "borrow from and lend to (there is none above)\n6: "
	  "cohorts[0].resourceGroups[0].flavors[0].lendingLimit: a limit needs a cohort to borrow "
	  "from and lend to (there is none above)" },
};

TEST_PARSE(test_errors, "flavors: [{name: f}]\ncohorts:\n%s\n" TAIL, "", errors)

static void test_values(void **state)
{
	struct conf *conf = parse_good("flavors: [{name: f}]\ncohorts:\n- name: "
		"ml\n"			/* its parent comes later */
		"  parent: org\n  preemptMinRuntime: 0\n  resourceGroups:\n  - coveredResources: "
		"[cpu, gres/gpu]\n    flavors:\n    - {name: f, nominalQuota: "
		"\"cpu=8,gres/gpu=2\", borrowingLimit: cpu=4, lendingLimit: gres/gpu=9}\n- {name: "
		"org, preemptMinRuntime: 15m, reclaimMinRuntime: 1h, fairSharing: {weight: "
		"2.5}}\n" TAIL, NULL);
	const struct spec *spec = conf->spec;
	const struct spec_cohort *ml = &spec->cohorts[0];

	assert_int_equal(spec->ncohorts, 2);
	assert_string_equal(ml->name, "ml");
	assert_int_equal(ml->parent, 1);
	assert_true(ml->weight == 1);
	assert_int_equal(ml->preempt_min_runtime, 0);
	assert_int_equal(ml->reclaim_min_runtime, SPEC_NO_TIME);
	assert_int_equal(spec->cohorts[1].parent, SPEC_NONE);
	assert_int_equal(spec->cohorts[1].preempt_min_runtime, 900 * SPEC_SEC);
	assert_int_equal(spec->cohorts[1].reclaim_min_runtime, 3600 * SPEC_SEC);
	assert_true(spec->cohorts[1].weight == 2.5);
	assert_int_equal(ml->nquotas, 2);
	assert_int_equal(ml->quotas[0].flavor, 0);
	assert_int_equal(ml->quotas[0].resource, spec_find_resource(spec, "cpu"));
	assert_int_equal(ml->quotas[0].nominal, 8);
	assert_int_equal(ml->quotas[0].borrowing_limit, 4);
	assert_int_equal(ml->quotas[0].lending_limit, SPEC_NO_LIMIT);
	assert_int_equal(ml->quotas[1].nominal, 2);
	assert_int_equal(ml->quotas[1].borrowing_limit, SPEC_NO_LIMIT);
	assert_int_equal(ml->quotas[1].lending_limit, 9);
	conf_destroy(conf);
}

/* ---- cohorts must form trees ---- */

static const struct parse_case errors_tree[] = {
	{ "- {name: a, parent: a}", "2: cohorts[0].parent: is a cycle: a -> a" },
	{ "- {name: a, parent: b}\n- {name: b, parent: a}",
	  "2: cohorts[0].parent: is a cycle: a -> b -> a" },
	/* reported at its first member, whichever cohort leads into it */
	{ "- {name: in, parent: c}\n- {name: x}\n- {name: b, parent: a}\n- {name: a, parent: c}\n- "
	  "{name: c, parent: b}\n- {name: in2, parent: in}",
	  "4: cohorts[2].parent: is a cycle: b -> a -> c -> b" },
	/* each once */
	{ "- {name: a, parent: b}\n- {name: b, parent: a}\n- {name: c, parent: d}\n- {name: d, "
	  "parent: c}\n- {name: e, parent: e}\n- {name: f, parent: d}",
	  "2: cohorts[0].parent: is a cycle: a -> b -> a\n4: cohorts[2].parent: is a cycle: c -> d "
	  "-> c\n6: cohorts[4].parent: is a cycle: e -> e" },
	/* a wrong parent hides no cycle */
	{ "- {name: a, parent: nowhere}\n- {name: b, parent: b}", "2: cohorts[0].parent: "
	  "\"nowhere\" is not in cohorts\n3: cohorts[1].parent: is a cycle: b -> b" },
};

TEST_PARSE(test_cycles, "cohorts:\n%s\nclusterQueues: []\n", "", errors_tree)

/* A chain of n cohorts, the root first or last, a queue in the deepest */
static void chain_format(char *buf, size_t size, int n, bool root_first)
{
	size_t used = snprintf(buf, size, "cohorts:\n");

	for (int i = 0; i < n; i++) {
		int c = root_first ? i : n - 1 - i;

		used += snprintf(buf + used, size - used, "- {name: c%d", c);
		if (c)
			used += snprintf(buf + used, size - used, ", parent: c%d", c - 1);
		used += snprintf(buf + used, size - used, "}\n");
	}
	snprintf(buf + used, size - used, "clusterQueues: [{name: q, cohort: c%d, match: [{user: "
		 "u}]}]\n", n - 1);
}

static void test_depth(void **state)
{
	char text[4096];

	for (int first = 0; first < 2; first++) {
		struct parse_case deep[] = {
			{ text, first ?
			  "34: cohorts[32]: \"c32\" is deeper than 32 levels of cohorts" :
			  "2: cohorts[0]: \"c32\" is deeper than 32 levels of cohorts" },
		};

		chain_format(text, sizeof(text), COHORT_LEVELS_MAX, first);
		conf_destroy(parse_good(text, NULL));
		chain_format(text, sizeof(text), COHORT_LEVELS_MAX + 1, first);
		parse_cases("%s", "", deep, 1);
	}
}

/* A cycle of more names than a message has room for is cut. */
static void test_long_cycle(void **state)
{
	char text[8192];
	size_t used = snprintf(text, sizeof(text), "cohorts:\n");
	struct said said = { .text = "" };

	for (int i = 0; i < 30; i++)
		used += snprintf(text + used, sizeof(text) - used,
				 "- {name: cohort-number-%d, parent: cohort-number-%d}\n", i,
				 (i + 1) % 30);
	snprintf(text + used, sizeof(text) - used, "clusterQueues: []\n");
	assert_null(conf_read_text("cohort.yaml", text, strlen(text), said_add, &said));
	assert_int_equal(said.errors, 1);
	assert_non_null(strstr(said.text, "2: cohorts[0].parent: is a cycle: cohort-number-0 -> "
			       "cohort-number-1 -> "));
	assert_string_equal(said.text + strlen(said.text) - 3, "...");
}

/* ---- names before they are referred to, and how many there may be ---- */

/* n items of a list that is section's, then a rest */
static char *items_make(const char *section, size_t n, const char *rest)
{
	size_t size = n * 24 + 256, used;
	char *text = malloc(size);

	assert_non_null(text);
	used = snprintf(text, size, "%s:\n", section);
	for (size_t i = 0; i < n; i++)
		used += snprintf(text + used, size - used, "- {name: x%zu}\n", i);
	snprintf(text + used, size - used, "%s", rest);
	return text;
}

static const struct {
	const char *section;
	size_t max;
	const char *rest;
	const char *says;
} lists[] = {
	{ "flavors", FLAVORS_MAX, "clusterQueues: []\n", "2: flavors: has more than 1024 items" },
	{ "cohorts", COHORTS_MAX, "clusterQueues: []\n", "2: cohorts: has more than 65536 items" },
	{ "clusterQueues", QUEUES_MAX, "", "2: clusterQueues: has more than 65536 items" },
};

static void test_max(void **state)
{
	for (size_t i = 0; i < COUNT(lists); i++) {
		char *text = items_make(lists[i].section, lists[i].max + 1, lists[i].rest);
		struct said said = { .text = "" };

		assert_null(conf_read_text("cohort.yaml", text, strlen(text), said_add, &said));
		assert_string_equal(said.text, lists[i].says);
		free(text);
		text = items_make(lists[i].section, lists[i].max, lists[i].rest);
		conf_destroy(conf_read_text("cohort.yaml", text, strlen(text), NULL, NULL));
		free(text);
	}
}

/* Names may be used before they are declared, and be the same in sections. */
static void test_order(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"
		"- {name: x, cohort: x, resourceGroups: [{coveredResources: [cpu], flavors: "
		"[{name: x, nominalQuota: cpu=1}]}]}\n"
		"cohorts: [{name: y, parent: x}, {name: x}]\n"
		"flavors: [{name: z}, {name: x}]\n", NULL);

	assert_int_equal(conf->spec->queues[0].cohort, 1);
	assert_int_equal(conf->spec->cohorts[0].parent, 1);
	assert_int_equal(conf->spec->queues[0].quotas[0].flavor, 1);
	conf_destroy(conf);
}

TESTS(cmocka_unit_test(test_errors), cmocka_unit_test(test_values), cmocka_unit_test(test_cycles),
      cmocka_unit_test(test_depth), cmocka_unit_test(test_long_cycle), cmocka_unit_test(test_max),
      cmocka_unit_test(test_order))
