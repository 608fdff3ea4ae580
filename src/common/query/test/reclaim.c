/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test reclaim.c - what a queue could have back of what it has lent
 */
#include <errno.h>
#include <inttypes.h>

#include "query.h"
#include "world.h"

#define TWO "queue a in org cpu@f=10 reclaim=any\nqueue b in org cpu@f=4\n"
#define ORG "cohort org\n"

static void test_wrong(void **state)
{
	static const struct {
		int queue, flavor, resource;
	} wrong[] = {
		{ -1, 0, 0 }, { 2, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 },
		{ 0, 0, -1 }, { 0, 0, 1 },
	};
	struct world *world = world_create(ORG TWO);
	struct reclaim r;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		errno = 0;
		assert_int_equal(engine_reclaimable(world->engine, 0, wrong[i].queue,
						    wrong[i].flavor, wrong[i].resource, &r), -1);
		assert_int_equal(errno, EINVAL);
	}
	world_destroy(world);
}

/* "now+later@at" of queue a, pair cpu@f */
static const char *reclaimable(struct world *world, int64_t now)
{
	struct engine *e = world_engine(world);
	uint64_t digest = engine_digest(e);
	struct reclaim r;

	assert_int_equal(engine_reclaimable(e, now, 0, 0, 0, &r), 0);
	assert_true(engine_digest(e) == digest);
	snprintf(world->text, sizeof(world->text),
		 "%"PRId64"+%"PRId64"@%"PRId64, r.now, r.later, r.at);
	return world->text;
}

static const struct world_case cases[] = {
	/* nothing lent, or the lender may not */
	{ ORG TWO "run r in b cpu@f=4", 9, "0+0@0" },
	{ ORG "queue a in org cpu@f=10\nqueue b in org cpu@f=4\nrun r in b cpu@f=9", 9, "0+0@0" },
	{ ORG "queue a in org cpu@f=10 reclaim=any hold\n"
	  "queue b in org cpu@f=4\nrun r in b cpu@f=9", 9, "0+0@0" },
	/* b borrows 5 with one job: all of it comes back */
	{ ORG TWO "run r in b cpu@f=9", 9, "5+0@0" },
	/* with small ones as well, and no more than was lent */
	{ ORG TWO "run r in b cpu@f=3\nrun s in b cpu@f=3\nrun t in b cpu@f=3", 9, "5+0@0" },
	/* whatever their priority is, whatever the policy asks for */
	{ ORG "queue a in org cpu@f=10 reclaim=lower\n"
	  "queue b in org cpu@f=4\nrun r in b cpu@f=9 prio=99", 9, "5+0@0" },
	/* nothing is evicted from a stopped queue */
	{ ORG "queue a in org cpu@f=10 reclaim=any\n"
	  "queue b in org cpu@f=4 hold\nrun r in b cpu@f=9", 9, "0+0@0" },
	/* what a lends and no queue uses is free, not reclaimable */
	{ ORG TWO "run r in b cpu@f=9\nrun x in a cpu@f=3", 9, "5+0@0" },
	/* protected ones later, at the end of the first of them */
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=5 since=1\n"
	  "run s in b cpu@f=4 since=50", 101, "5+0@0" },
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=5 since=1\n"
	  "run s in b cpu@f=4 since=50", 100, "0+5@101" },
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=2 since=1\n"
	  "run s in b cpu@f=7 since=50", 120, "2+3@150" },
	/* a queue within nominal quota gives nothing */
	{ "site reclaim=100\n" ORG TWO "queue c in org cpu@f=0\n"
	  "run r in b cpu@f=3 since=1\nrun s in c cpu@f=9 since=50", 120, "0+8@150" },
	/* on its way out it is not protected any more */
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=9 since=50 evicting", 60, "5+0@0" },
	/* others of the tree, none of another one */
	{ ORG "queue a in org cpu@f=10 reclaim=any\nqueue b in org cpu@f=4\nqueue c cpu@f=1\n"
	  "run r in b cpu@f=6\nrun s in c cpu@f=9", 9, "2+0@0" },
	/* a queue gives nothing while its cohort is within its quota */
	{ ORG "cohort east in org\nqueue a in org cpu@f=10 reclaim=any\n"
	  "queue b in east cpu@f=4\nqueue c in east cpu@f=4\nrun r in b cpu@f=8", 9, "0+0@0" },
	{ ORG "cohort east in org\nqueue a in org cpu@f=10 reclaim=any\n"
	  "queue b in east cpu@f=4\nqueue c in east cpu@f=4\nrun r in b cpu@f=10", 9, "2+0@0" },
	/* c has its own back first: b borrows from it, too */
	{ ORG "cohort east in org\nqueue a in east cpu@f=4 reclaim=any\n"
	  "queue b in east cpu@f=4\nqueue c in org cpu@f=4\nrun r in b cpu@f=12", 9, "4+0@0" },
	/* a job that must never be evicted does not count, one with another time does */
	{ ORG TWO "run r in b cpu@f=6\nrun s in b cpu@f=3\nexempt r -1", 9, "3+0@0" },
	{ ORG TWO "run r in b cpu@f=6\nrun s in b cpu@f=3\nexempt r -1\nexempt r 40", 9, "3+2@40" },
	/* a unit counts when all of it may go, and once */
	{ ORG TWO "run r in b cpu@f=5\nrun s in b cpu@f=4\nunit r s", 9, "5+0@0" },
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=5 since=1\n"
	  "run s in b cpu@f=4 since=50\nunit r s", 120, "0+5@150" },
	{ "site reclaim=100\n" ORG TWO "run r in b cpu@f=5 since=1\n"
	  "run s in b cpu@f=4 since=50\nunit s r", 120, "0+5@150" },
	/* in another tree: safe, safe for some time, or stopped */
	{ ORG TWO "queue c cpu@f=9\nrun r in b cpu@f=9\n"
	  "run s in c cpu@f=1 exempt=-1\nunit r s", 120, "0+0@0" },
	{ ORG TWO "queue c rmin=100 cpu@f=9\nrun r in b cpu@f=9\n"
	  "run s in c cpu@f=1 since=50\nunit r s", 120, "0+5@150" },
	{ ORG TWO "queue c rmin=100 cpu@f=9\nrun r in b cpu@f=9\n"
	  "run s in c cpu@f=1 since=50 evicting\nunit r s", 120, "5+0@0" },
	{ ORG TWO "queue c hold cpu@f=9\nrun r in b cpu@f=9\n"
	  "run s in c cpu@f=1\nunit r s", 120, "0+0@0" },
	/* in the queue's own, which gives none for its own jobs */
	{ ORG TWO "run r in b cpu@f=9\nrun s in a cpu@f=1\nunit r s", 120, "0+0@0" },
	{ ORG "queue a in org cpu@f=10 reclaim=any within=lower\nqueue b in org cpu@f=4\n"
	  "run r in b cpu@f=9\nrun s in a cpu@f=1\nunit r s", 120, "5+0@0" },
};

static void test_reclaimable(void **state)
{
	world_cases(cases, COUNT(cases), reclaimable);
}

static void test_min_runtimes(void **state)
{
	struct world *world = world_create("site preempt=7 reclaim=100\ncohort org rmin=50\n"
		"cohort east in org rmin=30\nqueue a in east cpu@f=1 rmin=10\n"
		"queue b in east cpu@f=1 reclaim=any\nqueue c in org cpu@f=1 reclaim=lower\n"
		"queue d in org cpu@f=1 pmin=3\nrun r in a");
	static const int64_t expected[][2] = {
		{ 7, 10 }, { 7, 30 }, { 7, 50 }, { 3, 50 },
	};
	int64_t preempt, reclaim;

	for (int i = 0; i < 4; i++) {
		engine_min_runtimes(world->engine, i, &preempt, &reclaim);
		assert_int_equal(preempt, expected[i][0]);
		assert_int_equal(reclaim, expected[i][1]);
	}
	world_destroy(world);
}

static void test_share(void **state)
{
	struct world *world = world_create(
		ORG "queue a in org cpu@f=10\nqueue b in org weight=2 cpu@f=0\n"
		"queue c in org weight=0 cpu@f=0\nrun r in b cpu@f=4\nrun s in c cpu@f=1");

	assert_true(engine_share(world->engine, false, 0) == 0);
	assert_true(engine_share(world->engine, false, 1) == 200);
	assert_true(engine_share(world->engine, false, 2) == HUGE_VAL);
	assert_true(engine_share(world->engine, true, 0) == 0);
	world_destroy(world);
}

static bool line_add(void *arg, const struct workload *w, int64_t tasks, int local_queue)
{
	struct world *world = arg;
	size_t used = strlen(world->text);

	snprintf(world->text + used, sizeof(world->text) - used,
		 "%s:%"PRId64":%d ", world_name(world, w), tasks, local_queue);
	return strcmp(world_name(world, w), "z");
}

static void test_line(void **state)
{
	struct world *world = world_create(ORG TWO "wait x in a cpu=1 at=3 local=1\n"
		"wait y in a cpu=1 at=2 tasks=5 local=2\n"
		"wait z in a cpu=1 at=4 local=1\nwait v in a cpu=1 at=5\nwait u in b cpu=1");

	world->text[0] = '\0';
	engine_line(world->engine, 0, line_add, world);
	assert_string_equal(world->text, "y:5:2 x:1:1 z:1:1 ");
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_reclaimable),
      cmocka_unit_test(test_min_runtimes), cmocka_unit_test(test_share),
      cmocka_unit_test(test_line))
