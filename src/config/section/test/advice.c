/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test advice.c - settings that are legal, but hardly meant
 */
#include "parse.h"

#define GROUPS "resourceGroups: [{coveredResources: [cpu], flavors: [{name: " \
	"a, nominalQuota: cpu=0}]}]"
#define TAKES " comes first and takes all its jobs"

static const struct parse_case cases[] = {
	{ "clusterQueues: [{name: q, match: [{user: u}], " GROUPS "}]", "" },
	{ "clusterQueues:\n- {name: q, " GROUPS "}\n- {name: r, match: [{user: u}]}\n- {name: s, "
	  "match: [], resourceGroups: []}",
	  "3: warning: clusterQueues[0]: \"q\" has no match rules: no job can enter it\n4: "
	  "warning: clusterQueues[1]: \"r\" has no resourceGroups: it limits nothing\n5: warning: "
	  "clusterQueues[2]: \"s\" has no match rules: no job can enter it\n5: warning: "
	  "clusterQueues[2]: \"s\" has no resourceGroups: it limits nothing" },
	/* cohorts */
	{ "cohorts:\n- {name: c}\n- {name: d, parent: c}\n- {name: e, parent: c}\n- {name: f, "
	  "parent: e}\nclusterQueues: [{name: q, cohort: d, match: [{user: u}], " GROUPS "}]",
	  "5: warning: cohorts[2]: \"e\" has no cluster queues\n6: warning: cohorts[3]: \"f\" has "
	  "no cluster queues" },
	/* rules */
	{ "clusterQueues:\n- {name: q, match: [{user: u}, {user: u}], " GROUPS "}\n- name: r\n  "
	  "match:\n  - {user: u, account: a}\n  - {account: a}\n  - {qos: \"*\"}\n  " GROUPS "\n- "
	  "{name: s, match: [{qos: high, user: v}, {account: \"*\"},\n  {user: \"u*\"}], " GROUPS
	  "}", "3: warning: clusterQueues[0].match[1]: has no effect: clusterQueues[0].match[0] on "
	  "line 3" TAKES "\n6: warning: clusterQueues[1].match[0]: has no effect: "
	  "clusterQueues[0].match[0] on line 3" TAKES "\n10: warning: clusterQueues[2].match[0]: "
	  "has no effect: clusterQueues[1].match[2] on line 8" TAKES },
};

#define UNLESS "has no effect unless fairSharing.enable is true"

static const struct parse_case fair[] = {
	{ "false, preemptionStrategies: [LessThanInitialShare]",
	  "1: warning: fairSharing.preemptionStrategies: " UNLESS "\n3: warning: "
	  "cohorts[1].fairSharing.weight: " UNLESS "\n5: warning: "
	  "clusterQueues[0].fairSharing.weight: " UNLESS },
	{ "false", "3: warning: cohorts[1].fairSharing.weight: " UNLESS "\n5: warning: "
	  "clusterQueues[0].fairSharing.weight: " UNLESS },
	{ "true, preemptionStrategies: [LessThanInitialShare]", "" },
};

static const struct parse_case flavors[] = {
	{ "[{name: a}, {name: b}, {name: c}]", "1: warning: flavors[0]: \"a\" has no quota "
	  "anywhere\n1: warning: flavors[2]: \"c\" has no quota anywhere" },
};

static void test_advice(void **state)
{
	parse_cases("flavors: [{name: a}]\n%s\n", "", cases, COUNT(cases));
	parse_cases("flavors: %s\nclusterQueues: [{name: q, match: [{user: u}], resourceGroups: "
		    "[{coveredResources: [cpu], flavors: [{name: b, nominalQuota: cpu=0}]}]}]\n",
		    "", flavors, COUNT(flavors));
	parse_cases("{fairSharing: {enable: %s},\nflavors: [{name: a}], cohorts: [{name: d},\n"
		    "{name: c, parent: d, fairSharing: {weight: 3}}],\nclusterQueues: [{name: q, "
		    "match: [{user: u}], cohort: c,\nfairSharing: {weight: "
		    "1}, " GROUPS "}]}\n", "", fair,
		    COUNT(fair));
}

/* No advice where there are errors: it may come from those. */
static void test_errors(void **state)
{
	static const struct parse_case c[] = {
		{ "1", "2: priority: \"1\" is not qos, partition or job" },
	};

	parse_cases("flavors: [{name: a}]\npriority: %s\nclusterQueues: []\n", "", c, 1);
}

/* ---- quota lent or borrowed that has no other side ---- */

/* A queue on one line: name, cohort and its quota of cpu on flavor a */
#define Q(name, cohort, quota) "- {name: " name ", cohort: " cohort \
	", match: [{user: " name "}], resourceGroups: [{coveredResources: " \
	"[cpu], flavors: [{name: a, nominalQuota: " quota "}]}]}\n"
/* The same of a cohort, with its parent */
#define C(name, parent, quota) "- {name: " name parent \
	", resourceGroups: [{coveredResources: [cpu], flavors: [{name: a, " \
	"nominalQuota: " quota "}]}]}\n"
#define NO_BORROW(i, name, cohort, amount) "warning: clusterQueues[" i \
	"]: \"" name "\" lends " amount " of flavor a, but no other queue in " \
	"cohort \"" cohort "\" may borrow it"
#define NO_LENDER(i, name, cohort, amount) "warning: clusterQueues[" i \
	"]: \"" name "\" may borrow " amount " of flavor a, but no other queue " \
	"in cohort \"" cohort "\" lends any"

static const struct parse_case flat[] = {
	/* two that lend to each other, by default */
	{ Q("p", "c", "cpu=4") Q("q", "c", "cpu=4"), "" },
	/* one that is alone, with cohort and without */
	{ Q("p", "c", "cpu=4"), "4: " NO_BORROW("0", "p", "c", "cpu=4") },
	{ "- {name: p, match: [{user: p}], resourceGroups: [{coveredResources: [cpu], flavors: "
	  "[{name: a, nominalQuota: cpu=4}]}]}\n" Q("q", "c", "cpu=0"), "" },
	{ Q("p", "c", "cpu=0"), "" },
	{ Q("p", "c", "cpu=4, lendingLimit: cpu=0"), "" },
	/* a limit of 0 on the other side */
	{ Q("p", "c", "cpu=4") Q("q", "c", "cpu=0, borrowingLimit: cpu=0"),
	  "4: " NO_BORROW("0", "p", "c", "cpu=4") },
	{ Q("p", "c", "cpu=4, lendingLimit: cpu=3") Q("q", "c", "cpu=0, borrowingLimit: cpu=0"),
	  "4: " NO_BORROW("0", "p", "c", "cpu=3") },
	{ Q("p", "c", "cpu=4, lendingLimit: cpu=0") Q("q", "c", "cpu=0, borrowingLimit: cpu=2"),
	  "5: " NO_LENDER("1", "q", "c", "cpu=2") },
	/* lends and may borrow, but only with itself */
	{ Q("p", "c", "cpu=4, borrowingLimit: cpu=2") Q("q", "c", "cpu=0, borrowingLimit: cpu=0"),
	  "4: " NO_BORROW("0", "p", "c", "cpu=4") "\n4: " NO_LENDER("0", "p", "c", "cpu=2") },
	/* other trees do not count */
	{ Q("p", "c", "cpu=4") Q("q", "d", "cpu=0"), "4: " NO_BORROW("0", "p", "c", "cpu=4") },
};

TEST_PARSE(test_flat, "flavors: [{name: a}]\ncohorts: [{name: c}, {name: d, resourceGroups: "
	   "[]}]\nclusterQueues:\n%s- {name: x, cohort: d, match: [{user: x}], "
	   "resourceGroups: [{coveredResources: [cpu], flavors: [{name: a, nominalQuota: "
	   "cpu=0}]}]}\n- {name: y, cohort: c, match: [{user: y}], resourceGroups: "
	   "[{coveredResources: [cpu], flavors: [{name: a, nominalQuota: cpu=0, "
	   "borrowingLimit: cpu=0}]}]}\n", "", flat)

static const struct parse_case trees[] = {
	/* through two levels */
	{ "cohorts: [{name: o}, {name: c, parent: o}, {name: d, parent: o}]\nclusterQueues:\n"
	  Q("p", "c", "cpu=4") Q("q", "d", "cpu=0"), "" },
	/* a cohort that lends nothing upwards */
	{ "cohorts:\n- {name: o}\n- {name: d, parent: o}\n"
	  C("c", ", parent: o", "cpu=0, lendingLimit: cpu=0") "clusterQueues:\n"
	  Q("p", "c", "cpu=4") Q("q", "d", "cpu=0"), "7: " NO_BORROW("0", "p", "c", "cpu=4") },
	/* one that borrows nothing from above */
	{ "cohorts:\n- {name: o}\n- {name: c, parent: o}\n"
	  C("d", ", parent: o", "cpu=0, borrowingLimit: cpu=0") "clusterQueues:\n"
	  Q("p", "c", "cpu=4") Q("q", "d", "cpu=0, borrowingLimit: cpu=1"),
	  "7: " NO_BORROW("0", "p", "c", "cpu=4") "\n8: " NO_LENDER("1", "q", "d", "cpu=1") },
	/* but within it they meet */
	{ "cohorts:\n- {name: o}\n" C("d", ", parent: o", "cpu=0, borrowingLimit: cpu=0")
	  "clusterQueues:\n" Q("p", "d", "cpu=4") Q("q", "d", "cpu=0, borrowingLimit: cpu=1"), "" },
	/* quota of a cohort */
	{ "cohorts:\n" C("o", "", "cpu=8") "clusterQueues:\n"
	  Q("p", "o", "cpu=0, borrowingLimit: cpu=0"),
	  "3: warning: cohorts[0]: \"o\" has cpu=8 of flavor a, but no queue in it may borrow it" },
	{ "cohorts:\n" C("o", "", "cpu=8") "clusterQueues:\n"
	  Q("p", "o", "cpu=0, borrowingLimit: cpu=2"), "" },
};

TEST_PARSE(test_trees, "flavors: [{name: a}]\n%s", "", trees)

/* Resources of one flavor are reported together. */
static void test_together(void **state)
{
	static const struct parse_case c[] = {
		{ "\"gres/gpu=2,cpu=4,mem=16G\"",
		  "3: warning: clusterQueues[0]: \"p\" lends cpu=4,mem=16G,gres/gpu=2 of flavor a, "
		  "but no other queue in cohort \"c\" may borrow it" },
		{ "\"gres/gpu=0,cpu=0,mem=100\"",
		  "3: warning: clusterQueues[0]: \"p\" lends mem=100M of flavor a, but no other "
		  "queue in cohort \"c\" may borrow it" },
	};

	parse_cases("{flavors: [{name: a}], cohorts: [{name: c}], clusterQueues: [\n\n{name: p, "
		    "cohort: c, match: [{user: p}], resourceGroups: [{coveredResources: [cpu, mem, "
		    "gres/gpu], flavors: [{name: a, nominalQuota: %s}]}]}]}\n", "", c, COUNT(c));
}

TESTS(cmocka_unit_test(test_advice), cmocka_unit_test(test_errors), cmocka_unit_test(test_flat),
      cmocka_unit_test(test_trees), cmocka_unit_test(test_together))
