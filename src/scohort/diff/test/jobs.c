/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test jobs.c - who could newly be evicted, for whom; who changes place and queue, and who it is
 */
#include <time.h>

#include "diff/diff.h"
#include "input/json_members.h"
#include "test/tests.h"

/* ---- configurations ---- */

#define HEAD "priority: partition\nflavors: [{name: any}]\ncohorts: [{name: lab}]\nclusterQueues:\n"
#define Q(name, account, cpu, more) \
	"- {name: " name ", match: [{account: \"" account "\"}], cohort: lab, " more \
	" resourceGroups: [{coveredResources: [cpu], flavors: [{name: any, nominalQuota: cpu=" \
	cpu "}]}]}\n"
#define TAKES "preemption: {reclaimWithinCohort: Any},"
#define NOTHING "preemption: {reclaimWithinCohort: Never},"
#define WITHIN "preemption: {withinClusterQueue: LowerPriority},"

#define EQUAL HEAD Q("a", "a", "8", TAKES) Q("b", "b", "8", TAKES)
#define LESS HEAD Q("a", "a", "4", TAKES) Q("b", "b", "12", TAKES)
#define OBSERVE "enforcement: observe\n"
#define NONE "clusterQueues: []\n"
/* ... and one of these, or none, is known to slurmctld already */
#define TWO_FLAVORS(name, second) \
	"- {name: " name ", match: [{account: " name "}], cohort: lab, " TAKES " resourceGroups: " \
	"[{coveredResources: [cpu], flavors: [{name: new, nominalQuota: cpu=4}, {name: " second \
	", nominalQuota: cpu=4}]}]}\n"
#define FLAVORS(second) \
	"flavors: [{name: new}, {name: " second "}]\ncohorts: [{name: lab}]\nclusterQueues:\n" \
	TWO_FLAVORS("a", second) TWO_FLAVORS("b", second)
#define OTHER_FLAVOR \
	"flavors: [{name: other}]\ncohorts: [{name: lab}]\nclusterQueues:\n" \
	"- {name: a, match: [{account: a}], cohort: lab, resourceGroups: [{coveredResources: " \
	"[cpu], flavors: [{name: other, nominalQuota: cpu=4}]}]}\n" \
	"- {name: b, match: [{account: b}], cohort: lab, " TAKES " resourceGroups: " \
	"[{coveredResources: [cpu], flavors: [{name: other, nominalQuota: cpu=8}]}]}\n"

/* ---- jobs: "a8" runs with 8 CPUs in account a, "a-" waits; a word of more letters: below ---- */

#define JOBS_MAX 16

/* ACCOUNT CPUS|- [@PARTITION] [+user=NAME] [!held|!after|!fixed|!lost|!odd|!tasks] */
static void view_read(struct view *v, char *word, uint32_t id)
{
	static char cpus[JOBS_MAX][32];
	char *mark = strpbrk(word, "@+!");

	*v = (struct view) {
		.id = id, .account = word[0] == 'a' ? "a" : word[0] == 'b' ? "b" : "c",
		.partition = "main", .user = "ann", .priority = 1, .tasks = 1, .nodes = "n1",
		.submitted = 1000 + id, .eligible = 1000 + id, .ran_since = 2000, .preemptable = 2000,
		.state = word[1] == '-' ? VIEW_PENDING : VIEW_RUNNING,
	};
	snprintf(cpus[id], sizeof(cpus[id]), "cpu=%d", atoi(word + 1));
	v->tres_given = cpus[id];
	for (; mark; mark = strpbrk(mark + 1, "@+!")) {
		if (*mark == '@')
			v->partition = mark[1] == 'h' ? "high" : mark[1] == 'o' ? "off" : "main";
		else if (*mark == '+')
			v->user = mark[1] == 'b' ? "bob" : "cid";
		else if (!strncmp(mark, "!held", 5))
			v->priority = 0;
		else if (!strncmp(mark, "!after", 6))
			v->dependency = "afterok:1";
		else if (!strncmp(mark, "!fixed", 6))
			v->preemptable = 0;
		else if (!strncmp(mark, "!tasks", 6))
			v->tasks = 5;
		else if (!strncmp(mark, "!odd", 4))
			v->system_comment = "preempted at x by job 1 (cluster queue b), rule R, "
				"for nodes, ran 1 s, preemption -3, turns -4, counted -5";
		else if (!strncmp(mark, "!lost", 5))
			v->system_comment = "preempted at 2026-11-01T00:00:00 by job 1 (cluster "
				"queue b), rule InClusterQueue, for nodes, ran 1 s, preemption 3, "
				"counted 3 of 3";
	}
}

static struct view_list views_read(const char *text)
{
	static struct view views[JOBS_MAX];
	char copy[256], *rest = NULL;
	struct view_list list = { .views = views };

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		assert_true(list.n + 1 < JOBS_MAX);
		view_read(&views[list.n], word, (uint32_t) list.n + 1);
		list.n++;
	}
	return list;
}

/* ---- cases ---- */

/* summary: "evictable 1 for b 1;" and users "ann 1;", without what is 0 */
static const struct {
	const char *from, *to, *jobs;
	const char *summary;
} cases[] = {
	/* nothing changes */
	{ EQUAL, EQUAL, "", "" },
	{ EQUAL, EQUAL, "a8 a4 b4 a- b-", "" },
	{ NONE, NONE, "a8 b-", "" },
	/* enforcement: what is borrowed can be taken back by whom it belongs to */
	{ OBSERVE EQUAL, EQUAL, "a8 a4", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, EQUAL, "a4 a4", "" },
	{ OBSERVE EQUAL, EQUAL, "a8 a4 b4+bob", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, EQUAL, "a4+bob a4 a4 b4", "evictable 3;for b 3;ann 2;bob 1;" },
	/* ... also where more is in use than all queues own: then several have to go */
	{ OBSERVE EQUAL, EQUAL, "a4 a4 a8 a8", "evictable 4;for b 4;ann 4;" },
	{ EQUAL, OBSERVE EQUAL, "a8 a4", "" },
	{ OBSERVE EQUAL, OBSERVE LESS, "a8", "" },
	{ OBSERVE EQUAL, EQUAL, "a8!fixed a4!fixed", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, EQUAL, "a8!odd a4!lost", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, EQUAL, "a8@off a4", "evictable 1;for b 1;ann 1;" },
	/* a PreemptMode of OFF is known of jobs that are managed */
	{ EQUAL, LESS, "a8!fixed", "" },
	/* quota is cut, or its owner may not take it back, or has none left */
	{ EQUAL, LESS, "a8", "evictable 1;for b 1;ann 1;" },
	{ LESS, EQUAL, "a8", "" },
	{ EQUAL, HEAD Q("a", "a", "4", TAKES) Q("b", "b", "12", NOTHING), "a8", "" },
	{ EQUAL, LESS, "a8 b8 b4", "" },
	{ EQUAL, HEAD Q("a", "a", "4", TAKES) Q("b", "b", "8", "preemption: {reclaimWithinCohort: Any, "
	  "withinClusterQueue: LowerOrNewerEqualPriority},"), "a8 b8", "evictable 1;for b 1;ann 1;" },
	{ EQUAL, LESS, "a8 b8 b3", "evictable 1;for b 1;ann 1;" },
	{ EQUAL, HEAD Q("a", "a", "4", "stopPolicy: Hold,") Q("b", "b", "12", TAKES), "a8", "" },
	{ EQUAL, HEAD Q("a", "a", "4", TAKES) Q("b", "b", "12", "stopPolicy: Hold," TAKES), "a8",
	  "" },
	{ EQUAL, LESS Q("c", "c", "4", TAKES), "a8", "evictable 1;for b 1;for c 1;ann 1;" },
	/* fair sharing: by what it owns, and by shares */
	{ OBSERVE EQUAL, "fairSharing: {enable: true}\n" EQUAL, "a8 a4", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, "fairSharing: {enable: true}\n" EQUAL, "a8 a8 b8", "evictable 2;for b 2;ann 2;" },
	{ OBSERVE EQUAL, "fairSharing: {enable: true}\n" EQUAL, "a8 b8 b8", "evictable 2;for a 2;ann 2;" },
	/* no time protects for good */
	{ EQUAL, "minRuntime: {reclaim: 300d}\n" LESS, "a8", "evictable 1;for b 1;ann 1;" },
	/* another tree takes nothing back */
	{ OBSERVE EQUAL, HEAD Q("a", "a", "8", TAKES)
	  "- {name: b, match: [{account: b}], resourceGroups: [{coveredResources: [cpu], flavors: "
	  "[{name: any, nominalQuota: cpu=8}]}]}\n", "a8 a4", "" },
	/* others of its own queue: by the priorities that there are */
	{ HEAD Q("a", "a", "8", NOTHING), HEAD Q("a", "a", "8", WITHIN), "a4 a4@high",
	  "evictable 1;for a 1;ann 1;" },
	{ HEAD Q("a", "a", "8", NOTHING), HEAD Q("a", "a", "8", WITHIN), "a4!lost", "" },
	{ HEAD Q("a", "a", "8", NOTHING), HEAD Q("a", "a", "8", "maxPreemptions: 9," WITHIN),
	  "a4!lost", "evictable 1;for a 1;ann 1;" },
	/* jobs that can't be preempted */
	{ HEAD Q("a", "a", "8", "nonPreemptible: {match: [{user: ann}]},") Q("b", "b", "8", TAKES),
	  LESS, "a8", "evictable 1;for b 1;ann 1;" },
	{ EQUAL, HEAD Q("a", "a", "4", "nonPreemptible: {match: [{user: ann}]},")
	  Q("b", "b", "12", TAKES), "a8", "" },
	/* drained */
	{ EQUAL, HEAD Q("a", "a", "8", "stopPolicy: HoldAndDrain,") Q("b", "b", "8", TAKES), "a8 a-",
	  "evictable 1;ann 1;" },
	/* another queue, or none */
	{ EQUAL, HEAD Q("a", "x", "8", TAKES) Q("b", "b", "8", TAKES), "a8 a- a-!tasks b-",
	  "unmatched 7;ann 7;" },
	{ EQUAL, HEAD Q("a", "x", "8", TAKES) Q("b", "[ab]", "8", TAKES), "a8 a- b-",
	  "moved 2;later 1;ann 3;" },
	{ EQUAL, HEAD Q("a", "[ab]", "8", TAKES) Q("b", "x", "8", TAKES), "a- b-+bob a-+cid",
	  "moved 1;later 1;bob 1;cid 1;" },
	{ HEAD Q("a", "[ab]", "8", TAKES), EQUAL, "a- b-+bob a-+cid",
	  "moved 1;earlier 1;bob 1;" },
	{ NONE, EQUAL, "a8 b-", "moved 2;ann 2;" },
	{ NONE, LESS, "a8!fixed",
	  "evictable 1;moved 1;for b 1;ann 1;" },
	/* not in line: no place */
	{ HEAD Q("a", "[ab]", "8", TAKES), EQUAL, "b-!held b-!after a-", "moved 2;ann 2;" },
	/* flavors that are new: whose nodes the job has is not known, unless there is one only */
	{ OBSERVE EQUAL, FLAVORS("old"), "a8", "" },
	{ OBSERVE EQUAL, FLAVORS("any"), "a8", "evictable 1;for b 1;ann 1;" },
	{ NONE, OTHER_FLAVOR, "a8", "evictable 1;moved 1;for b 1;ann 1;" },
};

static void summary_write(struct json_object *o, char *buf, size_t size)
{
	static const char *const keys[] = { "evictable", "moved", "unmatched", "later", "earlier" };
	struct json_object *summary = json_member(o, "summary");

	*buf = '\0';
	for (size_t i = 0; i < COUNT(keys); i++)
		if (json_number(summary, keys[i]))
			snprintf(buf + strlen(buf), size - strlen(buf), "%s %ld;", keys[i],
				 (long) json_number(summary, keys[i]));
	for (size_t i = 0; i < json_items(summary, "evictableFor"); i++) {
		struct json_object *by = json_item(summary, "evictableFor", i);

		snprintf(buf + strlen(buf), size - strlen(buf), "for %s %ld;",
			 json_text(by, "clusterQueue"), (long) json_number(by, "jobs"));
	}
	for (size_t i = 0; i < json_items(o, "users"); i++) {
		struct json_object *user = json_item(o, "users", i);

		snprintf(buf + strlen(buf), size - strlen(buf), "%s %ld;", json_text(user, "user"),
			 (long) json_number(user, "jobs"));
	}
}

static struct json_object *compare_on(const struct view_list *views, const struct conf *from,
				      const struct conf *to)
{
	char *partitions[] = { (char []) { "main" }, (char []) { "high" }, (char []) { "off" } };
	int64_t tiers[] = { 1, 2, 1 };
	const struct cluster cluster = {
		.partitions = { true, partitions, 3 }, .tiers = tiers,
		.fixed_partitions = { true, &partitions[2], 1 }, .jobs = *views,
	};
	struct json_object *o = json_object_new_object();
	struct published p = { .document = json_tokener_parse(
		"{\"flavors\":[{\"name\":\"any\",\"nodes\":\"n[1-9]\"}]}") };

	diff_jobs(o, from, to, &p, &cluster);
	json_object_put(p.document);
	return o;
}

static struct conf *conf_read(const char *text)
{
	struct conf *conf = conf_read_text("test", text, strlen(text), NULL, NULL);

	if (!conf)
		fail_msg("not valid: %s", text);
	return conf;
}

static struct json_object *compare(const char *from, const char *to, const char *jobs)
{
	struct conf *a = conf_read(from), *b = conf_read(to);
	struct view_list views = views_read(jobs);
	struct json_object *o = compare_on(&views, a, b);

	conf_destroy(a);
	conf_destroy(b);
	return o;
}

static void test_summary(void **state)
{
	char text[512];

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct json_object *o = compare(cases[i].from, cases[i].to, cases[i].jobs);

		summary_write(o, text, sizeof(text));
		json_object_put(o);
		if (strcmp(text, cases[i].summary) != 0)
			fail_msg("case %zu, %s: \"%s\", not \"%s\"", i, cases[i].jobs, text,
				 cases[i].summary);
	}
}

static void test_lists(void **state)
{
	struct json_object *o = compare(EQUAL, HEAD Q("a", "[ab]", "4", TAKES)
					Q("b", "x", "12", TAKES), "a8 b- a-");
	struct json_object *moved = json_item(o, "jobs", 0);
	struct json_object *evictable = json_item(o, "evictable", 0);
	struct json_object *borrower = json_item(o, "borrowers", 0);

	assert_int_equal(json_items(o, "jobs"), 1);
	assert_string_equal(json_text(moved, "jobId"), "2");
	assert_string_equal(json_text(moved, "state"), "waiting");
	assert_string_equal(json_text(moved, "to"), "a");
	assert_int_equal(json_number(json_member(o, "summary"), "later"), 1);
	assert_int_equal(json_items(o, "evictable"), 1);
	assert_string_equal(json_text(evictable, "jobId"), "1");
	assert_string_equal(json_text(evictable, "clusterQueue"), "a");
	assert_int_equal(json_items(o, "borrowers"), 1);
	assert_int_equal(json_number(borrower, "borrowed"), 4);
	json_object_put(o);
}

TESTS(cmocka_unit_test(test_summary), cmocka_unit_test(test_lists))
