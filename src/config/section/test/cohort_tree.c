/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test cohort_tree.c - cohorts must form trees
 */
#include "parse.h"
#include "section/sections.h"


static const struct parse_case errors[] = {
	{ "- {name: a, parent: a}", "2: cohorts[0].parent: is a cycle: a -> a" },
	{ "- {name: a, parent: b}\n- {name: b, parent: a}",
	  "2: cohorts[0].parent: is a cycle: a -> b -> a" },
	/* reported at its first member, whichever cohort leads into it */
	{ "- {name: in, parent: c}\n- {name: x}\n- {name: b, parent: a}\n"
	  "- {name: a, parent: c}\n- {name: c, parent: b}\n"
	  "- {name: in2, parent: in}",
	  "4: cohorts[2].parent: is a cycle: b -> a -> c -> b" },
	/* each once */
	{ "- {name: a, parent: b}\n- {name: b, parent: a}\n"
	  "- {name: c, parent: d}\n- {name: d, parent: c}\n"
	  "- {name: e, parent: e}\n- {name: f, parent: d}",
	  "2: cohorts[0].parent: is a cycle: a -> b -> a\n"
	  "4: cohorts[2].parent: is a cycle: c -> d -> c\n"
	  "6: cohorts[4].parent: is a cycle: e -> e" },
	/* a wrong parent hides no cycle */
	{ "- {name: a, parent: nowhere}\n- {name: b, parent: b}",
	  "2: cohorts[0].parent: \"nowhere\" is not in cohorts\n"
	  "3: cohorts[1].parent: is a cycle: b -> b" },
};

static void test_cycles(void **state)
{
	(void) state;
	parse_cases("cohorts:\n%s\nclusterQueues: []\n", errors,
		    COUNT(errors));
}

/* A chain of n cohorts, the root first or last, a queue in the deepest */
static void chain_format(char *buf, size_t size, int n, bool root_first)
{
	size_t used = snprintf(buf, size, "cohorts:\n");

	for (int i = 0; i < n; i++) {
		int c = root_first ? i : n - 1 - i;

		used += snprintf(buf + used, size - used, "- {name: c%d", c);
		if (c)
			used += snprintf(buf + used, size - used,
					 ", parent: c%d", c - 1);
		used += snprintf(buf + used, size - used, "}\n");
	}
	snprintf(buf + used, size - used, "clusterQueues: [{name: q, "
		 "cohort: c%d, match: [{user: u}]}]\n", n - 1);
}

static void test_depth(void **state)
{
	char text[4096];

	(void) state;
	for (int first = 0; first < 2; first++) {
		struct parse_case deep[] = {
			{ text, first ?
			  "34: cohorts[32]: \"c32\" is deeper than 32 levels "
			  "of cohorts" :
			  "2: cohorts[0]: \"c32\" is deeper than 32 levels of "
			  "cohorts" },
		};

		chain_format(text, sizeof(text), COHORT_LEVELS_MAX, first);
		conf_destroy(parse_good(text, NULL));
		chain_format(text, sizeof(text), COHORT_LEVELS_MAX + 1, first);
		parse_cases("%s", deep, 1);
	}
}

/* A cycle of more names than a message has room for is cut. */
static void test_long_cycle(void **state)
{
	char text[8192];
	size_t used = snprintf(text, sizeof(text), "cohorts:\n");
	struct said said = { .text = "" };

	(void) state;
	for (int i = 0; i < 30; i++)
		used += snprintf(text + used, sizeof(text) - used,
				 "- {name: cohort-number-%d,"
				 " parent: cohort-number-%d}\n", i,
				 (i + 1) % 30);
	snprintf(text + used, sizeof(text) - used, "clusterQueues: []\n");
	assert_null(conf_read_text("cohort.yaml", text, strlen(text), said_add,
			       &said));
	assert_int_equal(said.errors, 1);
	assert_non_null(strstr(said.text, "2: cohorts[0].parent: is a cycle: "
			       "cohort-number-0 -> cohort-number-1 -> "));
	assert_string_equal(said.text + strlen(said.text) - 3, "...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_long_cycle),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
