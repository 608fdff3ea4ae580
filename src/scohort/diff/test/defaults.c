/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test defaults.c - keys whose default is another one than in the slurmctld that runs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "diff/diff.h"

#define QUEUE(keys) "flavors: [{name: f}]\nclusterQueues:\n  - {name: q, " keys \
	"match: [{account: q}], resourceGroups: [{coveredResources: [cpu], " \
	"flavors: [{name: f, nominalQuota: cpu=1}]}]}\n"
#define RUNS(rules) "{\"clusterQueues\": [{\"name\": \"q\", \"preemption\": {" rules "}}]}"

static const struct {
	const char *from, *to, *runs, *says;
} cases[] = {
	/* a slurmctld of this version */
	{ QUEUE(""), QUEUE(""), RUNS("\"maxPreemptions\": 3, \"yieldAfterEvictions\": 1"),
	  "[ ]" },
	/* keys that the file has are no defaults */
	{ QUEUE(""), QUEUE("maxPreemptions: 5, "),
	  RUNS("\"maxPreemptions\": 3, \"yieldAfterEvictions\": 1"), "[ ]" },
	/* a slurmctld of an older version */
	{ QUEUE(""), QUEUE(""), RUNS("\"maxPreemptions\": 0"),
	  "[ { \"path\": \"clusterQueues[q].maxPreemptions\", \"from\": \"0\", \"to\": \"3\" }, "
	  "{ \"path\": \"clusterQueues[q].yieldAfterEvictions\", \"from\": \"0\", \"to\": \"1\" } ]" },
	{ QUEUE("maxPreemptions: 2, "), QUEUE("maxPreemptions: 2, yieldAfterEvictions: 0, "),
	  RUNS("\"maxPreemptions\": 2"), "[ ]" },
	/* nothing is known of the queue */
	{ QUEUE(""), QUEUE(""), "{}", "[ ]" },
};

static void no_report(void *arg, bool warning, const char *message)
{
	(void) arg;
	assert_true(warning);
	print_message("%s\n", message);
}

static struct conf *conf_of(const char *text)
{
	struct conf *conf = conf_read_text("f", text, strlen(text), no_report, NULL);

	assert_non_null(conf);
	return conf;
}

static void test_defaults(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct conf *from = conf_of(cases[i].from), *to = conf_of(cases[i].to);
		struct published p = { .document = json_tokener_parse(cases[i].runs) };
		struct json_object *keys = json_object_new_array();

		diff_defaults(keys, from, to, &p);
		assert_string_equal(json_object_to_json_string(keys), cases[i].says);
		json_object_put(keys);
		json_object_put(p.document);
		conf_destroy(from);
		conf_destroy(to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
