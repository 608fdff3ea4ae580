/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test edit.c - one value of cohort.yaml is changed, all else stays
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "apply/edit.h"

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
	{ HEAD A("", "cpu=8"), "a", "Hold",
	  HEAD A("  stopPolicy: Hold\n", "cpu=8") },
	{ HEAD A("  stopPolicy: Hold # today\n", "cpu=8") B(""), "a", "None",
	  HEAD A("  stopPolicy: None # today\n", "cpu=8") B("") },
	{ HEAD A("", "cpu=8") B(""), "b", "HoldAndDrain",
	  HEAD A("", "cpu=8") B(", stopPolicy: HoldAndDrain") },
	{ HEAD B(", stopPolicy: Hold"), "b", "HoldAndDrain",
	  HEAD B(", stopPolicy: HoldAndDrain") },
	{ HEAD C(""), "c", "Hold", HEAD C("  stopPolicy: Hold\n") },
	{ HEAD A("", "cpu=8"), "a", "None", HEAD A("", "cpu=8") },
	/* two on one line */
	{ "flavors: [{name: f}]\nclusterQueues: [{name: x, stopPolicy: Hold}, "
	  "{name: y, stopPolicy: Hold}]\n", "y", "None",
	  "flavors: [{name: f}]\nclusterQueues: [{name: x, stopPolicy: Hold}, "
	  "{name: y, stopPolicy: None}]\n" },
	{ "{\"flavors\": [{\"name\": \"f\"}], \"clusterQueues\": "
	  "[{\"name\": \"f\"}]}", "f", "Hold",
	  "{\"flavors\": [{\"name\": \"f\"}], \"clusterQueues\": "
	  "[{\"name\": \"f\", \"stopPolicy\": \"Hold\"}]}" },
	{ HEAD A("", "cpu=8"), "z", "Hold", NULL },
	/* what comes from an anchor is not this queue's alone */
	{ "flavors: [{name: f}]\nclusterQueues:\n- {name: x, stopPolicy: &s "
	  "Hold}\n- {name: y, stopPolicy: *s}\n", "y", "None", NULL },
};

static void test_stop(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++) {
		char err[256] = "", *text;

		text = edit_stop_policy(stops[i].from, stops[i].queue,
					stops[i].policy, err, sizeof(err));
		if (!stops[i].to && (text || !*err))
			fail_msg("case %zu: %s", i, text ? text : "no message");
		if (stops[i].to && (!text || strcmp(text, stops[i].to) != 0))
			fail_msg("case %zu: %s%s", i, text ? text : "", err);
		free(text);
	}
}

#define MAP_OF(cpu) "flavors: [{name: f}]\nclusterQueues:\n- name: a\n" \
	"  resourceGroups:\n  - coveredResources: [cpu, mem]\n" \
	"    flavors:\n    - name: f\n" \
	"      nominalQuota: {cpu: " cpu ", mem: 8} # note\n"

static const struct {
	const char *from, *queue, *flavor, *resource, *amount, *to;
} quotas[] = {
	{ HEAD A("", "cpu=8") B(""), "a", "f", "cpu", "12",
	  HEAD A("", "cpu=12") B("") },
	{ MAP_OF("8"), "a", "f", "cpu", "12", MAP_OF("12") },
	{ HEAD A("", "cpu=8"), "a", "f", "mem", "16384M",
	  HEAD A("", "cpu=8") },
	{ HEAD A("", "cpu=8"), "a", "f", "cpu", "many", NULL },
	{ HEAD A("", "cpu=8"), "a", "f", "node", "1", NULL },
	{ HEAD A("", "cpu=8"), "a", "h", "cpu", "1", NULL },
	{ HEAD A("", "cpu=8"), "a", "f", "c p u", "1", NULL },
};

static void test_quota(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(quotas) / sizeof(*quotas); i++) {
		char err[256] = "", *text;

		text = edit_nominal_quota(quotas[i].from, quotas[i].queue,
					  quotas[i].flavor, quotas[i].resource,
					  quotas[i].amount, err, sizeof(err));
		if (!quotas[i].to && (text || !*err))
			fail_msg("case %zu: %s", i, text ? text : "no message");
		if (quotas[i].to && (!text || strcmp(text, quotas[i].to) != 0))
			fail_msg("case %zu: %s%s", i, text ? text : "", err);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_quota),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
