/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test quotas.c - resource groups
 */
#include "parse.h"

/* Lines: the queue's groups begin on line 5. */
#define QUEUE "flavors: [{name: a}, {name: b}]\ncohorts: [{name: ml}]\n" \
	"clusterQueues:\n- {name: q, cohort: ml, match: [{user: u}], " \
	"resourceGroups:\n%s}\n"
#define ALONE "flavors: [{name: a}, {name: b}]\n\n" \
	"clusterQueues:\n- {name: q, match: [{user: u}], " \
	"resourceGroups:\n%s}\n"
#define RESOURCES(list) "[{coveredResources: " list ", flavors: " \
	"[{name: a, nominalQuota: cpu=1}]}]"
#define BOTH(flavor) "name: " flavor ", nominalQuota: \"cpu=1,mem=1\""
#define FLAVORS(list) "[{coveredResources: [cpu, mem], flavors: " list "}]"

static const struct parse_case errors[] = {
	{ "{}", ": a map is not a list of resource groups" },
	{ "[cpu]", "[0]: \"cpu\" is not a map (its keys would be coveredResources, flavors)" },
	{ "[{}]", "[0]: coveredResources is missing\n[0]: flavors is missing" },
	{ "[{coveredResources: [cpu], resources: []}]", "[0].resources: unknown key (known here: "
	  "coveredResources, flavors)\n[0]: flavors is missing" },
	/* coveredResources */
	{ RESOURCES("[]"), "[0].coveredResources: is empty" },
	{ RESOURCES("cpu"),
	  "[0].coveredResources: \"cpu\" is not a list of resources like [cpu, mem]" },
	{ RESOURCES("[cpu, gpu]"),
	  "[0].coveredResources[1]: \"gpu\" is not a resource (gres/gpu would be right)" },
	{ RESOURCES("[cpu, ~, {}]"), "[0].coveredResources[1]: has no value\n"
	  "[0].coveredResources[2]: a map is not a resource" },
	{ RESOURCES("[cpu, cpu]"), "[0].coveredResources[1]: cpu is there twice" },
	{ "[{coveredResources: [cpu, mem], flavors: [{name: a, nominalQuota: \"cpu=1,mem=1\"}]},\n"
	  "{coveredResources: [node, mem], flavors: [{name: a, nominalQuota: \"node=1,mem=1\"}]}]",
	  "6: clusterQueues[0].resourceGroups[1].coveredResources[1]: mem is in two groups (first "
	  "in resourceGroups[0])" },
	/* flavors */
	{ FLAVORS("[]"), "[0].flavors: is empty" },
	{ FLAVORS("a"), "[0].flavors: \"a\" is not a list of flavors with their quotas" },
	{ FLAVORS("[a]"), "[0].flavors[0]: \"a\" is not a map (its keys would be name, "
	  "nominalQuota, borrowingLimit, lendingLimit, temporaryQuota)" },
	{ FLAVORS("[{}]"),
	  "[0].flavors[0]: name is missing\n[0].flavors[0]: nominalQuota is missing" },
	{ FLAVORS("[{name: c, nominalQuota: \"cpu=1,mem=1\"}]"),
	  "[0].flavors[0].name: \"c\" is not in flavors (did you mean a?)" },
	{
	  FLAVORS("[{" BOTH("a") "},\n{" BOTH("b") "},\n{" BOTH("a") "}]"),
	  "7: clusterQueues[0].resourceGroups[0].flavors[2].name: a is in the group twice" },
	{ FLAVORS("[{name: a, nominalQuota: \"cpu=1\"}]"), "[0].flavors[0].nominalQuota: no amount "
	  "of mem, which coveredResources names (0 would do)" },
	{ FLAVORS("[{name: a, nominalQuota: {}}]"), "[0].flavors[0].nominalQuota: no amount of "
	  "cpu, mem, which coveredResources names (0 would do)" },
	{ FLAVORS("[{name: a, nominalQuota: \"cpu=1,mem=1,node=1\"}]"),
	  "[0].flavors[0].nominalQuota: node is not in coveredResources" },
	{
	  FLAVORS("[{" BOTH("a") ",\nborrowingLimit: gres/gpu=1,\nlendingLimit: gpu=1}]"),
	  "6: clusterQueues[0].resourceGroups[0].flavors[0].borrowingLimit: gres/gpu is not in "
	  "coveredResources\n7: clusterQueues[0].resourceGroups[0].flavors[0].lendingLimit: "
	  "\"gpu\" is not a resource (gres/gpu would be right)" },
	{ FLAVORS("[{name: a, nominalQuota: \"cpu=4,mem=1G\", lendingLimit: \"cpu=5,mem=1025\"}]"),
	  "[0].flavors[0].lendingLimit: cpu=5 is over the nominal quota of 4\n"
	  "[0].flavors[0].lendingLimit: mem=1025M is over the nominal quota of 1G" },
	/* the errors of the resources explain those of the quotas */
	{ "[{coveredResources: [cpu, memory], flavors: [{name: a, nominalQuota: "
	  "\"cpu=1,mem=x\"}]}]",
	  "[0].coveredResources[1]: \"memory\" is not a resource (mem would be right)" },
};

static const struct parse_case alone[] = {
	{
	  FLAVORS("[{" BOTH("a") ",\nborrowingLimit: cpu=x,\nlendingLimit: cpu=1}]"),
	  "6: clusterQueues[0].resourceGroups[0].flavors[0].borrowingLimit: cpu=x" NO_AMOUNT "\n6: "
	  "clusterQueues[0].resourceGroups[0].flavors[0].borrowingLimit: a limit needs a cohort to "
	  "borrow from and lend to (there is none above)\n7: "
	  "clusterQueues[0].resourceGroups[0].flavors[0].lendingLimit: a limit needs a cohort to "
	  "borrow from and lend to (there is none above)" },
};

static void test_errors(void **state)
{
	parse_cases(QUEUE, "5: clusterQueues[0].resourceGroups", errors, COUNT(errors));
	parse_cases(ALONE, "5: clusterQueues[0].resourceGroups", alone, COUNT(alone));
}

/* A cohort that is unknown is not missing. */
static void test_cohort_unknown(void **state)
{
	static const struct parse_case c[] = {
		{ "nowhere", "3: clusterQueues[0].cohort: \"nowhere\" is not in cohorts" },
	};

	parse_cases("flavors: [{name: a}]\nclusterQueues:\n- {name: q, cohort: %s, match: [{user: "
		    "u}], resourceGroups: [{coveredResources: [cpu], flavors: [{name: a, "
		    "nominalQuota: cpu=1, lendingLimit: cpu=1}]}]}\n", "", c, 1);
}

static void quota_check(const struct spec *spec, const struct spec_quota *q,
			const char *what, int64_t nominal, int64_t borrowing,
			int64_t lending)
{
	char have[64];

	snprintf(have, sizeof(have), "%s@%s", spec->resources[q->resource],
		 spec->flavors[q->flavor]);
	assert_string_equal(have, what);
	assert_int_equal(q->nominal, nominal);
	assert_int_equal(q->borrowing_limit, borrowing);
	assert_int_equal(q->lending_limit, lending);
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"flavors: [{name: a}, {name: b}]\n"
		"cohorts: [{name: ml}]\n"
		"clusterQueues:\n"
		"- name: q\n"
		"  cohort: ml\n"
		"  resourceGroups:\n"
		"  - coveredResources: [mem, gres/gpu:a100]\n"
		"    flavors:\n"
		"    - {name: b, nominalQuota: \"gres/gpu:a100=2,mem=2G\", borrowingLimit: {mem: "
		"1T}, lendingLimit: gres/gpu:a100=0}\n"
		"    - {name: a, nominalQuota: {mem: 0, gres/gpu:a100: 8}}\n"
		"  - coveredResources: [license/matlab]\n"
		"    flavors: [{name: a, nominalQuota: license/matlab=5}]\n",
		NULL);
	const struct spec *spec = conf->spec;
	const struct spec_queue *q = &spec->queues[0];

	assert_int_equal(q->ngroups, 2);
	assert_int_equal(q->groups[0].nresources, 2);
	assert_string_equal(spec->resources[q->groups[0].resources[0]], "mem");
	assert_string_equal(spec->resources[q->groups[0].resources[1]], "gres/gpu:a100");
	assert_int_equal(q->groups[0].nflavors, 2);
	assert_int_equal(q->groups[0].flavors[0], 1);
	assert_int_equal(q->groups[0].flavors[1], 0);
	assert_int_equal(q->groups[1].nflavors, 1);
	assert_int_equal(q->groups[1].nresources, 1);
	assert_int_equal(q->nquotas, 5);
	quota_check(spec, &q->quotas[0], "mem@b", 2048, 1048576, SPEC_NO_LIMIT);
	quota_check(spec, &q->quotas[1], "gres/gpu:a100@b", 2, SPEC_NO_LIMIT, 0);
	quota_check(spec, &q->quotas[2], "mem@a", 0, SPEC_NO_LIMIT, SPEC_NO_LIMIT);
	quota_check(spec, &q->quotas[3], "gres/gpu:a100@a", 8, SPEC_NO_LIMIT, SPEC_NO_LIMIT);
	quota_check(spec, &q->quotas[4], "license/matlab@a", 5, SPEC_NO_LIMIT, SPEC_NO_LIMIT);
	conf_destroy(conf);
}

/* Groups may be shared by an alias. */
static void test_alias(void **state)
{
	struct conf *conf = parse_good(
		"flavors: [{name: a}]\n"
		"clusterQueues:\n"
		"- name: p\n"
		"  resourceGroups: &groups\n"
		"  - coveredResources: [cpu]\n"
		"    flavors: [{name: a, nominalQuota: cpu=4}]\n"
		"- {name: q, resourceGroups: *groups}\n", NULL);

	for (int i = 0; i < 2; i++)
		quota_check(conf->spec, conf->spec->queues[i].quotas, "cpu@a",
			    4, SPEC_NO_LIMIT, SPEC_NO_LIMIT);
	conf_destroy(conf);
}

/* ---- amounts of several resources, as a string or a map ---- */

static const struct parse_case errors_amount[] = {
	{ "[cpu=1]", ": a list is not a TRES string (\"cpu=4,mem=16G\" or {cpu: 4, mem: 16G} would "
	  "be right)" },
	{ "\"\"", ": is empty" },
	{ "4", ": \"4\" is not RESOURCE=AMOUNT (\"cpu=4,mem=16G\" would be right)" },
	{ "\"cpu=1,mem=2,\"", ": ends in a comma" },
	{ "\"cpu=1,,mem=2\"", ": \"\" is not RESOURCE=AMOUNT (\"cpu=4,mem=16G\" would be right)" },
	{ "\"cpu=1 mem=2\"", ": cpu=1 mem=2" NO_AMOUNT },
	{ "\"cpu=1,mem=2,cpu=3\"", ": cpu is there twice" },
	{ "\"gpu=1,cpu=,mem=8P\"",
	  ": \"gpu\" is not a resource (gres/gpu would be right)\n: cpu= is empty, not an amount" },
	{ "{cpu: 1, mem: 2, cpu: 3}", ".cpu: cpu is there twice" },
	{ "{cpu: -1, mem: lots, gpu: 4}", ".cpu: cpu=-1 is negative\n.mem: mem=lots" NO_AMOUNT "\n"
	  ".gpu: \"gpu\" is not a resource (gres/gpu would be right)" },
	{ "{cpu: [1], mem: {G: 1}}",
	  ".cpu: a list is not an amount\n.mem: a map is not an amount" },
	{ "{cpu: , mem: 1}", ".cpu: cpu= is empty, not an amount" },
	{ "{cpu: 1, mem: 1, node: 1}", ".node: node is not in coveredResources" },
};

TEST_PARSE(test_amount_errors, "flavors: [{name: a}]\nclusterQueues:\n- {name: q, match: [{user: "
	   "u}], resourceGroups: [{coveredResources: [cpu, mem], flavors: [{name: a, "
	   "nominalQuota: %s}]}]}\n",
	   "3: clusterQueues[0].resourceGroups[0].flavors[0].nominalQuota", errors_amount)

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
static void test_amount_values(void **state)
{
	char text[512];

	for (size_t i = 0; i < COUNT(same); i++) {
		struct conf *conf;

		snprintf(text, sizeof(text), "flavors: [{name: a}]\nclusterQueues:\n- name: q\n  "
			 "resourceGroups:\n  - coveredResources: [cpu, mem]\n    flavors:\n    - "
			 "name: a\n      nominalQuota: %s\n", same[i]);
		conf = parse_good(text, NULL);
		assert_int_equal(conf->spec->queues[0].quotas[0].nominal, 64);
		assert_int_equal(conf->spec->queues[0].quotas[1].nominal, 2097152);
		conf_destroy(conf);
	}
}

TESTS(cmocka_unit_test(test_errors), cmocka_unit_test(test_cohort_unknown),
      cmocka_unit_test(test_values), cmocka_unit_test(test_alias),
      cmocka_unit_test(test_amount_errors), cmocka_unit_test(test_amount_values))
