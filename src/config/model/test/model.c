/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test model.c - the cluster queue of a job
 */
#include "parse.h"

static const char text[] =
	"clusterQueues:\n- name: vision\n  match: [{partition: gpu, account: \"vision*\"}, {qos: "
	"vision}]\n- name: kim\n  match: [{user: kim}]\n- name: none\n- name: gpu\n  match: "
	"[{partition: \"gpu[0-9]\"}, {partition: \"?pu\"}]\n- name: forms\n  match: [{user: "
	"\"a\\\\*b\"}, {user: \"x[!0-9]y\"}]\n- name: any\n  match: [{account: \"*\"}]\n";

static const struct {
	const char *partition, *qos, *account, *user;
	const char *queue;
} cases[] = {
	/* none */
	{ NULL, NULL, NULL, NULL, NULL },
	{ "cpu-long", NULL, NULL, "lee", NULL },
	{ "gpux", NULL, NULL, NULL, NULL },
	{ "GPU", NULL, NULL, NULL, NULL },
	/* all keys of a rule must hold */
	{ "gpu", NULL, "visio", NULL, "gpu" },
	{ "cpu1", NULL, "vision", NULL, "any" },
	{ NULL, NULL, "vision-lab", NULL, "any" },
	/* the first in the file */
	{ "gpu", NULL, "vision-lab", NULL, "vision" },
	{ "gpu", NULL, "vision-lab", "kim", "vision" },
	{ "gpu", NULL, "audio", "kim", "kim" },
	{ "cpu", "vision", NULL, NULL, "vision" },
	{ "cpu", NULL, "x", NULL, "gpu" },
	{ "gpu7", NULL, NULL, NULL, "gpu" },
	/* forms of patterns */
	{ NULL, NULL, NULL, "a*b", "forms" },
	{ NULL, NULL, NULL, "axb", NULL },
	{ NULL, NULL, NULL, "xay", "forms" },
	{ NULL, NULL, NULL, "x1y", NULL },
	{ NULL, NULL, NULL, "xa", NULL },
	{ NULL, NULL, NULL, "ki", NULL },
	{ NULL, NULL, NULL, "kimm", NULL },
	/* a pattern for any value does not match a missing value */
	{ NULL, NULL, "", NULL, "any" },
	{ NULL, "high", "x", NULL, "any" },
	{ NULL, "high", NULL, NULL, NULL },
};

static void test_match(void **state)
{
	struct conf *conf = parse_good(text, NULL);

	for (size_t i = 0; i < COUNT(cases); i++) {
		int want = cases[i].queue ? spec_find_queue(conf->spec, cases[i].queue) : SPEC_NONE;

		assert_int_equal(conf_match_queue(conf, cases[i].partition, cases[i].qos,
						  cases[i].account,
						  cases[i].user), want);
	}
	conf_destroy(conf);
}

TESTS(cmocka_unit_test(test_match))
