/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test edit_temporary.c - quotas for a time, written into a cohort.yaml
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "apply/edit.h"

#define NOW 4086691200			/* 2099-07-02T16:00Z */
#define ITEM "{begin: 2099-07-02T16:00:00, end: 2099-07-03T16:00:00, " \
	"nominalQuota: {cpu: 12}}"
#define LINES(more) "flavors: [{name: f}] # kinds\nclusterQueues:\n" \
	"- name: a # first\n  resourceGroups:\n" \
	"  - coveredResources: [cpu, mem]\n    flavors:\n" \
	"    - name: f # all\n" more "      nominalQuota: \"cpu=8,mem=1G\"\n"
#define LINE(more) "flavors: [{name: f}, {name: g}]\nclusterQueues: # all\n" \
	"- {name: a, resourceGroups: [{coveredResources: [cpu, mem], flavors: " \
	"[{name: f" more ", nominalQuota: \"cpu=8,mem=1G\"}, {name: g, " \
	"nominalQuota: \"cpu=8,mem=1G\"}]}]}\n"
#define JSON(more) "{\"flavors\": [{\"name\": \"f\"}], \"clusterQueues\": " \
	"[{\"name\": \"a\", \"resourceGroups\": [{\"coveredResources\": " \
	"[\"cpu\"], \"flavors\": [{\"name\": \"f\"" more \
	", \"nominalQuota\": \"cpu=8\"}]}]}]}"
#define LATER "{begin: 2100-01-01, nominalQuota: mem=2G}"
#define OLD(amount) "{begin: 2099-07-01, end: 2099-08-01, nominalQuota: " \
	amount "}"

static const struct {
	const char *from, *to;		/* to: NULL: a message */
} cases[] = {
	{ LINES(""), LINES("      temporaryQuota:\n      - " ITEM "\n") },
	{ LINES("      temporaryQuota:\n      - " LATER " # note\n"),
	  LINES("      temporaryQuota:\n      - " ITEM "\n      - " LATER
		" # note\n") },
	{ LINES("      temporaryQuota:\n        - begin: 2100-01-01\n"
		"          nominalQuota: cpu=1\n"),
	  LINES("      temporaryQuota:\n        - " ITEM "\n        - begin: "
		"2100-01-01\n          nominalQuota: cpu=1\n") },
	{ LINES("      temporaryQuota: []\n"),
	  LINES("      temporaryQuota: [" ITEM "]\n") },
	{ LINE(""), LINE(", temporaryQuota: [" ITEM "]") },
	{ LINE(", temporaryQuota: [" LATER "]"),
	  LINE(", temporaryQuota: [" ITEM ", " LATER "]") },
	{ JSON(""), JSON(", \"temporaryQuota\": [{\"begin\": "
			 "\"2099-07-02T16:00:00\", \"end\": "
			 "\"2099-07-03T16:00:00\", \"nominalQuota\": "
			 "{\"cpu\": \"12\"}}]") },
	/* the one in force is replaced, those of each week are not */
	{ LINES("      temporaryQuota:\n      - " OLD("cpu=3") " # why\n"
		"      - " LATER "\n"),
	  LINES("      temporaryQuota:\n      - " ITEM " # why\n      - " LATER
		"\n") },
	{ LINES("      temporaryQuota: [" OLD("cpu=3") ", " LATER "]\n"),
	  LINES("      temporaryQuota: [" ITEM ", " LATER "]\n") },
	{ LINES("      temporaryQuota:\n      - {begin: Mon, end: Sun, "
		"nominalQuota: cpu=1}\n"),
	  LINES("      temporaryQuota:\n      - " ITEM "\n      - {begin: Mon, "
		"end: Sun, nominalQuota: cpu=1}\n") },
	/* another one is in the way */
	{ LINES("      temporaryQuota:\n      - {begin: 2099-07-03, "
		"nominalQuota: cpu=1}\n"), NULL },
	{ LINES("      temporaryQuota:\n      - " OLD("\"cpu=3,mem=1G\"")
		"\n"), NULL },
	{ LINES("      temporaryQuota:\n      - begin: 2099-07-01\n"
		"        nominalQuota: cpu=1\n"), NULL },
};

static void test_cases(void **state)
{
	const struct temporary_edit t = {
		"a", "f", "cpu", "12", NOW, NOW + 86400,
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char err[256] = "", *text;

		text = edit_temporary_quota(cases[i].from, &t, err,
					    sizeof(err));
		if (!cases[i].to && (text || !*err))
			fail_msg("case %zu: %s", i, text ? text : "no message");
		if (cases[i].to && (!text || strcmp(text, cases[i].to) != 0))
			fail_msg("case %zu: %s%s", i, text ? text : "", err);
		free(text);
	}
}

static void test_errors(void **state)
{
	static const struct {
		struct temporary_edit t;
		const char *says;
	} errors[] = {
		{ { "z", "f", "cpu", "1", NOW, NOW + 9 },
		  "there is no cluster queue \"z\"" },
		{ { "a", "z", "cpu", "1", NOW, NOW + 9 },
		  "\"a\" has no quota of cpu in flavor \"z\"" },
		{ { "a", "f", "node", "1", NOW, NOW + 9 },
		  "\"a\" has no quota of node in flavor \"f\"" },
		{ { "a", "f", "cpu", "x", NOW, NOW + 9 },
		  "cpu=x is not an amount (a whole number, with a suffix K, M, "
		  "G, T or P if wanted)" },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		char err[256] = "";

		assert_null(edit_temporary_quota(LINES(""), &errors[i].t, err,
						 sizeof(err)));
		assert_string_equal(err, errors[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_errors),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
