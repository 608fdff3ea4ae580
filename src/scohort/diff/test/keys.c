/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test keys.c - keys that differ between two files, those that are left out, other defaults
 */
#include "diff/diff.h"
#include "input/json_members.h"
#include "test/tests.h"

static const struct {
	const char *from, *to;
	const char *changes;	/* "PATH:FROM>TO;" each */
} cases[] = {
	{ "a: 1", "a: 1", "" },
	{ "a: 1 # why", "{a: 1}", "" },
	{ "a: 1", "a: 2", "a:1>2;" },
	{ "a: 1", "b: 1", "a:1>;b:>1;" },
	{ "a: {b: 1, c: 2}", "a: {c: 2, b: 3}", "a.b:1>3;" },
	{ "a: [x, y]", "a: [y, x]", "a:[x, y]>[y, x];" },
	{ "a: 1", "a: [1]", "a:1>[1];" },
	{ "a: {b: 1}", "a: 1", "a:{b: 1}>1;" },
	/* things with names: by name, and their order counts */
	{ "q: [{name: x, s: 1}, {name: y}]", "q: [{name: x, s: 2}, {name: y}]", "q[x].s:1>2;" },
	{ "q: [{name: x}]", "q: [{name: x}, {name: y, s: 1}]", "q[y]:>{name: y, s: 1};" },
	{ "q: [{name: x}, {name: y}]", "q: [{name: y}]", "q[x]:{name: x}>;" },
	{ "q: [{name: x}, {name: y}]", "q: [{name: y}, {name: x}]", "q:>another order;" },
	{ "q: []", "q: [{name: x}]", "q[x]:>{name: x};" },
	/* rules: as a set, and their order counts */
	{ "m: [{u: 1}, {u: 2}]", "m: [{u: 2}, {u: 3}]", "m:{u: 1}>;m:>{u: 3};" },
	{ "m: [{u: 1}, {u: 2}]", "m: [{u: 2}, {u: 1}]", "m:>another order;" },
	/* groups by number; amounts are told of elsewhere */
	{ "resourceGroups: [{c: [cpu], flavors: [{name: f, nominalQuota: 1}]}]",
	  "resourceGroups: [{c: [cpu], flavors: [{name: f, nominalQuota: 2}]}]",
	  "" },
	{ "resourceGroups: [{c: [cpu]}]", "resourceGroups: [{c: [mem]}]",
	  "resourceGroups[0].c:[cpu]>[mem];" },
};

static void test_keys(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *list = diff_keys(cases[i].from, cases[i].to);
		char text[512] = "";

		assert_non_null(list);
		for (size_t k = 0; k < json_object_array_length(list); k++) {
			struct json_object *o = json_object_array_get_idx(list, k);
			size_t n = strlen(text);

			snprintf(text + n, sizeof(text) - n, "%s:%s>%s;", json_text(o, "path"),
				 json_text(o, "from"), json_text(o, "to"));
		}
		if (strcmp(text, cases[i].changes) != 0)
			fail_msg("%s -> %s: %s", cases[i].from, cases[i].to, text);
		json_object_put(list);
	}
	assert_null(diff_keys("a: [", "a: 1"));
	assert_null(diff_keys("a: 1", ""));
}

#define GROUPS "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: " \
	"cpu=4}]}]\n"

static const char left_out[] =
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	GROUPS;

static const char said[] =
	"enforcement: enforce\n"
	"localQueue: account\n"
	"preemptorTimeout: 5m\n"
	"packBorrowers: true\n"
	"lentNodeWeight: 1\n"
	"planBudget: 800000\n"
	"plannedJobs: 0\n"
	"lossWeights: {cpu: 1}\n"
	"unmanaged: {preemption: none}\n"
	"visibility: {updateInterval: 5s, maxPosition: 4000, comments: true,\n"
	"  adminComments: false}\n"
	"events: {enable: true, maxMegabytes: 16, keep: 4}\n"
	"minRuntime: {preempt: 0, reclaim: 0, resolve: lca}\n"
	"fairSharing: {enable: false}\n"
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c, fairSharing: {weight: 1}}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{account: a}]\n"
	"  queueingStrategy: BestEffortFIFO\n"
	"  stopPolicy: None\n"
	"  fairSharing: {weight: 1}\n"
	"  admissionScope: {admissionMode: NoAdmissionFairSharing}\n"
	"  maxPreemptions: 3\n"
	"  yieldAfterEvictions: 1\n"
	"  reclaimDelay: 0\n"
	"  reclaimDelayPolicy: Always\n"
	"  nonPreemptible: {byUser: false, scope: ClusterQueue}\n"
	"  flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: TryNextFlavor}\n"
	"  preemption:\n"
	"    withinClusterQueue: Never\n"
	"    reclaimWithinCohort: Never\n"
	"    borrowWithinCohort: {policy: Never}\n"
	GROUPS;

static void take(void *arg, bool warning, const char *message)
{
	(void) arg;
	if (!warning)
		fail_msg("%s", message);
}

static void no_difference(void **state)
{
	struct json_object *keys[] = { diff_keys(left_out, said), diff_keys(said, left_out) };

	for (size_t i = 0; i < 2; i++) {
		if (json_object_array_length(keys[i]))
			fail_msg("%s", json_object_to_json_string(keys[i]));
		json_object_put(keys[i]);
	}
}

/* The defaults are those of the reader, too. */
static void same_meaning(void **state)
{
	struct conf *a = conf_read_text("a", left_out, strlen(left_out), take, NULL);
	struct conf *b = conf_read_text("b", said, strlen(said), take, NULL);
	const struct spec_queue *p = &a->spec->queues[0], *q = &b->spec->queues[0];

	assert_int_equal(a->observe, b->observe);
	assert_int_equal(a->local_queue, b->local_queue);
	assert_int_equal(a->own_timeout, b->own_timeout);
	assert_int_equal(a->pack_borrowers, b->pack_borrowers);
	assert_int_equal(a->lent_node_weight, b->lent_node_weight);
	assert_int_equal(a->planned_jobs, b->planned_jobs);
	assert_int_equal(a->unmanaged, b->unmanaged);
	assert_int_equal(a->update_interval, b->update_interval);
	assert_int_equal(a->max_position, b->max_position);
	assert_int_equal(a->comments, b->comments);
	assert_int_equal(a->admin_comments, b->admin_comments);
	assert_int_equal(a->events.enable, b->events.enable);
	assert_int_equal(a->events.max_megabytes, b->events.max_megabytes);
	assert_int_equal(a->events.keep, b->events.keep);
	assert_int_equal(a->spec->preempt_min_runtime, b->spec->preempt_min_runtime);
	assert_int_equal(a->spec->reclaim_min_runtime, b->spec->reclaim_min_runtime);
	assert_int_equal(a->spec->resolve, b->spec->resolve);
	assert_int_equal(a->spec->fair_sharing, b->spec->fair_sharing);
	assert_int_equal(p->stop, q->stop);
	assert_int_equal(p->max_preemptions, q->max_preemptions);
	assert_int_equal(p->yield_after, q->yield_after);
	assert_int_equal(p->reclaim_delay, q->reclaim_delay);
	assert_int_equal(p->delay_if_expected, q->delay_if_expected);
	assert_int_equal(p->within, q->within);
	assert_int_equal(p->reclaim, q->reclaim);
	conf_destroy(a);
	conf_destroy(b);
}

static void differences(void **state)
{
	struct json_object *keys = diff_keys("minRuntime: {reclaim: 1h}\nclusterQueues: []\n",
					     "enforcement: observe\nclusterQueues: []\n");

	assert_string_equal(json_object_to_json_string(keys),
		"[ { \"path\": \"minRuntime.reclaim\", \"from\": \"1h\", \"to\": null, "
		"\"default\": \"0\" }, { \"path\": \"enforcement\", \"from\": null, "
		"\"to\": \"observe\", \"default\": \"enforce\" } ]");
	json_object_put(keys);
}

#define QUEUE(keys) "flavors: [{name: f}]\nclusterQueues:\n  - {name: q, " keys \
	"match: [{account: q}], resourceGroups: [{coveredResources: [cpu], " \
	"flavors: [{name: f, nominalQuota: cpu=1}]}]}\n"
#define RUNS(rules) "{\"clusterQueues\": [{\"name\": \"q\", \"preemption\": {" rules "}}]}"

static const struct {
	const char *from, *to, *rules, *says;
} runs[] = {
	/* a slurmctld of this version */
	{ QUEUE(""), QUEUE(""), RUNS("\"maxPreemptions\": 3, \"yieldAfterEvictions\": 1"), "[ ]" },
	/* keys that the file has are no defaults */
	{ QUEUE(""), QUEUE("maxPreemptions: 5, "),
	  RUNS("\"maxPreemptions\": 3, \"yieldAfterEvictions\": 1"), "[ ]" },
	/* a slurmctld of an older version */
	{ QUEUE(""), QUEUE(""), RUNS("\"maxPreemptions\": 0"),
	  "[ { \"path\": \"clusterQueues[q].maxPreemptions\", \"from\": \"0\", \"to\": \"3\" }, { "
	  "\"path\": \"clusterQueues[q].yieldAfterEvictions\", \"from\": \"0\", \"to\": \"1\" } "
	  "]" },
	{ QUEUE("maxPreemptions: 2, "), QUEUE("maxPreemptions: 2, yieldAfterEvictions: 0, "),
	  RUNS("\"maxPreemptions\": 2"), "[ ]" },
	/* nothing is known of the queue */
	{ QUEUE(""), QUEUE(""), "{}", "[ ]" },
};

static struct conf *conf_of(const char *text)
{
	struct conf *conf = conf_read_text("f", text, strlen(text), take, NULL);

	assert_non_null(conf);
	return conf;
}

static void test_defaults(void **state)
{
	for (size_t i = 0; i < COUNT(runs); i++) {
		struct conf *from = conf_of(runs[i].from), *to = conf_of(runs[i].to);
		struct published p = { .document = json_tokener_parse(runs[i].rules) };
		struct json_object *keys = json_object_new_array();

		diff_defaults(keys, from, to, &p);
		assert_string_equal(json_object_to_json_string(keys), runs[i].says);
		json_object_put(keys);
		json_object_put(p.document);
		conf_destroy(from);
		conf_destroy(to);
	}
}

TESTS(cmocka_unit_test(test_keys), cmocka_unit_test(no_difference), cmocka_unit_test(same_meaning),
      cmocka_unit_test(differences), cmocka_unit_test(test_defaults))
