/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test names.c - names before they are referred to, and how many there may be
 */
#include "parse.h"
#include "section/sections.h"

/* n items of a list that is section's, then a rest */
static char *items_make(const char *section, size_t n, const char *rest)
{
	size_t size = n * 24 + 256, used;
	char *text = malloc(size);

	assert_non_null(text);
	used = snprintf(text, size, "%s:\n", section);
	for (size_t i = 0; i < n; i++)
		used += snprintf(text + used, size - used, "- {name: x%zu}\n",
				 i);
	snprintf(text + used, size - used, "%s", rest);
	return text;
}

static const struct {
	const char *section;
	size_t max;
	const char *rest;
	const char *says;
} lists[] = {
	{ "flavors", FLAVORS_MAX, "clusterQueues: []\n",
	  "2: flavors: has more than 1024 items" },
	{ "cohorts", COHORTS_MAX, "clusterQueues: []\n",
	  "2: cohorts: has more than 65536 items" },
	{ "clusterQueues", QUEUES_MAX, "",
	  "2: clusterQueues: has more than 65536 items" },
};

static void test_max(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		char *text = items_make(lists[i].section, lists[i].max + 1,
					lists[i].rest);
		struct said said = { .text = "" };

		assert_null(conf_read_text("cohort.yaml", text, strlen(text),
				       said_add, &said));
		assert_string_equal(said.text, lists[i].says);
		free(text);
		text = items_make(lists[i].section, lists[i].max,
				  lists[i].rest);
		conf_destroy(conf_read_text("cohort.yaml", text, strlen(text),
					NULL, NULL));
		free(text);
	}
}

/* Names may be used before they are declared, and be the same in sections. */
static void test_order(void **state)
{
	struct conf *conf = parse_good(
		"clusterQueues:\n"
		"- {name: x, cohort: x, resourceGroups: [{coveredResources:"
		" [cpu], flavors: [{name: x, nominalQuota: cpu=1}]}]}\n"
		"cohorts: [{name: y, parent: x}, {name: x}]\n"
		"flavors: [{name: z}, {name: x}]\n", NULL);

	(void) state;
	assert_int_equal(conf->spec->queues[0].cohort, 1);
	assert_int_equal(conf->spec->cohorts[0].parent, 1);
	assert_int_equal(conf->spec->queues[0].quotas[0].flavor, 1);
	conf_destroy(conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_max),
		cmocka_unit_test(test_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
