/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test candidates.c - the workloads that may be evicted for one at the gate
 */
#include "query.h"
#include "world.h"

#include "core/workload_state.h"
#include "holding/holding.h"
#include "candidates/candidate.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

/* The queues have no quota of their own, and 4 to borrow */
#define POOL "site fair\ncohort org cpu@f=4\nqueue a in org reclaim=any cpu@f=0\n" \
	"queue b in org reclaim=any cpu@f=0\n"

/* x asks for charges, and r leaves anyway: which others may go */
struct other_case {
	const char *told;
	const char *charges;
	const char *gone;	/* NULL: each may go alone */
	const char *answer;
	int64_t until;		/* when the first protected one is free */
};

/* b is within its quota of cpu, and above it in licenses */
#define LICENSES "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4 lic@f=1\n" \
	"queue b in org within=lower reclaim=any cpu@f=4 lic@f=1\n" \
	"run r in b cpu@f=2 since=1\nrun s in b cpu@f=2 since=2\n" \
	"run t in b lic@f=2 since=3\nwait x in a cpu=2 lic=1"

static const struct other_case others[] = {
	{ TWO "run r in b cpu@f=1\nwait x in a cpu=1", "cpu@f=1", "r", "", 0 },
	/* a queue within nominal quota gives none, above it all are candidates */
	{ TWO "run r in b cpu@f=2\nrun s in b cpu@f=1 since=1\n"
	  "run t in b cpu@f=3 since=2\nrun u in b cpu@f=2 since=3\n"
	  "wait x in a cpu=2", "cpu@f=2", "r", "u/InCohortReclamation", 0 },
	{ TWO "run r in b cpu@f=1\nrun s in b cpu@f=1 since=1\n"
	  "run t in b cpu@f=3 since=2\nrun u in b cpu@f=2 since=3\n"
	  "wait x in a cpu=2", "cpu@f=2", "r", "u/InCohortReclamation", 0 },
	{ TWO "run r in a cpu@f=1\nrun s in b cpu@f=4 since=1\n"
	  "run t in b cpu@f=1 since=2\nrun u in b cpu@f=1 since=3\n"
	  "run v in a cpu@f=1 prio=-1\nwait x in a cpu=2", "cpu@f=2", "r",
	  "u/InCohortReclamation t/InCohortReclamation v/InClusterQueue", 0 },
	/* a job that would borrow may not reclaim */
	{ TWO "run r in a cpu@f=1\nrun s in b cpu@f=4\nrun t in b cpu@f=1\n"
	  "run v in a cpu@f=2 prio=-1\nwait x in a cpu=3", "cpu@f=3", "r", "v/InClusterQueue", 0 },
	/* protected ones stay */
	{ "site reclaim=5 preempt=5\n" TWO "run r in a cpu@f=1\nrun s in b cpu@f=5 since=7\n"
	  "run v in a cpu@f=1 prio=-1 since=6\nwait x in a cpu=2", "cpu@f=2", "r", "", 11 },
	{ "site reclaim=5\n" TWO "run r in b cpu@f=5 since=7\nrun s in b cpu@f=1 since=2\n"
	  "wait x in a cpu=2", "cpu@f=2", "s", "", 12 },
	/* those of other queues are no candidates before the delay is over */
	{ "cohort org\nqueue a in org within=lower reclaim=any delay=5 cpu@f=4\n"
	  "queue b in org cpu@f=4\nrun r in a cpu@f=1 prio=-1\nrun s in b cpu@f=5 since=1\n"
	  "run t in b cpu@f=1 evicting\nrun v in a cpu@f=1 prio=-1 since=2\nwait x in a cpu=2",
	  "cpu@f=2", "r", "t/InCohortReclamation v/InClusterQueue", 15 },
	/* by share: both borrow, and give in the measure in which they borrow */
	{ "site fair\n" TWO "queue c in org within=lower reclaim=any cpu@f=4\n"
	  "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=3 since=3\nwait x in a cpu=3", "cpu@f=3", "r",
	  "t/InCohortReclamation", 0 },
	/* each of these may go alone, but not all of them together */
	{ LICENSES, "cpu@f=2 lic@f=1", NULL, "t/InCohortReclamation", 0 },
	{ "site fair\n" LICENSES, "cpu@f=2 lic@f=1", NULL, "t/InCohortReclamation", 0 },
	{ TWO "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=2 since=3\nwait x in a cpu=3", "cpu@f=3", NULL,
	  "t/InCohortReclamation s/InCohortReclamation r/InCohortReclamation", 0 },
	{ "site fair\n" TWO "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=2 since=3\nwait x in a cpu=3", "cpu@f=3", NULL,
	  "t/InCohortReclamation s/InCohortReclamation r/InCohortReclamation", 0 },
	/* x would have 2 of 4, y has 4: 2 of them may go together */
	{ POOL "run r in b cpu@f=1 since=1\nrun s in b cpu@f=1 since=2\n"
	  "run t in b cpu@f=1 since=3\nrun u in b cpu@f=1 since=4\n"
	  "wait x in a cpu=2", "cpu@f=2", NULL, "u/InCohortFairSharing t/InCohortFairSharing "
	  "s/InCohortFairSharing r/InCohortFairSharing", 0 },
	/* by the second strategy */
	{ POOL "run r in b cpu@f=3 since=1\nrun s in b cpu@f=1 since=2\n"
	  "wait x in a cpu=2", "cpu@f=2", NULL, "s/InCohortFairSharing r/InCohortFairSharing", 0 },
	{ "site second=none\n" POOL "run r in b cpu@f=3 since=1\nrun s in b cpu@f=1 since=2\n"
	  "wait x in a cpu=2", "cpu@f=2", NULL, "s/InCohortFairSharing", 0 },
	/* the cheap ones first; none that was evicted often enough */
	{ "queue a within=newer max=2 cpu@f=9\n"
	  "run r in a cpu@f=1 since=1 cost=1\nrun s in a cpu@f=1 since=2\n"
	  "run t in a cpu@f=1 since=3 cost=1 times=1\n"
	  "run u in a cpu@f=1 since=4 times=2\nwait x in a cpu=2 prio=1", "cpu@f=2", NULL,
	  "s/InClusterQueue t/InClusterQueue r/InClusterQueue", 0 },
};

static void test_candidates(void **state)
{
	for (size_t i = 0; i < COUNT(others); i++) {
		struct world *world = world_create(others[i].told);
		const char *leaves = others[i].gone;
		const struct victim gone = {
			.workload = leaves ? world_workload(world, leaves) : NULL,
		};
		struct charge charges[2];
		struct candidates_query query = {
			.charges = charges, .gone = &gone, .ngone = leaves != NULL,
			.alone = !leaves,
		};
		struct candidates found;
		uint64_t digest = engine_digest(world->engine);

		query.ncharges = world_charges(world, others[i].charges, charges);
		assert_int_equal(engine_candidates(world->engine,
				world_workload(world, "x"), 10, &query, &found), 0);
		assert_string_equal(world_victims(world, found.list, found.n), others[i].answer);
		if (leaves)
			assert_int_equal(found.protected_until, others[i].until);
		assert_true(engine_digest(world->engine) == digest);
		world_destroy(world);
	}
}

/* The delay begins with the first look, for all that are alike, and ends; a look for few finds those
 * of its own queue behind the others. */
static void test_delay(void **state)
{
	struct world *world = world_create(
		"cohort org\nqueue a in org within=lower reclaim=any delay=5 cpu@f=6\n"
		"queue b in org cpu@f=4\nrun s in b cpu@f=5\nrun v in a cpu@f=1 prio=-1\n"
		"wait x in a cpu=2\nwait y in a cpu=2");
	struct charge charge = { 0, 0, 2 };
	struct candidates_query query = { .charges = &charge, .ncharges = 1, .most = 1 };
	static const struct {
		const char *name;
		int64_t now, until;
		const char *answer;
	} looks[] = {
		{ "x", 10, 15, "v/InClusterQueue" },
		{ "y", 12, 15, "v/InClusterQueue" },
		{ "x", 14, 15, "v/InClusterQueue" },
		{ "y", 15, 0, "s/InCohortReclamation" },
	};

	(void) world_plan(world, 9);
	for (size_t i = 0; i < COUNT(looks); i++) {
		struct candidates found;

		assert_int_equal(engine_candidates(world->engine,
				world_workload(world, looks[i].name), looks[i].now, &query,
				&found), 0);
		assert_string_equal(world_victims(world, found.list, found.n), looks[i].answer);
		assert_int_equal(found.protected_until, looks[i].until);
	}
	world_destroy(world);
}

/* Which jobs leave nodes in time is not known: there is no delay where one has to be sure. What
 * else is told of a run stays, and a new end of it makes a plan. */
static void test_expected(void **state)
{
	struct world *world = world_create(
		"cohort org\nqueue a in org reclaim=any delay=5 expected cpu@f=6\n"
		"queue b in org cpu@f=4\nrun s in b cpu@f=5 ends=12 cost=1\nwait x in a cpu=2");
	struct workload *s = world_workload(world, "s");
	struct charge charge = { 0, 0, 2 };
	struct candidates_query query = { .charges = &charge, .ncharges = 1 };
	struct eviction_terms terms;
	struct candidates found;

	assert_int_equal(engine_candidates(world->engine, world_workload(world, "x"), 10, &query,
					   &found), 0);
	assert_string_equal(world_victims(world, found.list, found.n), "s/InCohortReclamation");
	(void) world_plan(world, 10);
	workload_terms(s, &terms);
	assert_int_equal(terms.ends_by, 12);
	terms.ends_by = 30;
	assert_false(engine_stale(world->engine, 10));
	assert_int_equal(engine_set_terms(world->engine, s, &terms), 0);
	assert_true(engine_stale(world->engine, 10));
	world_destroy(world);
}

/* The first victim that would have to stay, or how many victims there are */
static const struct {
	const char *told;
	const char *victims[3];
	size_t allowed;
} together[] = {
	/* b is then within its nominal quota */
	{ TWO "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=2 since=3\nwait x in a cpu=2", { "r", "s", "t" }, 0 },
	{ TWO "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=2 since=3\nwait x in a cpu=2", { "t", "s" }, 2 },
	{ TWO "run r in b cpu@f=3 since=1\nrun s in b cpu@f=3 since=2\n"
	  "run t in b cpu@f=2 since=3\nwait x in a cpu=2", { "r" }, 1 },
	/* newest first, b would give 4 and then keep s; with u last it may give all three */
	{ TWO "run r in b cpu@f=2 since=1\nrun s in b cpu@f=2 since=2\n"
	  "run t in b cpu@f=1 since=3\nrun u in b cpu@f=3 since=4\n"
	  "wait x in a cpu=2", { "s", "t", "u" }, 3 },
	/* in no order */
	{ TWO "run r in b cpu@f=2 since=1\nrun s in b cpu@f=2 since=2\n"
	  "run t in b cpu@f=2 since=3\nrun u in b cpu@f=2 since=4\n"
	  "wait x in a cpu=2", { "r", "s", "u" }, 0 },
	/* not once more */
	{ "queue a within=newer max=2 cpu@f=9\nrun r in a cpu@f=1 times=1\n"
	  "run s in a cpu@f=1 times=2\nwait x in a cpu=2 prio=1", { "r", "s" }, 1 },
	{ POOL "run r in b cpu@f=1 since=1\nrun s in b cpu@f=1 since=2\n"
	  "run t in b cpu@f=1 since=3\nrun u in b cpu@f=1 since=4\n"
	  "wait x in a cpu=2", { "r", "t" }, 2 },
	{ POOL "run r in b cpu@f=1 since=1\nrun s in b cpu@f=1 since=2\n"
	  "run t in b cpu@f=1 since=3\nrun u in b cpu@f=1 since=4\n"
	  "wait x in a cpu=2", { "u", "t", "r" }, 2 },
	{ POOL "run r in b cpu@f=3 since=1\nrun s in b cpu@f=1 since=2\n"
	  "wait x in a cpu=2", { "r" }, 1 },
	{ "site second=none\n" POOL "run r in b cpu@f=3 since=1\nrun s in b cpu@f=1 since=2\n"
	  "wait x in a cpu=2", { "r" }, 0 },
};

static void test_allowed(void **state)
{
	for (size_t i = 0; i < COUNT(together); i++) {
		struct world *world = world_create(together[i].told);
		struct charge charge = { 0, 0, 2 };
		struct victim victims[3] = { { 0 } };
		size_t n = 0;

		for (; n < 3 && together[i].victims[n]; n++)
			victims[n].workload = world_workload(world, together[i].victims[n]);
		assert_int_equal(engine_allowed(world->engine, world_workload(world, "x"),
						10, &charge, 1, victims, n), together[i].allowed);
		world_destroy(world);
	}
}

static void expect_ranks(const char *told, const char *const *names, const int *expected, size_t n)
{
	struct world *world = world_create(told);
	const struct charge charge = { 0, 0, 2 };
	const struct candidates_query query = {
		.charges = &charge, .ncharges = 1, .alone = true,
	};
	struct candidates found;
	int ranks[16];

	assert_int_equal(engine_candidates(world->engine, world_workload(world, "x"), 10,
					   &query, &found), 0);
	assert_int_equal(found.n, n);
	assert_int_equal(engine_rank_candidates(found.list, n, ranks), 0);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (found.list[k].workload != world_workload(world, names[i]))
			assert_true(++k < n);
		assert_int_equal(ranks[k], expected[i]);
	}
	world_destroy(world);
}

/* The rules' order without starts: other queues, lower priority, requeued; the
 * preemptor's own queue is last. */
static void test_ranks(void **state)
{
	static const char *const names[] = { "low", "same", "high", "mine" };
	static const int ranks[] = { 0, 0, 1, 2 };

	expect_ranks("cohort c\nqueue a in c within=lower reclaim=any cpu@f=4\n"
		     "queue b in c cpu@f=2\nrun low in b cpu@f=2 since=1\n"
		     "run same in b cpu@f=1 since=5\nrun high in b cpu@f=1 prio=3\n"
		     "run mine in a cpu@f=2 since=9\nwait x in a cpu=2 prio=9", names, ranks, 4);
}

/* More ranks than there may be: classes stay apart, four priorities count as one. */
static void test_many_ranks(void **state)
{
	struct workload w[60] = { { 0 } };
	struct holding h[60] = { { 0 } };
	struct victim list[60] = { { 0 } };
	int ranks[60];

	for (int i = 0; i < 60; i++) {
		h[i].priority = i / 4;
		h[i].cost = i % 2;
		w[i].held = &h[i];
		w[i].runs = true;
		list[i].workload = &w[i];
		list[i].list = i / 2 % 2 ? LIST_OWN : LIST_PRIORITY;
	}
	h[59].evicting = true;
	assert_int_equal(engine_rank_candidates(list, 60, ranks), 0);
	assert_int_equal(ranks[59], 0);
	for (int i = 0; i < 59; i++)
		assert_int_equal(ranks[i], i / 2 % 2 * 8 + i / 16 * 2 + i % 2);
}

TESTS(cmocka_unit_test(test_candidates), cmocka_unit_test(test_delay), cmocka_unit_test(test_expected), cmocka_unit_test(test_allowed),
      cmocka_unit_test(test_ranks), cmocka_unit_test(test_many_ranks))
