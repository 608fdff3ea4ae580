/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test edit.c - one value of cohort.yaml is changed, all else stays
 */
#include "apply/apply.h"
#include "output/output.h"
#include "test/outside.h"

#define HEAD "flavors: [{name: f}, {name: g}] # kinds\n" \
	"clusterQueues: # in order\n"
#define GROUPS(cpu) "resourceGroups: [{coveredResources: [cpu, mem], flavors: " \
	"[{name: f, nominalQuota: \"" cpu ",mem=16G\"}, " \
	"{name: g, nominalQuota: \"cpu=8,mem=16G\"}]}]"
/* a queue in lines, and one on a line */
#define A(more, cpu) "- name: a   # the first\n" more "  match: [{qos: name}]\n" \
	"  " GROUPS(cpu) "\n"
#define B(more) "- {name: b" more ", match: [{account: b}], " GROUPS("cpu=8") "}\n"
#define C(more) "- \"name\": \"c\"\n" more

static const struct {
	const char *from, *queue, *policy, *to;
} stops[] = {
	{ HEAD A("", "cpu=8"), "a", "Hold", HEAD A("  stopPolicy: Hold\n", "cpu=8") },
	{ HEAD A("  stopPolicy: Hold # today\n", "cpu=8") B(""), "a", "None",
	  HEAD A("  stopPolicy: None # today\n", "cpu=8") B("") },
	{ HEAD A("", "cpu=8") B(""), "b", "HoldAndDrain",
	  HEAD A("", "cpu=8") B(", stopPolicy: HoldAndDrain") },
	{ HEAD B(", stopPolicy: Hold"), "b", "HoldAndDrain", HEAD B(", stopPolicy: HoldAndDrain") },
	{ HEAD C(""), "c", "Hold", HEAD C("  stopPolicy: Hold\n") },
	{ HEAD A("", "cpu=8"), "a", "None", HEAD A("", "cpu=8") },
	/* characters of several bytes */
	{ "\xef\xbb\xbf# f\xc3\xbcr\n" HEAD B(", stopPolicy: Hold"), "b", "None",
	  "\xef\xbb\xbf# f\xc3\xbcr\n" HEAD B(", stopPolicy: None") },
	/* two on one line */
	{ "flavors: [{name: f}]\nclusterQueues: [{name: x, stopPolicy: Hold}, {name: y, "
	  "stopPolicy: Hold}]\n", "y", "None",
	  "flavors: [{name: f}]\nclusterQueues: [{name: x, stopPolicy: Hold}, {name: y, "
	  "stopPolicy: None}]\n" },
	{ "{\"flavors\": [{\"name\": \"f\"}], \"clusterQueues\": [{\"name\": \"f\"}]}", "f", "Hold",
	  "{\"flavors\": [{\"name\": \"f\"}], \"clusterQueues\": [{\"name\": \"f\", "
	  "\"stopPolicy\": \"Hold\"}]}" },
	{ HEAD A("", "cpu=8"), "z", "Hold", NULL },
	/* what comes from an anchor is not this queue's alone */
	{ "flavors: [{name: f}]\nclusterQueues:\n- {name: x, stopPolicy: &s Hold}\n- {name: y, "
	  "stopPolicy: *s}\n", "y", "None", NULL },
};

static char err[256];			/* the message of an edit */
static FILE *messages;

static void listen(void)
{
	memset(err, 0, sizeof(err));
	messages = fmemopen(err, sizeof(err), "w");
	output_messages_to(messages);
}

static void listened(void)
{
	output_messages_to(NULL);
	fclose(messages);
}

/* to: NULL: a message */
static void check(size_t i, const char *to, char *text)
{
	listened();
	if (!to && (text || !*err))
		fail_msg("case %zu: %s", i, text ? text : "no message");
	if (to && (!text || strcmp(text, to) != 0))
		fail_msg("case %zu: %s%s", i, text ? text : "", err);
	free(text);
}

static void test_stop(void **state)
{
	for (size_t i = 0; i < COUNT(stops); i++) {
		char *text;

		listen();
		text = edit_text(stops[i].from, &(struct edit_ask) {
			.queue = stops[i].queue, .policy = stops[i].policy });
		check(i, stops[i].to, text);
	}
}

#define MAP_OF(cpu) "flavors: [{name: f}]\nclusterQueues:\n- name: a\n" \
	"  resourceGroups:\n  - coveredResources: [cpu, mem]\n" \
	"    flavors:\n    - name: f\n" \
	"      nominalQuota: {cpu: " cpu ", mem: 8} # note\n"

static const struct {
	const char *from, *queue, *flavor, *resource, *amount, *to;
} quotas[] = {
	{ HEAD A("", "cpu=8") B(""), "a", "f", "cpu", "12", HEAD A("", "cpu=12") B("") },
	{ MAP_OF("8"), "a", "f", "cpu", "12", MAP_OF("12") },
	{ HEAD A("", "cpu=8"), "a", "f", "mem", "16384M", HEAD A("", "cpu=8") },
	{ HEAD A("", "cpu=8"), "a", "f", "cpu", "many", NULL },
	{ HEAD A("", "cpu=8"), "a", "f", "node", "1", NULL },
	{ HEAD A("", "cpu=8"), "a", "h", "cpu", "1", NULL },
	{ HEAD A("", "cpu=8"), "a", "f", "c p u", "1", NULL },
};

static void test_quota(void **state)
{
	for (size_t i = 0; i < COUNT(quotas); i++) {
		char *text;

		listen();
		text = edit_text(quotas[i].from, &(struct edit_ask) {
			.queue = quotas[i].queue, .flavor = quotas[i].flavor,
			.resource = quotas[i].resource, .amount = quotas[i].amount });
		check(i, quotas[i].to, text);
	}
}

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
} temporaries[] = {
	{ LINES(""), LINES("      temporaryQuota:\n      - " ITEM "\n") },
	{ LINES("      temporaryQuota:\n      - " LATER " # note\n"),
	  LINES("      temporaryQuota:\n      - " ITEM "\n      - " LATER " # note\n") },
	{ LINES("      temporaryQuota:\n        - begin: 2100-01-01\n"
		"          nominalQuota: cpu=1\n"),
	  LINES("      temporaryQuota:\n        - " ITEM "\n        - begin: 2100-01-01\n          "
		"nominalQuota: cpu=1\n") },
	{ LINES("      temporaryQuota: []\n"), LINES("      temporaryQuota: [" ITEM "]\n") },
	{ LINE(""), LINE(", temporaryQuota: [" ITEM "]") },
	{ LINE(", temporaryQuota: [" LATER "]"), LINE(", temporaryQuota: [" ITEM ", " LATER "]") },
	{ JSON(""), JSON(", \"temporaryQuota\": [{\"begin\": \"2099-07-02T16:00:00\", \"end\": "
			 "\"2099-07-03T16:00:00\", \"nominalQuota\": {\"cpu\": \"12\"}}]") },
	/* the one in force is replaced, those of each week are not */
	{ LINES("      temporaryQuota:\n      - " OLD("cpu=3") " # why\n"
		"      - " LATER "\n"),
	  LINES("      temporaryQuota:\n      - " ITEM " # why\n      - " LATER "\n") },
	{ LINES("      temporaryQuota: [" OLD("cpu=3") ", " LATER "]\n"),
	  LINES("      temporaryQuota: [" ITEM ", " LATER "]\n") },
	{ LINES("      temporaryQuota:\n      - {begin: Mon, end: Sun, nominalQuota: cpu=1}\n"),
	  LINES("      temporaryQuota:\n      - " ITEM "\n      - {begin: Mon, end: Sun, "
		"nominalQuota: cpu=1}\n") },
	/* another one is in the way */
	{ LINES("      temporaryQuota:\n      - {begin: 2099-07-03, "
		"nominalQuota: cpu=1}\n"), NULL },
	{ LINES("      temporaryQuota:\n      - " OLD("\"cpu=3,mem=1G\"") "\n"), NULL },
	{ LINES("      temporaryQuota:\n      - begin: 2099-07-01\n"
		"        nominalQuota: cpu=1\n"), NULL },
};

static void test_temporary(void **state)
{
	const struct edit_ask t = {
		"a", "f", "cpu", "12", NOW, NOW + 86400, NULL
	};

	for (size_t i = 0; i < COUNT(temporaries); i++) {
		char *text;

		listen();
		text = edit_text(temporaries[i].from, &t);
		check(i, temporaries[i].to, text);
	}
}

static void test_temporary_errors(void **state)
{
	static const struct {
		struct edit_ask t;
		const char *says;
	} errors[] = {
		{ { "z", "f", "cpu", "1", NOW, NOW + 9, NULL },
		  "scohort: there is no cluster queue \"z\"\n" },
		{ { "a", "z", "cpu", "1", NOW, NOW + 9, NULL },
		  "scohort: \"a\" has no quota of cpu in flavor \"z\": it has cpu in f, mem in f\n" },
		{ { "a", "f", "node", "1", NOW, NOW + 9, NULL },
		  "scohort: \"a\" has no quota of node in flavor \"f\": it has cpu in f, mem in f\n" },
		{ { "a", "f", "cpu", "x", NOW, NOW + 9, NULL },
		  "scohort: cpu=x is not an amount (a whole number, with a suffix K, M, G, T or P "
		  "if wanted)\n" },
	};

	for (size_t i = 0; i < COUNT(errors); i++) {
		listen();
		assert_null(edit_text(LINES(""), &errors[i].t));
		listened();
		assert_string_equal(err, errors[i].says);
	}
}

TESTS_WITH(tests_in_utc, NULL, cmocka_unit_test(test_stop), cmocka_unit_test(test_quota),
	   cmocka_unit_test(test_temporary), cmocka_unit_test(test_temporary_errors))
