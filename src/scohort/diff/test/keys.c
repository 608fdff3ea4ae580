/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test keys.c - keys that differ between two files
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diff/diff.h"
#include "input/json_members.h"

static const struct {
	const char *from, *to;
	const char *changes;	/* "PATH:FROM>TO;" each */
} cases[] = {
	{ "a: 1", "a: 1", "" },
	{ "a: 1 # why", "{a: 1}", "" },
	{ "a: 1", "a: 2", "a:1>2;" },
	{ "a: 1", "b: 1", "a:1>;b:>1;" },
	{ "a: {b: 1, c: 2}", "a: {c: 2, b: 3}", "a.b:1>3;" },
	{ "a: [x, y]", "a: [y, x]", "a:[x, y]>[y, x];" },
	{ "a: 1", "a: [1]", "a:1>[1];" },
	{ "a: {b: 1}", "a: 1", "a:{b: 1}>1;" },
	/* things with names: by name, and their order counts */
	{ "q: [{name: x, s: 1}, {name: y}]", "q: [{name: x, s: 2}, {name: y}]",
	  "q[x].s:1>2;" },
	{ "q: [{name: x}]", "q: [{name: x}, {name: y, s: 1}]",
	  "q[y]:>{name: y, s: 1};" },
	{ "q: [{name: x}, {name: y}]", "q: [{name: y}]", "q[x]:{name: x}>;" },
	{ "q: [{name: x}, {name: y}]", "q: [{name: y}, {name: x}]",
	  "q:>another order;" },
	{ "q: []", "q: [{name: x}]", "q[x]:>{name: x};" },
	/* rules: as a set, and their order counts */
	{ "m: [{u: 1}, {u: 2}]", "m: [{u: 2}, {u: 3}]",
	  "m:{u: 1}>;m:>{u: 3};" },
	{ "m: [{u: 1}, {u: 2}]", "m: [{u: 2}, {u: 1}]", "m:>another order;" },
	/* groups by number; amounts are told of elsewhere */
	{ "resourceGroups: [{c: [cpu], flavors: [{name: f, nominalQuota: 1}]}]",
	  "resourceGroups: [{c: [cpu], flavors: [{name: f, nominalQuota: 2}]}]",
	  "" },
	{ "resourceGroups: [{c: [cpu]}]", "resourceGroups: [{c: [mem]}]",
	  "resourceGroups[0].c:[cpu]>[mem];" },
};

static void test_keys(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct json_object *list = diff_keys(cases[i].from,
						     cases[i].to);
		char text[512] = "";

		assert_non_null(list);
		for (size_t k = 0; k < json_object_array_length(list); k++) {
			struct json_object *o =
				json_object_array_get_idx(list, k);
			size_t n = strlen(text);

			snprintf(text + n, sizeof(text) - n, "%s:%s>%s;",
				 json_text(o, "path"), json_text(o, "from"),
				 json_text(o, "to"));
		}
		if (strcmp(text, cases[i].changes) != 0)
			fail_msg("%s -> %s: %s", cases[i].from, cases[i].to,
				 text);
		json_object_put(list);
	}
	assert_null(diff_keys("a: [", "a: 1"));
	assert_null(diff_keys("a: 1", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
