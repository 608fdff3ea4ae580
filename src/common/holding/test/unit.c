/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test unit.c - running workloads that are evicted together, or not at all
 */
#include <errno.h>

#include "holding/holding.h"
#include "test/terms.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"
#define THREE TWO "queue c in org reclaim=any cpu@f=4\n"

static const struct world_case cases[] = {
	/* one takes the other along: the quota of both serves two */
	{ TWO "run u in a cpu@f=3 since=1\nrun v in a cpu@f=3 since=2\n"
	  "run s in a cpu@f=2\nwait x in b cpu=2 at=1\nwait y in b cpu=2 at=2",
	  9, "x=preempt#1(1) y=preempt#2(1)" },
	{ TWO "run u in a cpu@f=3 since=3\nrun v in a cpu@f=3 since=4\n"
	  "run s in a cpu@f=2 since=1\nunit u v\nwait x in b cpu=2 at=1\nwait y in b cpu=2 at=2", 9,
	  "x=preempt#1(1) y=preempting(1)" },
	/* in three queues, one of them not even short of quota */
	{ THREE "run u in a cpu@f=6\nrun v in c cpu@f=2\nrun s in c cpu@f=2\n"
	  "run t in b cpu@f=2\nunit u v\nwait x in b cpu=2", 9, "x=preempt#1(1)" },
	/* if one of them is protected, all are */
	{ "site reclaim=50\n" TWO "run u in a cpu@f=4 since=1\n"
	  "run v in a cpu@f=4 since=90\nwait x in b cpu=4", 100, "x=preempt#1(1)" },
	{ "site reclaim=50\n" TWO "run u in a cpu@f=4 since=1\n"
	  "run v in a cpu@f=4 since=90\nunit u v\nwait x in b cpu=4", 100, "x=protected(140)" },
	{ TWO "run u in a cpu@f=4\nrun v in a cpu@f=4 exempt=-1\nunit v u\n"
	  "wait x in b cpu=4", 100, "x=quota(cpu@f,need=4,free=0)" },
	/* nor against the policy for one: in x's own queue only lower priority gives way */
	{ TWO "run u in a cpu@f=6\nrun v in b cpu@f=2 prio=5\nunit u v\n"
	  "wait x in b cpu=2", 100, "x=quota(cpu@f,need=2,free=0)" },
	{ TWO "run u in a cpu@f=6\nrun v in b cpu@f=2 prio=5\nunit u v\n"
	  "wait x in b cpu=2 prio=6", 100, "x=preempt#1(1)" },
	/* one that may never go is no reason to wait for the others; all wait
	 * for the last one, in whatever order they were joined */
	{ "site reclaim=50\n" TWO "run u in a cpu@f=6 since=90\n"
	  "run v in b cpu@f=2 prio=5\nunit u v\nwait x in b cpu=2", 100,
	  "x=quota(cpu@f,need=2,free=0)" },
	{ "site reclaim=50\n" THREE "run u in a cpu@f=4 since=90\n"
	  "run v in c cpu@f=4 since=80\nrun t in a cpu@f=4\nrun s in c cpu@f=0 exempt=-1\n"
	  "unit u v s\nunit t v\nwait x in b cpu=2", 100, "x=quota(cpu@f,need=2,free=0)" },
	{ "site reclaim=50\n" TWO "run u in a cpu@f=4 since=70\n"
	  "run v in a cpu@f=2 since=90\nrun s in a cpu@f=2 since=80\n"
	  "unit u v s\nwait x in b cpu=4", 100, "x=protected(140)" },
	{ "site reclaim=50\n" TWO "run u in a cpu@f=4 since=70\n"
	  "run v in a cpu@f=2 since=90\nrun s in a cpu@f=2 since=80\n"
	  "unit v u\nunit u s\nwait x in b cpu=4", 100, "x=protected(140)" },
	{ "site reclaim=50\n" TWO "run u in a cpu@f=8 since=70\n"
	  "run v in a cpu@f=0 exempt=-1\nunit v u\nwait x in b cpu=4", 100,
	  "x=quota(cpu@f,need=4,free=0)" },
	{ "site reclaim=50\ncohort org\nqueue a in org max=1 cpu@f=4\n"
	  "queue b in org reclaim=any cpu@f=4\n"
	  "run u in a cpu@f=4 since=70\nrun v in a cpu@f=4 times=1\n"
	  "unit v u\nwait x in b cpu=4", 100, "x=protected(150)" },
	/* no job is protected where x looks */
	{ TWO "queue c rmin=50 cpu@f=4\nrun u in a cpu@f=8\n"
	  "run v in c cpu@f=1 since=90\nunit u v\nwait x in b cpu=4", 100, "x=protected(140)" },
	/* a turn that goes on */
	{ "cohort org\nqueue a in org cpu@f=4\n"
	  "queue b in org within=newer reclaim=any turn=60 cpu@f=4\n"
	  "run u in a cpu@f=6\nrun v in b cpu@f=2 since=90\nunit u v\n"
	  "wait x in b cpu=2 at=1", 100, "x=protected(151)" },
	/* fair sharing, too, takes the unit once */
	{ "site fair\ncohort org cpu@f=8\nqueue a in org reclaim=any cpu@f=0\n"
	  "queue b in org reclaim=any cpu@f=0\n"
	  "run u in a cpu@f=3 since=1\nrun v in a cpu@f=3 since=2\n"
	  "run s in a cpu@f=2\nunit u v\nwait x in b cpu=2 at=1", 9, "x=preempt#1(1)+" },
};

static void test_plans(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

/* The gate: one member stands for all. */
static void test_gate(void **state)
{
	struct world *w = world_create(TWO
		"run u in a cpu@f=3 since=1\nrun v in a cpu@f=3 since=2\n"
		"run s in a cpu@f=2\nunit u v\nwait x in b cpu=4");
	struct workload *x = world_workload(w, "x");
	struct workload *u = world_workload(w, "u");
	struct charge c = { 0, 0, 4 };
	struct victim victim = { .workload = u, .reason = VICTIM_RECLAMATION };
	const struct candidates_query query = { &c, 1, .alone = true };
	struct candidates found;

	world_plan(w, 9);
	assert_true(engine_fits(w->engine, x, &c, 1, &victim, 1));
	assert_int_equal(engine_allowed(w->engine, x, 9, &c, 1, &victim, 1), 1);
	assert_int_equal(engine_candidates(w->engine, x, 9, &query, &found), 0);
	assert_int_equal(found.n, 2);
	victim.workload = world_workload(w, "v");
	assert_int_equal(engine_drop_needless(w->engine, x, &c, 1, &victim, NULL, 1), 1);
	world_destroy(w);
}

/* Both are in the list, and leave once. */
static void test_drop_needless(void **state)
{
	static const struct needless_case cases[] = {
		{ "cpu@f=4", { 0 }, "u/InCohortReclamation v/InCohortReclamation" },
		{ "cpu@f=4", { 0, 0, 1 }, "r/InCohortReclamation" },
		{ "cpu@f=4", { 0, 1, 0 }, "u/InCohortReclamation v/InCohortReclamation" },
		{ "cpu@f=8", { 0 }, "u/InCohortReclamation "
		  "v/InCohortReclamation r/InCohortReclamation" },
		/* not even all of them are enough */
		{ "cpu@f=9", { 0 }, "u/InCohortReclamation "
		  "v/InCohortReclamation r/InCohortReclamation" },
		{ "cpu@f=0", { 0 }, "" },
	};

	needless_cases("cohort org\nqueue a in org cpu@f=8\nqueue b in org reclaim=any cpu@f=8\n"
		       "run o in a cpu@f=8 exempt=-1\nrun u in a cpu@f=2\nrun v in a cpu@f=2\n"
		       "run r in a cpu@f=4\nunit u v\nwait x in b cpu=8", "u v r",
		       VICTIM_RECLAMATION, cases, COUNT(cases));
}

static void test_errors(void **state)
{
	struct world *w = world_create(TWO "run u in a cpu@f=2\n"
				       "run v in a cpu@f=2\nwait x in b cpu=4");
	struct workload *u = world_workload(w, "u");

	errno = 0;
	assert_int_equal(terms_join(w->engine, world_workload(w, "x"), u), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(terms_join(w->engine, u, world_workload(w, "x")), -1);
	errno = 0;
	assert_int_equal(terms_join(w->engine, u, u), -1);
	assert_int_equal(errno, EINVAL);
	assert_null(u->held->unit);
	assert_int_equal(terms_join(w->engine, u, world_workload(w, "v")), 0);
	assert_int_equal(terms_join(w->engine, u, world_workload(w, "v")), 0);
	world_destroy(w);
}

static const char *const stories[] = {
	/* the ring closes behind a member that leaves it */
	TWO "run u in a cpu@f=2\nrun v in a cpu@f=2\nrun t in a cpu@f=4\nunit u v t\n"
	"wait x in b cpu=4\nplan 9 x=preempt#1(1)\nremove v\nevicting u\nplan 9 x=preempt#1(1)\n"
	"requeue t\nremove t\nplan 9 x=start#1\nremove u\nplan 9 x=start#1",
	/* an event of one member is an event in the trees of the others, */
	"site reclaim=50\n" TWO "queue c cpu@f=4\nrun s in a cpu@f=4 exempt=-1\n"
	"run u in a cpu@f=4 since=1\nrun v in c cpu@f=4 since=90\nunit u v\n"
	"wait x in b cpu=4\nplan 100 x=protected(140)\nevicting v\nplan 100 x=preempt#1(1)\n"
	"evicting v no\nplan 100 x=protected(140)\npause v for=10\nplan 100 x=protected(150)\n"
	"exempt v -1\nplan 100 x=quota(cpu@f,need=4,free=0)\n"
	"exempt v 0\nplan 100 x=protected(150)",
	/* also of jobs that come and go */
	"site reclaim=50\n" TWO "queue c cpu@f=4\nqueue d cpu@f=4\n"
	"run u in a cpu@f=8 since=1\nrun v in c cpu@f=4 since=90\nunit u v\nwait x in b cpu=4\n"
	"plan 100 x=protected(140)\nremove v\nplan 100 x=preempt#1(1)\n"
	"run t in d cpu@f=1 since=1\nunit t u\nplan 100 x=preempt#1(1)\n"
	"run v in c cpu@f=4 since=90\nplan 100 x=preempt#1(1)\n"
	"unit v t\nplan 100 x=protected(140)\nrequeue v\nplan 100 v=start#2 x=preempt#1(1)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_errors), cmocka_unit_test(test_plans),
      cmocka_unit_test(test_gate), cmocka_unit_test(test_drop_needless))
