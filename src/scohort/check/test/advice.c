/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test advice.c - what is legal, but unwise on a cluster
 */
#include "check/check.h"
#include "test/tests.h"

static char said[4096];

static void take(void *arg, bool warning, const char *message)
{
	size_t n = strlen(said);

	(void) arg;
	(void) warning;
	snprintf(said + n, sizeof(said) - n, "%s\n", message);
}

/* Two queues that lend to each other; %s: more keys of the first */
static const char two[] =
	"flavors: [{name: f}]\n"
	"cohorts: [{name: c}]\n"
	"clusterQueues:\n"
	"- name: a\n"
	"  cohort: c\n"
	"  match: [{partition: 'gpu*', account: a}, {qos: high}]\n"
	"  resourceGroups: [{coveredResources: [cpu, mem], flavors: [{name: f, nominalQuota: "
	"'cpu=4,mem=4G'}]}]\n"
	"  %s\n"
	"- name: b\n"
	"  cohort: c\n"
	"  match: [{account: b}]\n"
	"  resourceGroups: [{coveredResources: [cpu, mem], flavors: [{name: f, nominalQuota: "
	"'cpu=4,mem=4G'}]}]\n"
	"  preemption: {reclaimWithinCohort: Any}\n";

/* Has the advice in `said`, and how many there is */
static size_t advised(const char *text, const struct cluster *cluster)
{
	struct conf *conf = conf_read_text("f", text, strlen(text), take, NULL);
	size_t n;

	if (!conf)
		fail_msg("%s", said);
	said[0] = '\0';
	n = (size_t) cluster_advise(conf, cluster, take, NULL);
	conf_destroy(conf);
	return n;
}

static void says(const char *keys, const struct cluster *cluster, const char *want)
{
	char text[2048];
	size_t lines = 0;

	snprintf(text, sizeof(text), two, keys);
	for (const char *p = want; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(advised(text, cluster), lines);
	assert_string_equal(said, want);
}

#define RECLAIM "preemption: {reclaimWithinCohort: Any}"

static void nothing_known(void **state)
{
	const struct cluster cluster = { .controller = NULL };

	says(RECLAIM, &cluster, "");
}

static void reclaim_never(void **state)
{
	const struct cluster cluster = { .controller = NULL };

	says("stopPolicy: None", &cluster,
	     "f:4: warning: clusterQueues[0]: \"a\" lends to other queues, but its "
	     "reclaimWithinCohort is Never: its quota returns only when their jobs end. Any would "
	     "let it reclaim\n");
}

static void nodes_of_one_user(void **state)
{
	const struct cluster cluster = { .user_partition = (char *) "own" };

	says(RECLAIM, &cluster, "f:4: warning: clusterQueues[0]: nodes of partition \"own\" do not "
	     "come back from jobs of other users, whatever reclaimWithinCohort says: it has "
	     "ExclusiveUser=YES, and Slurm evicts nobody for a job of another user there. Remove "
	     "ExclusiveUser\n");
}

static void quota_above_nodes(void **state)
{
	int64_t totals[] = { 8, 8191 };
	const struct cluster cluster = { .totals = totals };

	says(RECLAIM, &cluster, "f:1: warning: flavors[0]: \"f\" has mem=8191M on its nodes, "
	     "quotas on it sum to 8G: the quotas promise more than the nodes have. Lower them\n");
	totals[1] = 8192;
	says(RECLAIM, &cluster, "");
	totals[0] = 7;
	totals[1] = -1;
	says(RECLAIM, &cluster, "f:1: warning: flavors[0]: \"f\" has cpu=7 on its nodes, quotas on "
	     "it sum to 8: the quotas promise more than the nodes have. Lower them\n");
}

static void nobody_matches(void **state)
{
	char *parts[] = { "cpu", "gpu1" }, *qos[] = { "low" };
	char *accounts[] = { "a", "b" };
	struct cluster cluster = {
		.partitions = { true, parts, 2 },
		.accounts = { true, accounts, 2 },
	};

	says(RECLAIM, &cluster, "");
	cluster.qos = (struct cluster_names) { true, qos, 1 };
	says(RECLAIM, &cluster, "f:6: warning: clusterQueues[0].match[1]: no job can match: the "
	     "cluster has no such partition, QOS or account. Correct or remove the rule\n");
	cluster.partitions.n = 1;
	says(RECLAIM, &cluster, "f:6: warning: clusterQueues[0].match[0]: no job can match: the "
	     "cluster has no such partition, QOS or account; no job can enter the queue. Correct "
	     "or "
	     "remove the rule\n"
	     "f:6: warning: clusterQueues[0].match[1]: no job can match: the cluster has no such "
	     "partition, QOS or account; no job can enter the queue. Correct or "
	     "remove the rule\n");
}

#define TURNS "preemption: {reclaimWithinCohort: Any, withinClusterQueue: " \
	"LowerOrNewerEqualPriority, withinClusterQueueConfig: " \
	"{minAdmitDuration: 4h}}"

#define TOO_SHORT "f:4: warning: clusterQueues[0].preemption.withinClusterQueueConfig." \
	"minAdmitDuration: a turn of 4h is shorter than most jobs of \"a\": half of its jobs " \
	"request 12h or more. Make it longer\n"

static void turns_too_short(void **state)
{
	const int64_t hour = 3600;
	struct view jobs[12];
	struct cluster cluster = { .jobs = { .views = jobs, .n = 9 } };

	for (size_t i = 0; i < 12; i++)
		jobs[i] = (struct view) {
			.partition = "gpu", .account = "a", .qos = "low",
			.time_limit = i < 6 ? 4 * hour : 12 * hour,
		};
	/* too few jobs to judge, then half and half, then fewer long ones */
	says(TURNS, &cluster, "");
	cluster.jobs.n = 12;
	says(TURNS, &cluster, TOO_SHORT);
	cluster.jobs.n = 11;
	says(TURNS, &cluster, "");
	/* jobs of others, jobs without limit */
	cluster.jobs.n = 12;
	jobs[0].account = "b";
	jobs[1].time_limit = 0;
	says(TURNS, &cluster, TOO_SHORT);
	jobs[2].account = "b";
	says(TURNS, &cluster, "");
}

/* "x" owns nothing; the keys of its preemption, where its cohort is, and
 * whether there is fair sharing */
static void turns_that_never_end(void **state)
{
	static const char text[] =
		"fairSharing: {enable: %s}\n"
		"flavors: [{name: f}]\n"
		"cohorts: [{name: top}, {name: c%s}]\n"
		"clusterQueues:\n"
		"- name: x\n"
		"  cohort: c\n"
		"  match: [{qos: x}]\n"
		"  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: "
		"cpu=%s}]}]\n"
		"  preemption: {withinClusterQueue: LowerOrNewerEqualPriority, "
		"withinClusterQueueConfig: {minAdmitDuration: 4h}%s}\n"
		"- name: y\n"
		"  cohort: c\n"
		"  match: [{qos: y}]\n"
		"  resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, nominalQuota: "
		"cpu=4}]}]\n"
		"  preemption: {reclaimWithinCohort: Any}\n";
	static const struct {
		const char *fair, *parent, *quota, *keys;
		bool never;
	} cases[] = {
		{ "false", "", "0", "", true },
		{ "false", "", "1", "", false },
		{ "false", "", "0", ", reclaimWithinCohort: Any", true },
		{ "true", "", "0", ", reclaimWithinCohort: Any", false },
		{ "true", "", "0", "", true },
		{ "false", "", "0", ", reclaimWithinCohort: Any, borrowWithinCohort: {policy: "
		  "LowerPriority}", false },
		{ "false", "", "0", ", reclaimWithinCohort: Any, borrowWithinCohort: {policy: "
		  "Never}", true },
		{ "false", ", parent: top", "0", "", false },
	};
	const struct cluster cluster = { .totals = NULL };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char full[2048];

		snprintf(full, sizeof(full), text, cases[i].fair, cases[i].parent, cases[i].quota,
			 cases[i].keys);
		advised(full, &cluster);
		if (!!strstr(said, "no turn of \"x\" ever ends: it owns no quota")
		    != cases[i].never)
			fail_msg("case %zu: %s", i, said);
	}
}

/* A flavor that has the nodes of another one, in a queue that has both */
static void flavor_of_all_nodes(void **state)
{
	static const char text[] = "flavors: [{name: f, features: f}, {name: all}, {name: g, "
				   "nodes: n1}]\n"
				   "clusterQueues:\n"
				   "- name: a\n"
				   "  match: [{account: a}]\n"
				   "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: "
				   "f, nominalQuota: cpu=4}, {name: %s, nominalQuota: cpu=4}]}]\n"
				   "- name: b\n"
				   "  match: [{account: b}]\n"
				   "  resourceGroups: [{coveredResources: [cpu], flavors: [{name: "
				   "%s, nominalQuota: cpu=4}]}]\n";
	static const struct {
		const char *beside, *alone, *want;
	} cases[] = {
		{ "g", "all", "" },
		{ "all", "g", "f:1: warning: flavors[1]: \"all\" has all nodes, including those of "
		  "\"f\", and \"a\" uses both: a job with quota in \"all\" waits for nodes, and "
		  "does not reclaim quota in \"f\". Give \"all\" nodes or features of its own\n" },
	};
	struct cluster cluster = { .totals = NULL };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char full[1024];

		snprintf(full, sizeof(full), text, cases[i].beside, cases[i].alone);
		advised(full, &cluster);
		assert_string_equal(said, cases[i].want);
	}
}

/* The flavors of vision and speech; keys of the first one; what speech, and the third queue, have
 * in each */
static void flavors_of_owners(void **state)
{
	static const char text[] =
		"flavors: [{name: v, nodes: 'n[1-2]'%s}, {name: s, partitions: s}]\n"
		"cohorts: [{name: c}]\n"
		"clusterQueues:\n"
		"- {name: vision, cohort: c, match: [{account: v}], preemption: {reclaimWithinCohort: "
		"Any}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: v, nominalQuota: "
		"cpu=4}]}]}\n"
		"- {name: speech, cohort: c, match: [{account: s}], preemption: {reclaimWithinCohort: "
		"Any}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: v, nominalQuota: "
		"cpu=%d}, {name: s, nominalQuota: cpu=4}]}]}\n"
		"- {name: x, %smatch: [{account: x}], preemption: {reclaimWithinCohort: Any}, "
		"resourceGroups: [{coveredResources: [cpu], flavors: [{name: v, nominalQuota: cpu=0}, "
		"{name: s, nominalQuota: cpu=%s}]}]}\n";
	static const struct {
		const char *keys;
		int speech;
		const char *cohort, *quota;
		bool warns;
	} cases[] = {
		{ "", 0, "cohort: c, ", "0", true },
		{ ", features: v100", 0, "cohort: c, ", "0", false },
		{ "", 2, "cohort: c, ", "0", false },
		{ "", 0, "", "0", false },
		{ "", 0, "cohort: c, ", "1", false },
		{ "", 0, "cohort: c, ", "0, borrowingLimit: cpu=0", false },
		{ "", 0, "cohort: c, ", "0, borrowingLimit: cpu=2", true },
	};
	const struct cluster cluster = { .totals = NULL };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char full[2048];

		snprintf(full, sizeof(full), text, cases[i].keys, cases[i].speech, cases[i].cohort,
			 cases[i].quota);
		advised(full, &cluster);
		if (!!strstr(said, "f:6: warning: clusterQueues[2]: \"x\" only borrows in \"v\" and "
			     "\"s\", each of which has one owner: no job of it gets nodes of both, as "
			     "a job is charged in one flavor. If these nodes are alike, make them one "
			     "flavor with a quota for each owner\n") != cases[i].warns
		    || (!cases[i].warns && strstr(said, "has one owner")))
			fail_msg("case %zu: %s", i, said);
	}
}

static void nobody_is_nonpreemptible(void **state)
{
	char *qos[] = { "high" };
	struct cluster cluster = { .qos = { true, qos, 1 } };

	says(RECLAIM "\n  nonPreemptible: {match: [{qos: 'h*'}, {qos: low}]}", &cluster,
	     "f:9: warning: clusterQueues[0].nonPreemptible.match[1]: no job can match: the "
	     "cluster has no such partition, QOS or account. Correct or remove the rule\n");
}

/* Users are named only if rules ask for them. */
static void jobs_outside(void **state)
{
	struct view jobs[] = {
		{ .account = "x", .qos = "low", .partition = "gpu", .user = "eve" },
		{ .account = "x", .qos = "low", .partition = "gpu", .user = "bob" },
		{ .account = "b", .user = "eve" },
		{ .account = "x", .user = "bob", .state = VIEW_DONE },
	};
	const struct cluster cluster = { .jobs = { .views = jobs, .n = COUNT(jobs) } };

	says(RECLAIM, &cluster, "f: warning: no cluster queue matches account x, QOS low, "
	     "partition gpu, which 2 jobs have: Slurm alone schedules such jobs. A rule of a queue "
	     "could match them\n");
	says("localQueues: []\n  nonPreemptible: {match: [{user: eve}]}\n  " RECLAIM, &cluster,
	     "f: warning: no cluster queue matches account x, QOS low, partition gpu, which 2 jobs "
	     "have: Slurm alone schedules such jobs. A rule of a queue could match them\n");
	says(RECLAIM "\n- name: e\n  match: [{user: eve}]\n  resourceGroups: [{coveredResources: "
	     "[cpu], flavors: [{name: f, nominalQuota: cpu=0}]}]", &cluster,
	     "f: warning: no cluster queue matches account x, QOS low, partition gpu, user bob, "
	     "which 1 job has: Slurm alone schedules such jobs. A rule of a queue could match "
	     "them\n");
}

TESTS(cmocka_unit_test(nothing_known), cmocka_unit_test(jobs_outside),
      cmocka_unit_test(reclaim_never), cmocka_unit_test(nodes_of_one_user),
      cmocka_unit_test(quota_above_nodes),
      cmocka_unit_test(nobody_matches), cmocka_unit_test(turns_too_short),
      cmocka_unit_test(turns_that_never_end), cmocka_unit_test(flavor_of_all_nodes),
      cmocka_unit_test(flavors_of_owners), cmocka_unit_test(nobody_is_nonpreemptible))
