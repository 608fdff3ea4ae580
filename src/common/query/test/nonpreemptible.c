/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test jobs that can't be preempted, through all of the engine
 *
 * The numbers are those of the examples that the rules came with
 * (doc/how-it-decides.md, section 6). V is what such jobs use, U what all use.
 */
#include "query.h"
#include "world.h"

#define ORG(a_words, a_quota, words) "cohort org gpu@f=4\ncohort ml in org gpu@f=8\n" \
	"queue a in ml " a_words " gpu@f=" a_quota "\n" \
	"queue b in ml reclaim=any" words " gpu@f=8+2\nqueue c in ml" words " gpu@f=0+6\n" \
	"queue d in org" words " gpu@f=8\n"
#define QUEUE(text) ORG("within=lower reclaim=any", "8-4", "") text
#define COHORT(text) ORG("within=lower reclaim=any cap=cohort", "8-4", " cap=cohort") text
/* the same after the quota of a was cut */
#define QUEUE_CUT(text) ORG("", "4-4", "") text
#define COHORT_CUT(text) ORG("cap=cohort", "4-4", " cap=cohort") text

static const struct world_case flavors[] = {
	/* the cap is of one flavor, */
	{ "queue a gpu@a100=8 gpu@v100=4\nrun r in a gpu@a100=8 fixed\n"
	  "wait x in a gpu=2 fixed", 0, "fit gpu@v100=2" },
	/* also where eviction would help: it is asked first */
	{ "queue a within=lower gpu@a100=8 gpu@v100=4\n"
	  "run r in a gpu@a100=8 fixed\nrun s in a gpu@v100=4\nwait x in a gpu=2 fixed prio=1", 0,
	  "preempt gpu@v100=2 for s/InClusterQueue" },
	/* and of what is asked for */
	{ "queue a cpu@f=8 gpu@f=8\nrun r in a cpu@f=10 gpu@f=2 fixed\n"
	  "wait x in a gpu=2 fixed", 0, "fit gpu@f=2" },
	{ "queue a cpu@f=8 gpu@f=8\nrun r in a cpu@f=10 gpu@f=2 fixed\n"
	  "wait x in a gpu=2 cpu=0 fixed", 0, "fit gpu@f=2 cpu@f=0" },
};

/* a 6/12, b 0/2, c 0/6, d 0/16 */
#define FULL "run r in a gpu@f=6 fixed\nrun s in a gpu@f=2\n" \
	"run t in a gpu@f=2\nrun u in a gpu@f=2\nrun v in b gpu@f=2\n" \
	"run w in c gpu@f=6 prio=9\nrun o in d gpu@f=16 prio=9\n"
/* a 2/8, b 0/10, c 0/6, d 0/12 */
#define OWN "run r in a gpu@f=2 fixed\nrun s in a gpu@f=6\n" \
	"run t in b gpu@f=10\nrun u in c gpu@f=6\nrun v in d gpu@f=12\n"
/* a 0/2, b 0/10, c 0/6, d 0/14 */
#define OTHERS "run r in a gpu@f=2\nrun t in b gpu@f=2 since=9\n" \
	"run w in b gpu@f=8 since=8\nrun u in c gpu@f=6 prio=9\nrun v in d gpu@f=14 prio=9\n"

static const struct target_case victims[] = {
	/* only those that can be preempted, and only until a is within its
	 * nominal quota: two of three */
	{ ORG("", "8-4", "") FULL "wait x in b gpu=4", 9, "gpu@f=4",
	  "s/InCohortReclamation t/InCohortReclamation" },
	{ "cohort org gpu@f=4\ncohort ml in org gpu@f=8\n"
	  "queue a in ml gpu@f=8-4\nqueue b in ml reclaim=lower gpu@f=8+2\n"
	  "queue c in ml gpu@f=0+6\nqueue d in org gpu@f=8\n" FULL
	  "wait x in b gpu=6 prio=1", 9, "gpu@f=6", "" },
	/* one within the cap takes its queue's lower ones, if policy says so */
	{ QUEUE(OWN "wait x in a gpu=4 fixed prio=1"), 9, "gpu@f=4", "s/InClusterQueue" },
	{ ORG("", "8-4", "") OWN "wait x in a gpu=4 fixed prio=1", 9, "gpu@f=4", "" },
	{ ORG("within=lower reclaim=lower", "8-4", "") OTHERS
	  "wait x in a gpu=6 fixed prio=1", 9, "gpu@f=6", "t/InCohortReclamation" },
	{ ORG("", "8-4", "") OTHERS "wait x in a gpu=6 fixed prio=1", 9, "gpu@f=6", "" },
	/* never, whatever the priority, and whatever is over */
	{ "queue a within=any gpu@f=4\nrun r in a gpu@f=4 fixed prio=-9\n"
	  "wait x in a gpu=4 prio=9", 0, "gpu@f=4", "" },
	{ "queue a within=lower turn=4 gpu@f=4\nrun r in a gpu@f=4 since=1 fixed\n"
	  "wait x in a gpu=4", 9, "gpu@f=4", "" },
	{ "queue a within=lower turn=4 gpu@f=4\nrun r in a gpu@f=4 since=1\n"
	  "wait x in a gpu=4", 9, "gpu@f=4", "r/InClusterQueueTimeBased" },
	/* but one that leaves anyway is the first one */
	{ "queue a within=any gpu@f=4\nrun r in a gpu@f=2 fixed evicting\n"
	  "run s in a gpu@f=2\nwait x in a gpu=2 prio=9", 0, "gpu@f=2", "r/InClusterQueue" },
	/* a unit stays when one of it does */
	{ "queue a within=any gpu@f=4\nrun r in a gpu@f=2 fixed\n"
	  "run s in a gpu@f=2\nunit r s\nwait x in a gpu=2 prio=9", 0, "gpu@f=2", "" },
	/* fair sharing: U counts, and only the others can go */
	{ "site fair\ncohort o\nqueue t in o gpu@f=8\n"
	  "queue b in o reclaim=any gpu@f=8\nrun r in t gpu@f=8 fixed\n"
	  "run s in t gpu@f=2\nrun u in t gpu@f=2\nwait x in b gpu=8", 9,
	  "gpu@f=8", "s/InCohortReclamation u/InCohortReclamation" },
	{ "site fair\ncohort o\nqueue t in o gpu@f=4\n"
	  "queue b in o reclaim=any gpu@f=8\nrun r in t gpu@f=8 fixed\n"
	  "run s in t gpu@f=2\nwait x in b gpu=8", 9, "gpu@f=8", "" },
};

/* Behind those above nominal quota (a cut) a preemptor holds what is free, as
 * behind any that are protected; others are no reason to. */
#define TWO(a) "cohort o\nqueue a in o gpu@f=" a "\n" \
	"queue b in o reclaim=lower gpu@f=4\nqueue c in o gpu@f=2\n"
static const struct world_case plans[] = {
	/* up to nominal quota of the queue, */
	{ QUEUE("wait x in a gpu=8 fixed"), 0, "x=start#1" },
	{ QUEUE("wait x in a gpu=9 fixed"), 0, "x=never(gpu@f,need=9,max=8)" },
	{ QUEUE("wait x in a gpu=9"), 0, "x=start#1+" },
	{ QUEUE("wait x in c gpu=6 fixed"), 0, "x=never(gpu@f,need=6,max=0)" },
	/* or of all on its way up, each within its borrowing limit */
	{ COHORT("wait x in a gpu=8 fixed"), 0, "x=start#1" },
	{ COHORT("wait x in a gpu=9 fixed"), 0, "x=start#1+" },
	{ COHORT("wait x in c gpu=6 fixed"), 0, "x=start#1+" },
	{ COHORT("wait x in c gpu=7 fixed"), 0, "x=never(gpu@f,need=7,max=6)" },
	{ COHORT("run r in c gpu@f=6 fixed\nwait x in a gpu=14 fixed"), 0, "x=start#1+" },
	{ COHORT("run r in c gpu@f=6 fixed\nwait x in a gpu=15 fixed"), 0,
	  "x=capped(gpu@f,need=15,cap=14,used=0)" },
	{ COHORT("wait x in a gpu=21 fixed"), 0, "x=never(gpu@f,need=21,max=20)" },
	/* a queue is over nominal quota because of the others: it may borrow */
	{ QUEUE("run r in a gpu@f=2 fixed\nrun s in a gpu@f=6\n"
		"wait x in a gpu=4 fixed"), 0, "x=start#1+" },
	{ QUEUE("run r in a gpu@f=6 fixed\nwait x in a gpu=3 fixed"), 0,
	  "x=capped(gpu@f,need=3,cap=8,used=6)" },
	{ QUEUE("run r in a gpu@f=6 fixed\nwait x in a gpu=3"), 0, "x=start#1+" },
	/* heads of one plan share the cap, and so do tasks of an array */
	{ QUEUE("wait x in a gpu=5 fixed\nwait y in a gpu=5 fixed at=1\n"
		"wait z in a gpu=3 fixed at=2"), 0, "x=start#1 y=order z=start#2" },
	{ QUEUE("wait x in a gpu=3 fixed tasks=9"), 0, "x=start#1x2" },
	{ COHORT("wait x in c gpu=4 fixed\nwait y in a gpu=17 fixed"), 0, "x=start#1+ y=order" },
	/* with as few pods as it can do with */
	{ QUEUE("run r in a gpu@f=6 fixed\n"
		"wait x in a gpu=4 count=4 min=1 fixed"), 0, "x=start#1" },
	/* StrictFIFO waits, BestEffortFIFO goes on */
	{ "queue a strict gpu@f=4\nrun r in a gpu@f=2 fixed\n"
	  "wait x in a gpu=4 fixed\nwait y in a gpu=1 at=1", 0,
	  "x=capped(gpu@f,need=4,cap=4,used=2) y=order" },
	{ "queue a gpu@f=4\nrun r in a gpu@f=2 fixed\n"
	  "wait x in a gpu=4 fixed\nwait y in a gpu=1 at=1", 0,
	  "x=capped(gpu@f,need=4,cap=4,used=2) y=start#1" },
	/* one that can never go is no head */
	{ "cohort o gpu@f=4\nqueue a in o strict gpu@f=4\n"
	  "wait x in a gpu=5 fixed\nwait y in a gpu=5 at=1", 0,
	  "x=never(gpu@f,need=5,max=4) y=start#1+" },
	{ QUEUE_CUT("run r in a gpu@f=6 fixed\nrun s in a gpu@f=2\n"
		    "wait x in a gpu=1 fixed\nwait y in a gpu=1 at=1"), 0,
	  "x=capped(gpu@f,need=1,cap=4,used=6) y=start#1+" },
	{ COHORT_CUT("run r in a gpu@f=6 fixed\nrun s in a gpu@f=2\n"
		     "wait x in a gpu=1 fixed\nwait y in a gpu=1 at=1"), 0,
	  "x=start#1+ y=start#2+" },
	{ QUEUE_CUT("run r in a gpu@f=3 fixed\nrun s in a gpu@f=2\n"
		    "wait x in a gpu=1 fixed"), 0, "x=start#1+" },
	{ COHORT_CUT("run r in a gpu@f=3 fixed\nrun s in a gpu@f=2\n"
		     "wait x in a gpu=1 fixed"), 0, "x=start#1+" },
	{ QUEUE_CUT("run r in a gpu@f=17 fixed\nwait x in c gpu=1 fixed\n"
		    "wait y in b gpu=8 fixed"), 0, "x=never(gpu@f,need=1,max=0) y=start#1" },
	{ COHORT_CUT("run r in a gpu@f=17 fixed\nwait x in c gpu=1 fixed\n"
		     "wait y in b gpu=8 fixed"), 0,
	  "x=capped(gpu@f,need=1,cap=0,used=0) y=start#1" },
	/* what is free is not lent, but whoever does not borrow has it */
	{ TWO("2") "run r in a gpu@f=6 fixed\n"
	  "wait x in b gpu=4 prio=1\nwait y in c gpu=1\nwait z in a gpu=1", 0,
	  "x=fixed y=start#1 z=order" },
	{ TWO("6") "run r in a gpu@f=6 fixed\nrun s in c gpu@f=4\n"
	  "wait x in b gpu=4 prio=0", 0, "x=quota(gpu@f,need=4,free=2)" },
	{ TWO("2") "run r in a gpu@f=6 fixed exempt=-1\n"
	  "wait x in b gpu=4 prio=1\nwait y in c gpu=2", 0,
	  "x=quota(gpu@f,need=4,free=0) y=start#1" },
};

static void test_flavors(void **state)
{
	world_cases(flavors, COUNT(flavors), world_nominate_x);
}

static void test_victims(void **state)
{
	target_cases(victims, COUNT(victims));
}

static void test_plans(void **state)
{
	world_cases(plans, COUNT(plans), world_plan);
}

/* ---- while it runs ---- */

static void test_ledger(void **state)
{
	struct world *world = world_create(
		COHORT("run r in a gpu@f=9 fixed\nrun s in a gpu@f=2\n"
		       "run t in c gpu@f=1 fixed\nrun u in d gpu@f=3"));
	static const struct fixed_ledger answers[] = {
		{ 9, 19 }, { 0, 10 }, { 1, 6 }, { 0, 12 },
	};
	struct fixed_ledger l;

	for (size_t i = 0; i < COUNT(answers); i++) {
		assert_int_equal(engine_fixed_ledger(world->engine, (int) i, 0, 0, &l), 0);
		assert_int_equal(l.used, answers[i].used);
		assert_int_equal(l.cap, answers[i].cap);
	}
	assert_int_equal(engine_fixed_ledger(world->engine, 4, 0, 0, &l), -1);
	assert_int_equal(engine_fixed_ledger(world->engine, 0, 1, 0, &l), -1);
	assert_int_equal(engine_fixed_ledger(world->engine, 0, 0, -1, &l), -1);
	world_destroy(world);
}

/* What can be had back leaves them out, for now and for later. */
static void test_reclaimable(void **state)
{
	struct world *world = world_create("cohort o\nqueue a in o reclaim=any gpu@f=8\n"
		"queue b in o gpu@f=0\nrun r in b gpu@f=5 fixed\nrun s in b gpu@f=2");
	struct reclaim r;

	assert_int_equal(engine_reclaimable(world->engine, 9, 0, 0, 0, &r), 0);
	assert_int_equal(r.now, 2);
	assert_int_equal(r.later, 0);
	assert_int_equal(r.at, 0);
	world_destroy(world);
}

/* Elastic groups of which only as many as they need can't be preempted */
#define FOUR "run r1 in q gpu@f=1 members=2 since=1\nrun r2 in q gpu@f=1 members=2 since=2\n" \
	"run r3 in q gpu@f=1 members=2 since=3\nrun r4 in q gpu@f=1 members=2 since=4\n"
#define OWNERS "cohort o\nqueue q in o gpu@f=2\nqueue b in o reclaim=any gpu@f=6\n"

static const char *const stories[] = {
	"queue a within=any gpu@f=4\nrun r in a gpu@f=3\nrun s in a gpu@f=1 fixed\n"
	"wait x in a gpu=3\nplan 9 x=preempt#1(1)\nfixed s\n"
	"fix r\nplan 9 x=quota(gpu@f,need=3,free=0)\nfixed r s\nfix r no\nplan 9 x=preempt#1(1)\n"
	/* only if the cap allows that */
	"start r gpu@f=4\nplan 9 x=preempt#1(1)\nfix r\nplan 9 x=preempt#1(1)\nfixed s\n"
	"fix r no\nplan 9 x=preempt#1(1)\n"
	/* a run begins as it was described */
	"requeue r\nremove r\nrun r in a gpu@f=3 fixed\n"
	"plan 9 x=quota(gpu@f,need=3,free=0)\nfixed r s\nfix r\nfixed r s",
	/* one that is requeued has to pass the cap anew */
	"queue a gpu@f=4\nrun r in a gpu@f=3 fixed\nwait x in a gpu=3 fixed prio=1\n"
	"plan 9 x=capped(gpu@f,need=3,cap=4,used=3)\n"
	"requeue r\nupdate r in a gpu=3 fixed\nplan 9 r=order x=start#1\n"
	"start x gpu@f=3\nplan 9 r=capped(gpu@f,need=3,cap=4,used=3)",
	/* freed quota that such a job owns counts for the cap; a job that changes its kind gives
	 * it up */
	"queue a within=any gpu@f=8\nrun r in a gpu@f=6 evicting\n"
	"wait x in a gpu=6 fixed prio=2\nown x gpu@f=6\nwait y in a gpu=4 fixed prio=1\n"
	"wait z in a gpu=2 fixed\n"
	"plan 9 x=preempting(1) y=capped(gpu@f,need=4,cap=8,used=8) z=preempt#1(1)\n"
	"remove r\nplan 9 x=start#1 y=capped(gpu@f,need=4,cap=8,used=8) z=start#2\nowners x\n"
	"update x in a gpu=6 prio=2\nowners",
	/* q owns 2, a group of 4 needs 2: V 2, U 4. Two can go, a third can't. */
	OWNERS FOUR "run u in b gpu@f=4\nwait x in b gpu=2\nfixed r1 r2\nplan 9 x=preempt#1(2)\n"
	"update x in b gpu=3\nplan 9 x=quota(gpu@f,need=3,free=0)",
	/* the end of one makes room for the first of the others */
	OWNERS FOUR "wait x in q gpu=1\nremove r1\nplan 9 x=start#1+\nfixed r2 r3\n"
	"requeue r3 at=9\nplan 9 r3=start#2 x=start#1+\nfixed r2 r4\n"
	/* one that starts when there are enough is preemptible, and not capped */
	"start r3 gpu@f=1 since=9\nplan 9 x=start#1+\nfixed r2 r4\n"
	/* nobody fits under the cap: one less */
	"run s in q gpu@f=1 fixed\nremove r2\nplan 9 x=start#1+\nfixed r4 s\n"
	"remove s\nfix r3\nplan 9 x=start#1+\nfixed r3 r4\n"
	/* another number: the last to start is given up */
	"update x in q gpu=1 members=1\nfix r4\nplan 9 x=start#1+\nfixed r4",
	/* of an array as many start as non-preemptible as the group needs, the others beyond the
	 * cap */
	OWNERS "wait x in q gpu=1 tasks=9 members=2\nplan 9 x=start#1x8+\n"
	"run s in q gpu@f=1 fixed\nplan 9 x=start#1\nremove s\nown x gpu@f=1\nplan 9 x=start#1\n"
	"disown x\nupdate x in q gpu=1 tasks=9 members=1\nplan 9 x=start#1x8+",
	/* a number that comes with a task behind the head of a line counts at once, too */
	"cohort o\nqueue q in o strict gpu@f=2\nqueue b in o gpu@f=6\n"
	"run s in b gpu@f=6\nrun r1 in q gpu@f=2 members=1\n"
	"wait x in q gpu=1 members=1\nplan 9 x=quota(gpu@f,need=1,free=0)\n"
	"wait y in q gpu=1 members=2 at=1\nplan 9 x=capped(gpu@f,need=1,cap=2,used=2) y=order",
	/* the caller remembers which of them were */
	OWNERS FOUR "keep r1 no\nkeep r2\nkeep r3 no\nkeep r4\nfixed r2 r4\nremove r2\nfixed r1 r4",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_flavors),
      cmocka_unit_test(test_victims), cmocka_unit_test(test_plans), cmocka_unit_test(test_ledger),
      cmocka_unit_test(test_reclaimable))
