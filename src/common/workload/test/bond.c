/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test bond.c - workloads that are decided about together
 */
#include <errno.h>

#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"
/* each queue is a tree */
#define APART "queue a within=lower cpu@f=4\nqueue b within=lower cpu@f=4\n"

#define LENT "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=0\n" \
	"queue c in org reclaim=any cpu@f=4\nqueue d in org cpu@f=0\n"

static const struct world_case cases[] = {
	/* both could start: the first one does, the other's quota is free */
	{ TWO "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2\n"
	  "wait y in b cpu=4 at=9", 0, "x1=start#1 x2=order y=start#2" },
	{ APART "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2\n"
	  "wait y in b cpu=4 at=9", 0, "x1=start#1 x2=order y=start#2" },
	{ APART "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x2 x1\n"
	  "wait y in a cpu=4 at=9", 0, "x1=order x2=start#1 y=start#2" },
	/* the first one can't: the other one does */
	{ APART "run r in a cpu@f=2\nwait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2", 0,
	  "x1=quota(cpu@f,need=4,free=2) x2=start#1" },
	/* no job is evicted for one while the other can start */
	{ APART "run r in a cpu@f=2\nwait x1 in a cpu=4 prio=1\n"
	  "wait x2 in b cpu=4 prio=1\neither x1 x2", 0, "x1=order x2=start#1" },
	{ APART "run r in a cpu@f=2\nrun s in b cpu@f=2\n"
	  "wait x1 in a cpu=4 prio=1\nwait x2 in b cpu=4 prio=1\n"
	  "either x1 x2", 0, "x1=preempt#1(1) x2=order" },
	/* the one that has evicted waits for that, the other does not evict */
	{ APART "run r in a cpu@f=2\nrun s in b cpu@f=2 evicting\n"
	  "wait x1 in a cpu=4 prio=1\nwait x2 in b cpu=4 prio=1\n"
	  "either x1 x2\nown x2 cpu@f=4", 0, "x1=order x2=preempting(1)" },
	/* no nodes for one: the other one has its turn; for both: both */
	{ APART "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2\n"
	  "blocked x1", 0, "x1=order x2=start#1" },
	{ APART "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2\n"
	  "blocked x1\nblocked x2", 0, "x1=start#1 x2=start#2" },
	/* three, and each leaves room for the next job */
	{ APART "queue c cpu@f=4\nwait x1 in a cpu=4\nwait x2 in b cpu=4\nwait x3 in c cpu=4\n"
	  "either x1 x2 x3\nwait y1 in a cpu=4 at=1\nwait y2 in b cpu=4 at=1\neither y1 y2\n"
	  "wait z in b cpu=4 at=2\nwait u in c cpu=4 at=2", 0,
	  "x1=start#1 x2=order x3=order y1=order y2=start#2 z=order u=start#3" },
	/* a StrictFIFO queue is not held up by a job that starts elsewhere */
	{ "queue a cpu@f=4\nqueue b strict cpu@f=4\n"
	  "wait x1 in a cpu=4\nwait x2 in b cpu=4\neither x1 x2\n"
	  "wait y in b cpu=1 at=9", 0, "x1=start#1 x2=order y=start#2" },
	{ TWO "wait x1 in a cpu=3\nwait x2 in b cpu=3\ntogether x1 x2\n", 0,
	  "x1=start#1 x2=start#2" },
	{ APART "wait x1 in a cpu=3\nwait x2 in b cpu=3\ntogether x1 x2\n", 0,
	  "x1=start#1 x2=start#2" },
	/* one of them can't: nor can the other, which leaves its quota and says why */
	{ TWO "run r in b cpu@f=6\nwait x1 in a cpu=1\nwait x2 in b cpu=3\n"
	  "together x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=quota(cpu@f,need=3,free=1) x2=quota(cpu@f,need=3,free=1) y=start#1" },
	{ APART "run r in b cpu@f=2\nwait x1 in a cpu=4\nwait x2 in b cpu=3\n"
	  "together x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=quota(cpu@f,need=3,free=2) x2=quota(cpu@f,need=3,free=2) y=start#1" },
	{ APART "wait x1 in a cpu=4\nwait x2 in b cpu=5\ntogether x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) y=start#1" },
	/* in one queue, both fit, or only the first one */
	{ "queue a cpu@f=4\nwait x1 in a cpu=2\nwait x2 in a cpu=2 follower\n"
	  "together x1 x2\nwait y in a cpu=2 at=9", 0, "x1=start#1 x2=start#2 y=order" },
	{ "queue a cpu@f=4\nrun r in a cpu@f=2\nwait x1 in a cpu=2\nwait x2 in a cpu=2 follower\n"
	  "together x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=2,free=0) x2=quota(cpu@f,need=2,free=0) y=start#1" },
	{ "queue a strict cpu@f=4\nrun r in a cpu@f=2\nwait x1 in a cpu=2\n"
	  "wait x2 in a cpu=2 follower\ntogether x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=2,free=0) x2=quota(cpu@f,need=2,free=0) y=order" },
	/* a StrictFIFO queue waits for the other queue, too */
	{ "queue a strict cpu@f=4\nqueue b cpu@f=4\nrun r in b cpu@f=2\n"
	  "wait x1 in a cpu=2\nwait x2 in b cpu=3\ntogether x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=3,free=2) x2=quota(cpu@f,need=3,free=2) y=order" },
	{ "cohort org\nqueue a in org strict cpu@f=4\nqueue b in org cpu@f=4\n"
	  "run r in b cpu@f=7\nwait x1 in a cpu=1\nwait x2 in b cpu=3\n"
	  "together x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=3,free=0) x2=quota(cpu@f,need=3,free=0) y=order" },
	/* each fits alone, and both do not: no other job comes first */
	{ "cohort org\nqueue a in org strict cpu@f=4\n"
	  "queue b in org strict cpu@f=4\nrun r in a cpu@f=3\n"
	  "wait x1 in a cpu=3\nwait x2 in b cpu=3\ntogether x1 x2", 0,
	  "x1=quota(cpu@f,need=3,free=2) x2=quota(cpu@f,need=3,free=2)" },
	/* victims for both of them, in one queue and in two */
	{ TWO "queue c in org cpu@f=0\nrun r1 in c cpu@f=4 since=1\nrun r2 in c cpu@f=4 since=2\n"
	  "wait x1 in a cpu=2\nwait x2 in b cpu=3\ntogether x1 x2", 0,
	  "x1=preempt#1(1) x2=preempt#2(1)" },
	{ TWO "queue c in org cpu@f=0\nrun r1 in c cpu@f=4 since=1\nrun r2 in c cpu@f=4 since=2\n"
	  "wait x1 in a cpu=2\nwait x2 in a cpu=2\ntogether x1 x2", 0,
	  "x1=preempt#1(1) x2=preempting(1)" },
	{ TWO "queue c in org cpu@f=0\nrun r1 in c cpu@f=6 since=1\n"
	  "wait x1 in a cpu=2\nwait x2 in b cpu=2\ntogether x1 x2", 0,
	  "x1=start#1 x2=preempt#2(1)" },
	/* no job is evicted for one while the other can't go */
	{ TWO "run r in a cpu@f=4\nrun s in a cpu@f=4\nwait x1 in b cpu=2\n"
	  "wait x2 in a cpu=4\ntogether x1 x2", 0,
	  "x1=quota(cpu@f,need=4,free=2) x2=quota(cpu@f,need=4,free=2)" },
	{ APART "run r in a cpu@f=4\nrun s in b cpu@f=4 prio=9\n"
	  "wait x1 in a cpu=2 prio=5\nwait x2 in b cpu=2 prio=5\ntogether x1 x2", 0,
	  "x1=quota(cpu@f,need=2,free=0) x2=quota(cpu@f,need=2,free=0)" },
	/* it overtakes no job: y is first in b */
	{ "cohort org\nqueue a in org cpu@f=4\nqueue b in org strict cpu@f=4\n"
	  "run r in a cpu@f=3\nwait y in b cpu=7 at=1\n"
	  "wait x1 in a cpu=1 at=2 prio=1\nwait x2 in b cpu=1 at=2\ntogether x1 x2", 0,
	  "y=quota(cpu@f,need=7,free=5) x1=order x2=order" },
	/* two of them whose queues have them in another order */
	{ TWO "wait x1 in a cpu=2 prio=1\nwait x2 in b cpu=2\n"
	  "wait y1 in a cpu=2\nwait y2 in b cpu=2 prio=1\n"
	  "together x1 x2\ntogether y1 y2\nwait z in a cpu=1 at=9", 0,
	  "x1=start#1 x2=start#2 y1=start#4 y2=start#3 z=order" },
	/* what keeps one from going does not keep the next one */
	{ APART "run r in b cpu@f=1\nwait x1 in a cpu=4\nwait x2 in b cpu=4\n"
	  "wait y1 in a cpu=3 at=1\nwait y2 in b cpu=3 at=1\ntogether x1 x2\ntogether y1 y2", 0,
	  "x1=quota(cpu@f,need=4,free=3) x2=quota(cpu@f,need=4,free=3) y1=start#1 y2=start#2" },
	/* owners, one of which still waits for victims */
	{ TWO "queue c in org cpu@f=0\nrun r1 in c cpu@f=6 evicting\n"
	  "wait x1 in a cpu=2\nwait x2 in b cpu=2\ntogether x1 x2\n"
	  "own x1 cpu@f=2\nown x2 cpu@f=2", 0, "x1=preempting(1) x2=preempting(1)" },
	/* one has begun: the other is decided about by itself */
	{ APART "wait x1 in a cpu=3\nwait x2 in b cpu=3\ntogether x1 x2\n"
	  "own x2 cpu@f=3\nstart x1 cpu@f=3\nwait y in b cpu=3", 0, "x2=start#1 y=order" },
	/* arrays: those of their tasks that fit */
	{ "queue a cpu@f=5\nwait x1 in a cpu=1 tasks=2\n"
	  "wait x2 in a cpu=2 tasks=2\ntogether x1 x2\nwait y in a cpu=1 at=9",
	  0, "x1=start#1 x2=start#2 y=start#3" },
	/* three of them in two trees */
	{ APART "wait x1 in a cpu=2\nwait x2 in a cpu=2\nwait x3 in b cpu=5\n"
	  "together x1 x2 x3\nwait y in a cpu=4 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) "
	  "x3=never(cpu@f,need=5,max=4) y=start#1" },
	/* The components ask for more than there could ever be for all of them: they
	 * hold up no other job */
	/* in one queue, alone or with what it may borrow */
	{ "queue a strict cpu@f=4\nwait x1 in a cpu=3\n"
	  "wait x2 in a cpu=2 follower\ntogether x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) y=start#1" },
	{ "cohort org cpu@f=9\nqueue a in org strict cpu@f=4+2\n"
	  "wait x1 in a cpu=5\nwait x2 in a cpu=5 follower\n"
	  "together x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=10,max=6) x2=never(cpu@f,need=10,max=6) y=start#1" },
	{ "queue a cpu@f=4\nwait x1 in a cpu=3\nwait x2 in a cpu=2 follower\ntogether x1 x2\n"
	  "wait y in a cpu=2 at=9", 0, "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) "
	  "y=start#1" },
	/* whatever is in use at the moment */
	{ "queue a strict cpu@f=4\nrun r in a cpu@f=3\n"
	  "wait x1 in a cpu=3\nwait x2 in a cpu=2 follower\n"
	  "together x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) y=start#1" },
	/* in two queues of a cohort */
	{ "cohort org\nqueue a in org strict cpu@f=4\nqueue b in org strict cpu@f=4\n"
	  "wait x1 in a cpu=5\nwait x2 in b cpu=4\ntogether x1 x2\n"
	  "wait y in a cpu=2 at=9\nwait z in b cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=9,max=8) x2=never(cpu@f,need=9,max=8) y=start#1 z=start#2" },
	/* what the other keeps for itself is not available to this one */
	{ "cohort org\nqueue a in org strict cpu@f=4\nqueue b in org cpu@f=4-1\n"
	  "wait x1 in a cpu=5\nwait x2 in b cpu=4\ntogether x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=9,max=8) x2=never(cpu@f,need=9,max=8) y=start#1" },
	{ "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\n"
	  "wait x1 in a cpu=5\nwait x2 in b cpu=3\ntogether x1 x2", 0, "x1=start#2+ x2=start#1" },
	/* each has a flavor for itself, or not */
	{ "queue a strict cpu@f=4 cpu@g=4\nrun r in a cpu@f=1\n"
	  "wait x1 in a cpu=4\nwait x2 in a cpu=4 follower\n"
	  "together x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=4,free=3) x2=quota(cpu@f,need=4,free=3) y=order" },
	{ "queue a strict cpu@f=4 cpu@g=4\nwait x1 in a cpu=3\nwait x2 in a cpu=3 follower\n"
	  "wait x3 in a cpu=2 follower\ntogether x1 x2 x3\nwait y in a cpu=1 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) "
	  "x3=never(cpu@f,need=5,max=4) y=start#1" },
	/* only the other way round: x2 has to leave f to x1 */
	{ "queue a strict cpu@f=4 cpu@g=4\nrun r in a cpu@f=1\n"
	  "wait x1 in a cpu=2\nwait x2 in a cpu=4 not=g follower\n"
	  "together x1 x2\nwait y in a cpu=1 at=9", 0,
	  "x1=quota(cpu@f,need=4,free=1) x2=quota(cpu@f,need=4,free=1) y=order" },
	/* one of them alone is too large; its tree is another one */
	{ "queue a strict cpu@f=4\nqueue b cpu@f=4\nwait x1 in a cpu=4\nwait x2 in b cpu=5\n"
	  "together x1 x2\nwait y in a cpu=2 at=9", 0,
	  "x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) y=start#1" },
	/* y2 takes back what x2 would borrow; no job waits for x for that */
	{ LENT "wait x1 in a cpu=1\nwait x2 in b cpu=4\ntogether x1 x2\n"
	  "wait y1 in c cpu=1\nwait y2 in c cpu=3 at=1\nwait z in d cpu=4 at=9", 0,
	  "x1=order x2=order y1=start#1 y2=start#2 z=start#3+" },
	{ LENT "wait x1 in b cpu=4\nwait x2 in a cpu=1\ntogether x1 x2\n"
	  "wait y1 in c cpu=1\nwait y2 in c cpu=3 at=1\nwait z in d cpu=4 at=9", 0,
	  "x1=order x2=order y1=start#1 y2=start#2 z=start#3+" },
	/* what the rest of the job would have had is free at once */
	{ LENT "wait x1 in a cpu=2\nwait x2 in b cpu=4\ntogether x1 x2\n"
	  "wait y1 in c cpu=1\nwait y2 in c cpu=3 at=1\nwait z in a cpu=4 at=9", 0,
	  "x1=order x2=order y1=start#1 y2=start#2 z=start#3" },
	/* the other one evicts, and has nothing to give back: no job is evicted for it then */
	{ LENT "queue e in org within=lower cpu@f=1\nrun r in e cpu@f=1\n"
	  "wait x1 in e cpu=1 prio=1\nwait x2 in b cpu=4\ntogether x1 x2\n"
	  "wait y1 in c cpu=1\nwait y2 in c cpu=3 at=1\nwait z in d cpu=4 at=9", 0,
	  "x1=order x2=order y1=start#1 y2=start#2 z=start#3+" },
	/* in another tree, too */
	{ LENT "queue e cpu@f=1\nwait x1 in e cpu=1\nwait x2 in b cpu=5\ntogether x1 x2\n"
	  "wait y1 in c cpu=1\nwait y2 in c cpu=3 at=1\n"
	  "wait z in d cpu=4 at=9\nwait u in e cpu=1 at=9", 0,
	  "x1=order x2=order y1=start#1 y2=start#2 z=start#3+ u=start#4" },
	/* victims that leave later, if ever, make no room for the other component */
	{ "queue a within=lower cpu@f=4\nrun r in a cpu@f=4 prio=-1\nwait x in a cpu=2\n"
	  "wait y in a cpu=2\ntogether x y\nblocked x", 0, "x=preempt#1(1) y=preempt#2(1)" },
	/* nothing is kept for one without nodes when the job can never start */
	{ "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\nqueue c cpu@f=4\n"
	  "wait x in a cpu=3\nwait y in c cpu=5\nwait z in b cpu=8\ntogether x y\nblocked x", 0,
	  "x=never(cpu@f,need=5,max=4) y=never(cpu@f,need=5,max=4) z=start#1+" },
	/* a component that owns quota has its turn, whatever happens to others that ask for the
	 * same */
	{ "queue a cpu@f=8\nwait x in a cpu=4\nwait y in a cpu=2\nwait z in a cpu=4 at=-1\n"
	  "run r in a cpu@f=2\nown x cpu@f=4\ntogether x y", 0,
	  "x=start#1 y=start#2 z=quota(cpu@f,need=4,free=0)" },
};

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

static void test_errors(void **state)
{
	struct world *w = world_create(APART "wait x in a cpu=1\nwait y in b cpu=1\n"
				       "wait z in b cpu=1\nrun r in b cpu@f=1\neither x y");
	struct workload *x = world_workload(w, "x");

	errno = 0;
	assert_int_equal(engine_bond(w->engine, x, world_workload(w, "z"), BOND_EITHER), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(engine_bond(w->engine, world_workload(w, "z"), x, BOND_TOGETHER), -1);
	assert_int_equal(engine_bond(w->engine, world_workload(w, "z"),
				     world_workload(w, "r"), BOND_EITHER), -1);
	assert_int_equal(engine_bond(w->engine, x, x, BOND_EITHER), -1);
	world_destroy(w);
}

static const char *const stories[] = {
	/* a member is not barred any more when the reason has gone */
	APART "wait x in a cpu=4\nwait y in b cpu=4\neither x y\nplan 0 x=start#1 y=order\n"
	"run r in a cpu@f=1\nplan 0 x=quota(cpu@f,need=4,free=3) y=start#1\n"
	"remove r\nplan 0 x=start#1 y=order\nremove x\nplan 0 y=start#1",
	/* when one of them can never go, the trees of the others are planned again */
	"queue a strict cpu@f=4\nqueue b strict cpu@f=4\nrun r in a cpu@f=2\nrun s in b cpu@f=2\n"
	"wait x1 in a cpu=3\nwait x2 in b cpu=3\ntogether x1 x2\nwait y in b cpu=1 at=9\n"
	"plan 0 x1=quota(cpu@f,need=3,free=2) x2=quota(cpu@f,need=3,free=2) y=order\n"
	"update x1 in a cpu=5\n"
	"plan 0 x1=never(cpu@f,need=5,max=4) x2=never(cpu@f,need=5,max=4) y=start#1\n"
	"update x1 in a cpu=6\n"
	"plan 0 x1=never(cpu@f,need=6,max=4) x2=never(cpu@f,need=6,max=4) y=start#1\n"
	"update x1 in a cpu=2\n"
	"plan 0 x1=quota(cpu@f,need=3,free=2) x2=quota(cpu@f,need=3,free=2) y=order",
	/* two jobs wait for each other to pass: the one that may not pass gives up, and has its
	 * turn when the other one had it */
	"cohort org\nqueue a in org strict cpu@f=8\nqueue b in org cpu@f=8\n"
	"wait x1 in a cpu=1 at=1\nwait x2 in b cpu=1 at=3\n"
	"wait y1 in b cpu=1 at=2\nwait y2 in a cpu=1 at=9\ntogether x1 x2\ntogether y1 y2\n"
	"plan 0 x1=start#1 x2=start#2 y1=start#3 y2=start#4\n"
	"start x1 cpu@f=1\nstart x2 cpu@f=1\nplan 0 y1=start#1 y2=start#2",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_errors), cmocka_unit_test(test_cases))
