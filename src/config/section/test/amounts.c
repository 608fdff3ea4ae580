/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test amounts.c - amounts of several resources, as a string or a map
 */
#include "parse.h"

#define AT "3: clusterQueues[0].resourceGroups[0].flavors[0].nominalQuota"
#define NO_AMOUNT "is not an amount (a whole number, with a suffix K, M, G, " \
	"T or P if wanted)"

static const struct parse_case errors[] = {
	{ "[cpu=1]", AT ": a list is not a TRES string (\"cpu=4,mem=16G\" or "
	  "{cpu: 4, mem: 16G} would be right)" },
	{ "\"\"", AT ": is empty" },
	{ "4", AT ": \"4\" is not RESOURCE=AMOUNT (\"cpu=4,mem=16G\" would be "
	  "right)" },
	{ "\"cpu=1,mem=2,\"", AT ": ends in a comma" },
	{ "\"cpu=1,,mem=2\"", AT ": \"\" is not RESOURCE=AMOUNT "
	  "(\"cpu=4,mem=16G\" would be right)" },
	{ "\"cpu=1 mem=2\"", AT ": cpu=1 mem=2 " NO_AMOUNT },
	{ "\"cpu=1,mem=2,cpu=3\"", AT ": cpu is there twice" },
	{ "\"cpu=-1,mem=1.5G\"", AT ": cpu=-1 is negative\n"
	  AT ": mem=1.5G is not a whole number" },
	{ "\"gpu=1,cpu=,mem=8P\"", AT ": \"gpu\" is not a resource (gres/gpu "
	  "would be right)\n"
	  AT ": cpu= is empty, not an amount" },
	{ "\"cpu=9223372036854775808,mem=9007199254740991T\"",
	  AT ": cpu=9223372036854775808 is over the maximum of "
	  "9007199254740991\n"
	  AT ": mem=9007199254740991T is over the maximum of "
	  "9007199254740991" },
	{ "{cpu: 1, mem: 2, cpu: 3}", AT ".cpu: cpu is there twice" },
	{ "{cpu: -1, mem: lots, gpu: 4}", AT ".cpu: cpu=-1 is negative\n"
	  AT ".mem: mem=lots " NO_AMOUNT "\n"
	  AT ".gpu: \"gpu\" is not a resource (gres/gpu would be right)" },
	{ "{cpu: [1], mem: {G: 1}}", AT ".cpu: a list is not an amount\n"
	  AT ".mem: a map is not an amount" },
	{ "{cpu: , mem: 1}", AT ".cpu: cpu= is empty, not an amount" },
	{ "{cpu: 1, mem: 1, node: 1}",
	  AT ".node: node is not in coveredResources" },
};

static void test_errors(void **state)
{
	(void) state;
	parse_cases("flavors: [{name: a}]\nclusterQueues:\n- {name: q, match: "
		    "[{user: u}], resourceGroups: [{coveredResources: [cpu, "
		    "mem], flavors: [{name: a, nominalQuota: %s}]}]}\n",
		    errors, COUNT(errors));
}

static const char *const same[] = {
	"\"cpu=64,mem=2T\"",
	"\"mem=2T,cpu=64\"",
	"\" cpu=64 , mem=2048G\"",
	"cpu=64,mem=2097152",
	"{cpu: 64, mem: 2T}",
	"{\"mem\": \"2T\", \"cpu\": 64}",
	"{mem: 2147483648K, cpu: '64'}",
};

/* Flow context would end a plain text at the comma: block context here */
static void test_values(void **state)
{
	char text[512];

	(void) state;
	for (size_t i = 0; i < COUNT(same); i++) {
		struct conf *conf;

		snprintf(text, sizeof(text), "flavors: [{name: a}]\n"
			 "clusterQueues:\n- name: q\n  resourceGroups:\n"
			 "  - coveredResources: [cpu, mem]\n    flavors:\n"
			 "    - name: a\n      nominalQuota: %s\n", same[i]);
		conf = parse_good(text, NULL);
		assert_int_equal(conf->spec->queues[0].quotas[0].nominal, 64);
		assert_int_equal(conf->spec->queues[0].quotas[1].nominal,
				 2097152);
		conf_destroy(conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_values),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
