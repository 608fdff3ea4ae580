/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test scarcest.c - which flavors and resources of a queue are shown
 */
#include "input/json_members.h"
#include "status/status.h"
#include "test/tests.h"

/* A quota: flavor, resource, used, free, potential; behind these: nominal */
#define OWN(f, r, used, free, most, nominal) \
	"{\"flavor\": \"" f "\", \"resource\": \"" r "\", \"used\": " #used \
	", \"free\": " #free ", \"potential\": " #most ", " nominal "}"
#define Q(f, r, used, free, most) OWN(f, r, used, free, most, "\"nominal\": 0")

static const struct {
	bool all;
	const char *resource, *quotas, *shown;
} cases[] = {
	{ false, NULL, Q("f", "cpu", 1, 7, 8), "f/cpu " },
	{ false, NULL, "", "" },
	/* the smallest part is free */
	{ false, NULL, Q("f", "cpu", 60, 4, 64) "," Q("f", "mem", 1, 63, 64), "f/cpu " },
	{ false, NULL, Q("f", "cpu", 60, 4, 64) "," Q("f", "gpu", 8, 0, 8), "f/gpu " },
	/* as scarce: the one of which there are fewest, then the first */
	{ false, NULL, Q("f", "cpu", 0, 64, 64) "," Q("f", "gpu", 0, 8, 8), "f/gpu " },
	{ false, NULL, Q("f", "cpu", 64, 0, 64) "," Q("f", "gpu", 8, 0, 8), "f/gpu " },
	{ false, NULL, Q("f", "cpu", 0, 8, 8) "," Q("g", "cpu", 0, 8, 8), "f/cpu " },
	/* a flavor without any quota to be had is not scarce */
	{ false, NULL, Q("f", "cpu", 0, 0, 0) "," Q("g", "cpu", 0, 8, 8), "g/cpu " },
	{ false, NULL, Q("f", "cpu", 0, 0, 0) "," Q("g", "cpu", 0, 0, 0), "f/cpu " },
	/* what it owns comes before what it only borrows; of a cohort, what its members
	 * own, too */
	{ false, NULL, Q("h100", "gpu", 2, 0, 2) ","
	  OWN("a100", "gpu", 1, 5, 6, "\"nominal\": 6"), "a100/gpu " },
	{ false, NULL, Q("h100", "gpu", 2, 0, 2) ","
	  OWN("a100", "gpu", 1, 5, 6, "\"nominal\": 0, \"subtree\": 6"), "a100/gpu " },
	{ false, NULL, OWN("h100", "gpu", 2, 0, 2, "\"nominal\": 1") ","
	  OWN("a100", "gpu", 1, 5, 6, "\"nominal\": 6"), "h100/gpu " },
	/* the one asked for, all */
	{ false, "cpu", Q("f", "cpu", 1, 63, 64) "," Q("f", "gpu", 8, 0, 8)
	  "," Q("g", "cpu", 2, 62, 64), "g/cpu " },
	{ false, "x", Q("f", "cpu", 1, 63, 64), "" },
	{ true, NULL, Q("f", "cpu", 1, 63, 64) "," Q("f", "gpu", 8, 0, 8), "f/cpu f/gpu " },
	{ true, "cpu", Q("f", "cpu", 1, 63, 64) "," Q("f", "gpu", 8, 0, 8), "f/cpu " },
};

static void test_shown(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct shown shown = { cases[i].all, cases[i].resource };
		struct json_object *node;
		char json[1024], text[128] = "";

		snprintf(json, sizeof(json), "{\"quota\": [%s]}", cases[i].quotas);
		node = json_tokener_parse(json);
		assert_non_null(node);
		for (size_t k = 0; k < json_items(node, "quota"); k++) {
			struct json_object *q = json_item(node, "quota", k);
			size_t n = strlen(text);

			if (quota_is_shown(&shown, node, k))
				snprintf(text + n, sizeof(text) - n, "%s/%s ",
					 json_text(q, "flavor"),
					 json_text(q, "resource"));
		}
		if (strcmp(text, cases[i].shown) != 0)
			fail_msg("case %zu: %s", i, text);
		json_object_put(node);
	}
}

TESTS(cmocka_unit_test(test_shown))
