/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test outcomes.c - what the outcome of a cycle means for the plan
 */
#include "holding/holding.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

#define LENT "cohort org\nqueue a in org reclaim=any cpu@f=4 mem@f=4\n" \
	"queue b in org cpu@f=4 mem@f=4\nqueue c in org cpu@f=0 mem@f=0\n" \
	"queue d in org cpu@f=0 mem@f=0\nqueue z cpu@f=4 mem@f=4\n" \
	"run b1 in b cpu@f=4 mem@f=2\nrun c1 in c cpu@f=2 mem@f=2\n" \
	"run d1 in d cpu@f=2 mem@f=2\nwait x in a cpu=4 at=1\n"

static const struct world_case plans[] = {
	/* no job is evicted for a start that is taken back */
	{ TWO "wait x in a cpu=2 at=1\nwait y in a cpu=3 at=2\n"
	  "wait z in b cpu=1 at=3\nwait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "x=start#1 y=order z=start#2 v=start#3 u=start#4" },
	/* nor in the place of one, whatever the clocks say of the running one */
	{ "cohort org cpu@f=2\nqueue a in org cpu@f=0\nqueue b in org reclaim=any cpu@f=4\n"
	  "run r in a cpu@f=2 since=120\nwait y in a cpu=2\n"
	  "wait z in b cpu=2 at=1\nwait u in b cpu=2 at=2", 100, "y=order z=start#1 u=start#2" },
	/* nor is the room of a running job promised with it */
	{ TWO "run r in a cpu@f=2\nrun s in a cpu@f=2\nwait y in a cpu=3 at=2\n"
	  "wait z in b cpu=1 at=3\nwait u in b cpu=3 at=5", 0, "y=order z=start#1 u=start#2" },
	/* an array gives back one task, and keeps the others */
	{ TWO "wait x in a cpu=3 tasks=2 at=1\nwait z in b cpu=1 at=3\n"
	  "wait v in b cpu=2 at=4", 0, "x=start#1 z=start#2 v=start#3" },
	/* a job that fits only without the victims waits for them, and holds
	 * its place against those behind it */
	{ TWO "run r in a cpu@f=8\nwait x in b cpu=2 at=1\n"
	  "wait y in b cpu=2 at=2\nwait z in a cpu=5 at=1", 0,
	  "x=preempt#1(1) y=preempting(1) z=quota(cpu@f,need=5,free=4)" },
	/* a job that starts first leaves room for one that evicts after it */
	{ TWO "run r in a cpu@f=7\nwait x in b cpu=1 at=1\n"
	  "wait y in b cpu=2 at=2", 0, "x=start#1 y=preempt#2(1)" },
	/* victims that are on their way out already */
	{ TWO "run r in a cpu@f=8 evicting\nwait x in b cpu=2", 0, "x=preempt#1(1)" },
	/* a task of an array evicts for one task */
	{ TWO "run r in a cpu@f=4\nrun s in a cpu@f=4\n"
	  "wait x in b cpu=4 tasks=3", 0, "x=preempt#1(1)" },
	/* x takes back the start of the first task of y; the second one still evicts r, and
	 * x waits for r to leave, too. */
	{ TWO "run r in a cpu@f=3 prio=-1\nwait y in a cpu=3 tasks=2 at=1\n"
	  "wait z in b cpu=9 at=2\nwait v in b cpu=10 at=3\nwait x in b cpu=3 at=4", 0,
	  "y=preempt#1(1) z=never(cpu@f,need=9,max=8) "
	  "v=never(cpu@f,need=10,max=8) x=preempting(1)" },
	/* it starts with those that fit */
	{ TWO "run r in a cpu@f=6\nwait x in b cpu=1 tasks=4", 0, "x=start#1x2" },
	/* the dropped ones get another chance when victims have gone */
	{ TWO "run r in a cpu@f=6 prio=1\nrun s in b cpu@f=2\n"
	  "wait x in a cpu=2\nwait y in b cpu=2", 0, "x=preempting(1) y=preempt#1(1)" },
	/* x has quota by eviction and finds no nodes: its victim stays, and
	 * what would be left of the victim's quota is not for others */
	{ "cohort org\nqueue a in org within=lower cpu@f=8+0\n"
	  "queue b in org cpu@f=0\nqueue c in org cpu@f=4\n"
	  "run r in a cpu@f=8\nwait x in a cpu=4 prio=5\nblocked x\n"
	  "wait y in b cpu=3 at=9\nwait z in c cpu=4", 0, "x=preempt#1(1) y=order z=start#2" },
	/* a job that waits for the end of a protection keeps other queues out,
	 * but not its own queue */
	{ "site reclaim=50\n" TWO "queue c in org reclaim=any cpu@f=2\n"
	  "run r in a cpu@f=7 since=90\nwait x in b cpu=4 at=1\n"
	  "wait y in c cpu=3 at=2\nwait z in b cpu=1 at=3", 100,
	  "x=protected(140) y=order z=start#1" },
	/* An array's start is taken back in the cycle in which its next task is a head,
	 * too: by a head that has its turn before (the array borrows). The outcome of
	 * the next task then counts, and the queue goes on. */
	/* no room for the next task: the shape is dropped */
	{ TWO "wait x in a cpu=2 at=1\nwait y in a cpu=3 tasks=2 at=2\n"
	  "wait z in b cpu=1 at=3\nwait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "x=start#1 y=order z=start#2 v=start#3 u=start#4" },
	{ TWO "wait x in a cpu=2 at=1\nwait y in a cpu=3 tasks=3 at=2\nwait w in a cpu=1 at=6\n"
	  "wait z in b cpu=1 at=3\nwait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "x=start#1 y=order w=start#5 z=start#2 v=start#3 u=start#4" },
	/* several workloads of one shape */
	{ TWO "wait x in a cpu=2 at=1\nwait y in a cpu=3 tasks=2 at=2\n"
	  "wait w in a cpu=3 tasks=2 at=6\nwait z in b cpu=1 at=3\nwait v in b cpu=1 at=4\n"
	  "wait u in b cpu=2 at=5", 0, "x=start#1 y=order w=order z=start#2 v=start#3 u=start#4" },
	/* small tasks, some of which stay */
	{ TWO "wait y in a cpu=1 tasks=9 at=1\nwait z in b cpu=1 at=3\n"
	  "wait v in b cpu=1 at=4\nwait u in b cpu=2 at=5", 0,
	  "y=start#1x4 z=start#2 v=start#3 u=start#4" },
	{ TWO "run r in a cpu@f=2\nwait y in a cpu=2 tasks=4 at=1\n"
	  "wait z in b cpu=1 at=2\nwait u in b cpu=3 at=3", 0, "y=start#1 z=start#2 u=start#3" },
	/* x evicts c1 and d1. What starts fits beside both, */
	{ LENT "wait y in a mem=2 at=2", 0, "x=preempt#1(2) y=start#2" },
	{ LENT "wait y in a mem=3 at=2", 0, "x=preempt#1(2) y=preempting(2)" },
	/* and beside those that wait for them */
	{ LENT "wait v in a mem=3 at=2\nwait y in a mem=1 at=3", 0,
	  "x=preempt#1(2) v=preempting(2) y=preempting(2)" },
	{ LENT "wait v in a mem=1 at=2\nwait y in a mem=1 at=3", 0,
	  "x=preempt#1(2) v=start#2 y=start#3" },
	/* in other trees nobody waits for them */
	{ LENT "wait y in z cpu=4 mem=4", 0, "x=preempt#1(2) y=start#2" },
};

static void test_plans(void **state)
{
	world_cases(plans, COUNT(plans), world_plan);
}

/* The plan leaves no tentative holding in the lists */
static void test_forget(void **state)
{
	struct world *world = world_create(TWO "run r in a cpu@f=8\nwait x in b cpu=2 at=1\n"
		"wait y in b cpu=2 at=2\n");
	const struct queue *q = world->engine->queues;

	engine_plan(world->engine, 0);
	assert_int_equal(rankset_total(&q[0].order), 1);
	assert_null(q[1].order.root);
	assert_false(holding_at(q[0].order.root)->gone);
	assert_false(holding_at(q[0].order.root)->taken);
	world_destroy(world);
}

static const char *const stories[] = {
	/* what a head would evict, by which rule: running jobs, not a start that it takes back */
	TWO "run r in a cpu@f=3\nrun s in a cpu@f=3\nwait y in a cpu=2 at=1\n"
	"wait x in b cpu=4 at=2\nwait z in a cpu=2 at=3\nplan 0 y=order x=preempt#1(1) z=order\n"
	"victims x r/InCohortReclamation\nvictims y",
	/* when the plan has to be made again without any event */
	"site reclaim=50\n" TWO "queue lone within=lower pmin=10 cpu@f=1\n"
	"run r in a cpu@f=8 since=90\nrun s in lone cpu@f=1 since=95\n"
	"wait x in b cpu=2\nwait y in lone cpu=1 prio=1\n"
	"plan 100 x=protected(140) y=protected(105)\nexpiry 105\n"
	"plan 104 x=protected(140) y=protected(105)\n"
	"plan 105 x=protected(140) y=preempt#1(1)\nexpiry 140\n"
	"plan 140 x=preempt#1(1) y=preempt#2(1)\nexpiry 0",
	/* y was to evict s, which goes for x already. w, which x leaves alone, is better for it then. */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any borrow=lower rmin=50 cpu@f=4\n"
	"queue c in org reclaim=any borrow=lower cpu@f=0\nqueue d in org cpu@f=8\n"
	"run s in a cpu@f=8 since=-100 prio=1\nrun w in b cpu@f=8 since=1\nwait x in b cpu=4 prio=5\n"
	"wait y in c cpu=4 prio=3\nplan 5 x=preempt#1(1)+ y=preempting(1)\nexpiry 51\n"
	"plan 51 x=preempt#1(1)+ y=preempt#2(1)+",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_plans), cmocka_unit_test(test_forget))
