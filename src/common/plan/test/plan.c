/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test plan.c - verdicts of whole plans
 */
#include "candidates/candidate.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

/* b has half of what a owns */
#define LENT "cohort org\nqueue a in org reclaim=lower cpu@f=8\n" \
	"queue b in org cpu@f=0\nrun r in b cpu@f=4\n"

static const struct world_case cases[] = {
	/* nothing waits: no verdicts */
	{ TWO, 0, "" },
	{ TWO "run x in a cpu@f=9\n", 0, "" },
	/* the reasons to wait */
	{ TWO "wait x in a cpu=9", 0, "x=never(cpu@f,need=9,max=8)" },
	/* nothing of what there is none of is enough */
	{ "queue a cpu@f=4 mem@f=0\nwait x in a cpu=5 mem=0", 0, "x=never(cpu@f,need=5,max=4)" },
	{ "queue a cpu@f=4 mem@f=0\nwait x in a cpu=4 mem=0", 0, "x=start#1" },
	{ "queue a hold cpu@f=4\nwait x in a cpu=1", 0, "x=held" },
	{ "queue a drain cpu@f=4\nwait x in a cpu=1", 0, "x=held" },
	{ "queue a inactive cpu@f=4\nwait x in a cpu=1", 0, "x=held" },
	{ "queue a cpu@f=4\nrun x in a cpu@f=3\nwait y in a cpu=2", 0,
	  "y=quota(cpu@f,need=2,free=1)" },
	{ "queue a cpu@f=4\nwait x in a cpu=3\nwait y in a cpu=2", 0, "x=start#1 y=order" },
	/* quota for a time: in force, over, and yet to come, which is not never */
	{ TWO "period a cpu@f=7 from=5 until=9\nwait x in a cpu=9", 4,
	  "x=quota(cpu@f,need=9,free=8)" },
	{ TWO "period a cpu@f=7 from=5 until=9\nwait x in a cpu=9", 5, "x=start#1+" },
	{ TWO "period a cpu@f=7 from=5 until=9\nwait x in a cpu=9", 9,
	  "x=never(cpu@f,need=9,max=8)" },
	{ TWO "period org cpu@f=7 from=5 until=9\nwait x in a cpu=9", 8, "x=start#1+" },
	{ "queue a cpu@f=4\nperiod a cpu@f=2 from=5 until=9\n"
	  "period a cpu@f=6 from=9 until=12\nwait x in a cpu=6", 8,
	  "x=quota(cpu@f,need=6,free=2)" },
	{ "queue a cpu@f=4\nperiod a cpu@f=2 from=5 until=9\n"
	  "period a cpu@f=6 from=9 until=12\nwait x in a cpu=6", 9, "x=start#1" },
	{ "queue a cpu@f=4\nperiod a cpu@f=9 from=5 until=9\n"
	  "wait x in a cpu=7 fixed", 1, "x=capped(cpu@f,need=7,cap=4,used=0)" },
	/* a cut by itself evicts no job; a job that wants the quota back does,
	 * as the policies say */
	{ TWO "period a cpu@f=0 from=5 until=9\nrun r in a cpu@f=4\nrun s in b cpu@f=4", 5, "" },
	{ TWO "period a cpu@f=0 from=5 until=9\nrun r in a cpu@f=4\n"
	  "run s in b cpu@f=2\nwait x in b cpu=2", 5, "x=preempt#1(1)" },
	{ TWO "period a cpu@f=2 from=5 until=9\nrun r in a cpu@f=2\n"
	  "run s in b cpu@f=4\nwait x in b cpu=1", 5, "x=quota(cpu@f,need=1,free=0)" },
	/* every head gets its turn: those that need no borrowing first, then priority, then time */
	{ TWO "wait x in a cpu=1 at=3\nwait y in a cpu=1 at=2 prio=1\n"
	  "wait z in b cpu=1 at=1", 0, "x=start#3 y=start#1 z=start#2" },
	{ TWO "wait x in a cpu=6 prio=9\nwait y in b cpu=2", 0, "x=start#2+ y=start#1" },
	/* many preemptors have their turn in one plan */
	{ TWO "run r1 in a cpu@f=2\nrun r2 in a cpu@f=2\nrun r3 in a cpu@f=2\nrun r4 in a cpu@f=2\n"
	  "wait x in b cpu=2 at=1\nwait y in b cpu=2 at=2\nwait z in b cpu=2 at=3", 0,
	  "x=preempt#1(1) y=preempt#2(1) z=quota(cpu@f,need=2,free=0)" },
	/* a job that fits only where a victim still runs has to wait for it */
	{ TWO "run r1 in a cpu@f=6\nrun r2 in b cpu@f=2\n"
	  "wait x in b cpu=1 at=1\nwait y in b cpu=1 at=2\nwait z in a cpu=1", 0,
	  "x=preempt#1(1) y=preempting(1) z=preempting(1)" },
	/* a start that a later head takes back never was one */
	{ TWO "wait x in a cpu=4 at=1\nwait y in a cpu=2 at=2\n"
	  "wait z in b cpu=1 at=3\nwait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "x=start#1 y=order z=start#2 v=start#3 u=start#4" },
	{ TWO "wait x in a cpu=2 tasks=9 at=1\nwait z in b cpu=1 at=3\n"
	  "wait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "x=start#1x2 z=start#2 v=start#3 u=start#4" },
	/* StrictFIFO: the head blocks, here and for the rest of the plan */
	{ "queue a strict cpu@f=4\nrun r in a cpu@f=2\n"
	  "wait x in a cpu=3 at=1\nwait y in a cpu=1 at=2", 0,
	  "x=quota(cpu@f,need=3,free=2) y=order" },
	{ "queue a cpu@f=4\nrun r in a cpu@f=2\nwait x in a cpu=3 at=1\nwait y in a cpu=1 at=2", 0,
	  "x=quota(cpu@f,need=3,free=1) y=start#1" },
	/* arrays: tasks start one by one, as many as there is quota for */
	{ "queue a cpu@f=5\nwait x in a cpu=2 tasks=9", 0, "x=start#1x2" },
	{ "queue a cpu@f=50\nwait x in a cpu=2 tasks=9", 0, "x=start#1x9" },
	{ "queue a cpu@f=50\nwait x in a cpu=2 tasks=9 starts=3", 0, "x=start#1x3" },
	{ "queue a cpu@f=5\nwait x in a cpu=2 tasks=3\nwait y in a cpu=1", 0,
	  "x=start#1x2 y=start#2" },
	/* the next ones borrow; the last ones from farther away */
	{ "cohort org\ncohort ml in org\nqueue a in ml cpu@f=4\n"
	  "queue b in ml cpu@f=4\nqueue c in org cpu@f=5\n"
	  "wait x in a cpu=2 tasks=99", 0, "x=start#1x6+" },
	/* one pod set of a task finds its own quota used up before the other
	 * one does, which has no other flavor */
	{ "cohort org\nqueue a in org canborrow=next cpu@f=4 cpu@g=99\nqueue b in org cpu@f=20\n"
	  "wait x in a cpu=1 tasks=99 | cpu=2 not=g", 0, "x=start#1x11+" },
	/* a preempting array: one task at a time */
	{ "queue a within=lower cpu@f=4\nrun r in a cpu@f=4\n"
	  "wait x in a cpu=2 tasks=3 prio=1", 0, "x=preempt#1(1)" },
	/* protected, and until when */
	{ TWO "run r in a cpu@f=8 since=90", 0, "" },
	{ "site reclaim=50\n" TWO "run r in a cpu@f=8 since=90\nwait x in b cpu=1", 100,
	  "x=protected(140)" },
	{ "site reclaim=50\n" TWO "run r in a cpu@f=8 since=90\nwait x in b cpu=1", 140,
	  "x=preempt#1(1)" },
	{ "site reclaim=50\n" TWO "run r in a cpu@f=8 since=90 evicting\nwait x in b cpu=1", 100,
	  "x=preempt#1(1)" },
	/* turns: the same priority, after the time, strictly */
	{ "queue a within=newer turn=60 cpu@f=4\n"
	  "run r in a cpu@f=4 at=1 since=10\nwait x in a cpu=4 at=2", 70, "x=protected(71)" },
	{ "queue a within=newer turn=60 cpu@f=4\n"
	  "run r in a cpu@f=4 at=1 since=10\nwait x in a cpu=4 at=2", 71, "x=preempt#1(1)" },
	/* quota that can only be had back later is not lent out meanwhile */
	{ "site reclaim=50\n" TWO "queue c in org within=never reclaim=never\n"
	  "run r1 in a cpu@f=6 since=90\nwait x in b cpu=4\nwait y in c cpu=1 prio=9", 100,
	  "x=protected(140) y=never(cpu@?,need=1,max=0)" },
	{ "site reclaim=50\n" TWO "queue c in org within=never reclaim=never cpu@f=0\n"
	  "run r1 in a cpu@f=6 since=90\nwait x in b cpu=4\n"
	  "wait y in c cpu=1 prio=9\nwait z in b cpu=1", 100,
	  "x=protected(140) y=order z=start#1" },
	/* so it is of an owner that may not evict who has borrowed it: what is free of its quota is
	 * kept for it, in all cycles, but not from its own queue */
	{ LENT "wait x in a cpu=8 at=1\nwait y in b cpu=4 at=2\nwait z in b cpu=2 at=3", 10,
	  "x=quota(cpu@f,need=8,free=4) y=order z=order" },
	{ LENT "wait x in a cpu=8 at=1\nwait y in b cpu=4 at=2\n"
	  "wait z in a cpu=3 at=3\nwait v in b cpu=1 at=4", 10,
	  "x=quota(cpu@f,need=8,free=1) y=order z=start#1 v=order" },
	/* no more than what is free: another owner evicts for itself only */
	{ "cohort org\nqueue a in org reclaim=lower cpu@f=8\n"
	  "queue b in org cpu@f=0\nqueue c in org reclaim=any cpu@f=4\n"
	  "run r in b cpu@f=8 since=1\nrun s in b cpu@f=4 since=5\n"
	  "wait x in a cpu=8 at=1\nwait y in c cpu=4 at=2", 10,
	  "x=quota(cpu@f,need=8,free=0) y=preempt#1(1)" },
	/* nothing is kept for a job that would borrow, or that may reclaim */
	{ LENT "wait x in a cpu=9 at=1\nwait y in b cpu=4 at=2", 10,
	  "x=never(cpu@f,need=9,max=8) y=start#1+" },
};

static void test_plans(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

static bool goes(const struct verdict *v)
{
	return v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT;
}

struct promises {
	size_t n;
	bool evict;
};

static void promise_count(void *arg, const struct workload *w, const struct verdict *v)
{
	struct promises *got = arg;

	assert_false(workload_running(w));
	assert_true(goes(v));
	got->n++;
	got->evict |= v->kind == VERDICT_PREEMPT;
}

/* Each job that may go is listed once */
static void test_promises(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct engine *e = world_engine(world);
		struct promises got = { 0 };
		size_t want = 0;

		engine_plan(e, cases[i].now);
		for (size_t k = 0; k < world->nworkloads; k++)
			want += goes(engine_verdict(e, world->workloads[k]));
		engine_promises(e, promise_count, &got);
		assert_int_equal(got.n, want);
		assert_int_equal(engine_evicts(e), got.evict);
		world_destroy(world);
	}
}

#define AT_ONCE "cohort org\nqueue a in org cpu@f=3000-0\n" \
	"queue b in org strict reclaim=any cpu@f=4\nqueue c in org strict reclaim=any cpu@f=4\n" \
	"run r in b cpu@f=4\nrun s in c cpu@f=4\nwait x in a cpu=1 tasks=2000 at=9\n" \
	"wait y in b cpu=2 at=1\nwait z in c cpu=1 at=2\n"

static const struct world_case many[] = {
	/* heads that can't go are not asked again for each task that starts */
	{ AT_ONCE, 0, "x=start#1x2000 y=quota(cpu@f,need=2,free=0) z=quota(cpu@f,need=1,free=0)" },
	{ "site fair\n" AT_ONCE, 0,
	  "x=start#1x2000 y=quota(cpu@f,need=2,free=0) z=quota(cpu@f,need=1,free=0)" },
	/* what heads after it in the cycle reserve is no reason to ask about the last tasks one
	 * by one */
	{ "cohort org\nqueue a in org cpu@f=1000-0\nqueue b in org strict reclaim=lower cpu@f=500\n"
	  "queue c in org cpu@f=0\nrun r in c cpu@f=500 prio=1\n"
	  "wait x in a cpu=1 tasks=2000 prio=2\nwait y in b cpu=300 prio=1\n", 0,
	  "x=start#1x1000 y=quota(cpu@f,need=300,free=0)" },
	/* nobody else waits: tasks borrow at once, too, and are not asked one by one whether they
	 * could evict instead */
	{ "cohort org\nqueue a in org reclaim=any cpu@f=4 cpu@g=2\n"
	  "queue b in org cpu@f=0 cpu@g=2000\nrun r in b cpu@f=4 exempt=-1\nwait x in a cpu=2 tasks=900\n",
	  0, "x=start#1x900+" },
};

static const char *plan_soon(struct world *world, int64_t now)
{
	(void) world_plan(world, now);
	assert_in_range(world->engine->searches->made, 1, 20);
	return world->text;
}

static void test_tasks_at_once(void **state)
{
	world_cases(many, COUNT(many), plan_soon);
}

/* As many as fit start at once: an array that ends at the quota is asked about
 * as often as one of which a single task fits. */
static void test_tasks_to_the_brim(void **state)
{
	uint64_t searches[2];

	for (size_t i = 0; i < COUNT(searches); i++) {
		char text[256];
		struct world *world;

		snprintf(text, sizeof(text), "cohort org\nqueue a in org cpu@f=%d-0\n"
			 "queue b in org strict reclaim=any cpu@f=4\n"
			 "run r in b cpu@f=4\nwait x in a cpu=2 tasks=900\n"
			 "wait y in b cpu=1\n", i ? 1001 : 3);
		world = world_create(text);
		assert_string_equal(world_plan(world, 0), i
				    ? "x=start#1x500 y=quota(cpu@f,need=1,free=0)"
				    : "x=start#1 y=quota(cpu@f,need=1,free=0)");
		searches[i] = world->engine->searches->made;
		world_destroy(world);
	}
	assert_true(searches[0] > 0);
	assert_int_equal(searches[1], searches[0]);
}

/* ---- owners of freed quota come before all heads ---- */

static const struct world_case owners[] = {
	/* its victims are still there: it waits, and no job overtakes it */
	{ TWO "run r1 in a cpu@f=6 evicting\nwait x in b cpu=4 at=2\n"
	  "wait y in b cpu=1 at=1\nown x cpu@f=4", 0,
	  "x=preempting(1) y=quota(cpu@f,need=1,free=0)" },
	{ TWO "run r1 in a cpu@f=6 evicting\nwait x in b cpu=4\n"
	  "wait z in a cpu=1 prio=9\nown x cpu@f=4", 0, "x=preempting(1) z=preempt#1(1)" },
	/* they are gone: it is the first of all, whatever its priority */
	{ TWO "wait x in b cpu=4\nwait y in b cpu=4 prio=9\n"
	  "wait z in a cpu=4 prio=9\nown x cpu@f=4", 0, "x=start#1 y=order z=start#2" },
	{ TWO "wait x in b cpu=6\nwait y in a cpu=4\nown x cpu@f=6", 0,
	  "x=start#1+ y=quota(cpu@f,need=4,free=2)" },
	/* two owners: in the order in which they came to own */
	{ TWO "run r1 in a cpu@f=2 evicting\nrun r2 in a cpu@f=2\n"
	  "wait x in b cpu=3\nwait y in b cpu=3\nown y cpu@f=3\n"
	  "own x cpu@f=3", 0, "x=preempting(1) y=start#1" },
	{ TWO "run r1 in a cpu@f=2 evicting\nrun r2 in a cpu@f=2\n"
	  "wait x in b cpu=3\nwait y in b cpu=3\nown y cpu@f=3\n"
	  "own x cpu@f=3\ndisown y\nown y cpu@f=3", 0, "x=start#1 y=preempting(1)" },
	/* an eviction of something else frees nothing for it: its claim is
	 * void, and it competes like any other */
	{ TWO "run r1 in a cpu@f=8\nwait x in b cpu=2\nown x cpu@f=2", 0, "x=preempt#1(1)" },
	{ TWO "run r1 in a cpu@f=4\nrun r2 in b cpu@f=4\nwait x in b cpu=2\n"
	  "own x cpu@f=2", 0, "x=quota(cpu@f,need=2,free=0)" },
	{ TWO "queue c in org cpu@f=0 mem@f=9\nrun r1 in c mem@f=1 evicting\n"
	  "run r2 in a cpu@f=8\nwait x in b cpu=2\nown x cpu@f=2", 0, "x=preempt#1(1)" },
	/* a stopped queue: the claim stays, the owner does not start */
	{ "cohort org\nqueue a in org cpu@f=4\nqueue b in org hold cpu@f=4\n"
	  "wait x in b cpu=4\nwait y in a cpu=6\nown x cpu@f=4", 0,
	  "x=held y=quota(cpu@f,need=6,free=4)" },
};

static void test_owners(void **state)
{
	world_cases(owners, COUNT(owners), world_plan);
}

TESTS(cmocka_unit_test(test_tasks_at_once), cmocka_unit_test(test_plans), cmocka_unit_test(test_owners),
      cmocka_unit_test(test_promises), cmocka_unit_test(test_tasks_to_the_brim))
