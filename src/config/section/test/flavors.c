/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test flavors.c - named sets of nodes
 */
#include "parse.h"

#define NO_FEATURE " is not a feature, or several joined by &"
#define NO_NODES " is not a list of nodes like gpu[001-032]"

static const struct parse_case errors[] = {
	{ "- a100",
	  ": \"a100\" is not a map (its keys would be name, features, nodes, partitions)" },
	{ "-", ": has no value" },
	{ "- {}", ": name is missing" },
	{ "- {features: a100}", ": name is missing" },
	{ "- {name: }", ".name:" NO_VALUE },
	{ "- {name: \"\"}", ".name: is empty" },
	{ "- {name: [a]}", ".name: a list is not a name" },
	{ "- {name: a b}",
	  ".name: \"a b\" is not a name (letters, digits, \"_\", \"-\" and \".\")" },
	{ "- {name: gr\xc3\xb6n}",
	  ".name: \"gr\xc3\xb6n\" is not a name (letters, digits, \"_\", \"-\" and \".\")" },
	{ "- name: a123456789012345678901234567890123456789012345678901234567890123",
	  ".name: \"a12345678901234567890123456789012345678901234567890123456789...\" is longer "
	  "than 63 characters" },
	{ "- {name: a}\n  - {name: b}\n  - {name: a, nodes: n1}\n  - {name: a}",
	  "4: flavors[2].name: \"a\" is there twice (first on line 2)\n5: flavors[3].name: \"a\" "
	  "is there twice (first on line 2)" },
	{ "- {name: a, feature: x}", ".feature: unknown key (did you mean features?)" },
	{ "- {name: a, features: \"\"}", ".features: \"\"" NO_FEATURE },
	{ "- {name: a, features: \"x|y\"}", ".features: \"x|y\"" NO_FEATURE },
	{ "- {name: a, features: \"x&\"}", ".features: \"x&\"" NO_FEATURE },
	{ "- {name: a, features: \"x & y\"}", ".features: \"x & y\"" NO_FEATURE },
	{ "- {name: a, features: []}", ".features: is an empty list (leave the key out for any)" },
	{ "- {name: a, features: [x, \"\", y, {}]}",
	  ".features[1]: \"\"" NO_FEATURE "\n.features[3]: a map" NO_FEATURE },
	{ "- {name: a, features: {x: y}}", ".features: a map" NO_FEATURE },
	{ "- {name: a, nodes: \"n[1-4\"}", ".nodes: \"n[1-4\"" NO_NODES },
	{ "- {name: a, nodes: \"n1-4]\"}", ".nodes: \"n1-4]\"" NO_NODES },
	{ "- {name: a, nodes: \"n[]\"}", ".nodes: \"n[]\"" NO_NODES },
	{ "- {name: a, nodes: \"n[1-]\"}", ".nodes: \"n[1-]\"" NO_NODES },
	{ "- {name: a, nodes: \"n[1-4,a]\"}", ".nodes: \"n[1-4,a]\"" NO_NODES },
	{ "- {name: a, nodes: \"n1,,n2\"}", ".nodes: \"n1,,n2\"" NO_NODES },
	{ "- {name: a, nodes: \"n1 n2\"}", ".nodes: \"n1 n2\"" NO_NODES },
	{ "- {name: a, nodes: \"n1,\"}", ".nodes: \"n1,\"" NO_NODES },
	{ "- {name: a, partitions: \"p,,q\"}",
	  ".partitions: \"p,,q\" is not a partition, or several joined by commas" },
};

TEST_PARSE(test_errors, "flavors:\n  %s\nclusterQueues: []\n", "2: flavors[0]", errors)

static void flavor_check(const struct conf *conf, const char *name,
			 const char *features, const char *nodes,
			 const char *partitions, int line)
{
	int i = spec_find_flavor(conf->spec, name);
	const struct conf_flavor *f = &conf->flavors[i];

	assert_int_not_equal(i, SPEC_NONE);
	assert_string_equal(f->features ? f->features : "-", features);
	assert_string_equal(f->nodes ? f->nodes : "-", nodes);
	assert_string_equal(f->partitions ? f->partitions : "-", partitions);
	assert_int_equal(f->line, line);
}

static void test_values(void **state)
{
	struct conf *conf = parse_good(
		"flavors:\n"
		"- {name: a100, features: a100}\n"
		"- {name: nv, features: a100&nvlink}\n"
		"- {name: two, features: [a100, nvlink]}\n"
		"- {name: v100, nodes: \"gpu[001-032,040],big1\"}\n"
		"- {name: list, nodes: [\"n[1-2]\", n7], partitions: [p, \"q,r\"]}\n"
		"- {name: part, partitions: \"gpu,gpu-long\"}\n"
		"- name: cpu\n"
		"clusterQueues: []\n", NULL);

	assert_int_equal(conf->spec->nflavors, 7);
	flavor_check(conf, "a100", "a100", "-", "-", 2);
	flavor_check(conf, "nv", "a100&nvlink", "-", "-", 3);
	flavor_check(conf, "two", "a100&nvlink", "-", "-", 4);
	flavor_check(conf, "v100", "-", "gpu[001-032,040],big1", "-", 5);
	flavor_check(conf, "list", "-", "n[1-2],n7", "p,q,r", 6);
	flavor_check(conf, "part", "-", "-", "gpu,gpu-long", 7);
	flavor_check(conf, "cpu", "-", "-", "-", 8);
	assert_int_equal(spec_find_flavor(conf->spec, "cpu"), 6);
	conf_destroy(conf);
}

TESTS(cmocka_unit_test(test_errors), cmocka_unit_test(test_values))
