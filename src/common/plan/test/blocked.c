/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test blocked.c - workloads that have quota but no nodes
 */
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"
#define FAIR "site fair\ncohort org cpu@f=4\nqueue a in org reclaim=any cpu@f=4\n" \
	"queue b in org reclaim=any cpu@f=0\nqueue c in org reclaim=any cpu@f=0\n"
#define STRICT "queue a strict within=lower cpu@f=4\n"
#define FEWER "cohort org\nqueue a in org within=lower cpu@f=20 mem@f=4\nqueue b in org cpu@f=0\n" \
	"run r in a mem@f=3 prio=1\nwait x in a cpu=4 mem=4 count=4 min=1 prio=5\n" \
	"wait y in a cpu=4 mem=4 count=4 min=1 prio=0\nwait z in b cpu=15 prio=9\n"
#define SEVERAL TWO "queue c in org within=lower reclaim=any cpu@f=4\n" \
	"run r1 in b cpu@f=1\nrun r2 in b cpu@f=1\nrun r3 in b cpu@f=1\nrun r4 in b cpu@f=6\n" \
	"wait x in a cpu=1 at=1\nwait v in a cpu=4 at=2\nwait z in c cpu=2 at=3\n"

static const struct world_case blocked[] = {
	/* StrictFIFO: it holds back its queue */
	{ STRICT "wait x in a cpu=2 at=1\nwait y in a cpu=2 at=2\nblocked x", 0,
	  "x=start#1 y=order" },
	{ STRICT "wait x in a cpu=2 at=1\nwait y in a cpu=2 at=2\nblocked x\n"
	  "blocked x no", 0, "x=start#1 y=start#2" },
	/* and what it needs is its own */
	{ "cohort org\nqueue a in org strict cpu@f=4\nqueue b in org cpu@f=4\n"
	  "wait x in a cpu=4\nwait y in b cpu=6\nblocked x", 0, "x=start#1 y=order" },
	/* BestEffortFIFO: those behind it may go, even with its quota */
	{ "queue a cpu@f=4\nwait x in a cpu=3 at=1\nwait y in a cpu=3 at=2\n"
	  "blocked x", 0, "x=start#1 y=start#2" },
	/* but other queues may not, as far as it is nominal */
	{ TWO "wait x in a cpu=3\nwait y in b cpu=5\nwait z in b cpu=6\n"
	  "blocked x", 0, "x=start#1 y=start#2+ z=order" },
	{ TWO "wait x in a cpu=6\nwait y in b cpu=5\nblocked x", 0, "x=start#1+ y=order" },
	{ TWO "wait x in a cpu=6\nwait y in b cpu=4\nblocked x", 0, "x=order y=start#1" },
	{ TWO "run r in a cpu@f=3\nwait x in a cpu=3\nwait y in b cpu=4\n"
	  "blocked x", 0, "x=order y=start#1" },
	/* several blocked jobs of one queue */
	{ TWO "wait x in a cpu=1\nwait v in a cpu=2\nwait y in b cpu=5\n"
	  "wait z in b cpu=6\nblocked x\nblocked v", 0, "x=start#1 v=start#2 y=start#3+ z=order" },
	/* a job that would have to preempt is treated like others */
	{ TWO "run r in b cpu@f=8\nwait x in a cpu=1\nblocked x", 0, "x=preempt#1(1)" },
	/* those behind it may evict for themselves: its victims stay */
	{ TWO "run r in b cpu@f=8\nwait x in a cpu=1 at=1\nwait y in a cpu=1 at=2\nblocked x", 0,
	  "x=preempt#1(1) y=preempt#2(1)" },
	{ TWO "run r in b cpu@f=8\nwait x in a cpu=4\nwait z in b cpu=4\nblocked x", 0,
	  "x=preempt#1(1) z=quota(cpu@f,need=4,free=0)" },
	/* what is free of its nominal quota is for its own queue */
	{ TWO "run r in b cpu@f=6\nwait x in a cpu=4 at=1\nwait z in b cpu=2 at=2\nblocked x", 0,
	  "x=preempt#1(1) z=order" },
	{ TWO "run r in b cpu@f=6\nwait x in a cpu=4 at=1\nwait y in a cpu=2 at=2\nblocked x", 0,
	  "x=preempt#1(1) y=start#2" },
	/* no more than is free: no other job has to evict for that */
	{ TWO "queue c in org within=lower reclaim=any cpu@f=4\n"
	  "run r1 in b cpu@f=6\nrun r2 in b cpu@f=4\nwait x in a cpu=4\n"
	  "wait y in a cpu=4\nwait z in c cpu=4\nblocked x\nblocked y", 0,
	  "x=preempt#1(1) y=preempt#2(1) z=preempt#3(1)" },
	/* nor is it in the way of other queues that would evict the same ones by their share */
	{ FAIR "run r1 in b cpu@f=4\nrun r2 in b cpu@f=4\n"
	  "wait x in a cpu=4 at=1\nwait z in c cpu=4 at=2\nblocked x", 0,
	  "x=preempt#1(1) z=preempt#2(1)+" },
	{ FAIR "run r1 in b cpu@f=4\nrun r2 in b cpu@f=4\n"
	  "wait x in a cpu=4 at=1\nwait z in c cpu=4 at=2", 0,
	  "x=preempt#1(1) z=quota(cpu@f,need=4,free=0)" },
	/* StrictFIFO: those behind it wait */
	{ "queue a strict within=lower cpu@f=4\nrun r in a cpu@f=4 prio=-1\n"
	  "wait x in a cpu=2 at=1\nwait y in a cpu=2 at=2\nblocked x", 0,
	  "x=preempt#1(1) y=preempting(1)" },
	/* x evicts for all its pods, y of lower priority fits with one: z may
	 * borrow all but 4 for x and 1 for y, whichever of them came first */
	{ FEWER "blocked y\nblocked x", 0, "x=preempt#1(1) y=start#2 z=start#3+" },
	{ FEWER "blocked x\nblocked y", 0, "x=preempt#1(1) y=start#2 z=start#3+" },
	{ FEWER "update z in b cpu=16 prio=9\nblocked y\nblocked x", 0,
	  "x=preempt#1(1) y=start#2 z=order" },
	{ FEWER "update z in b cpu=16 prio=9\nblocked x\nblocked y", 0,
	  "x=preempt#1(1) y=start#2 z=order" },
	/* the order in which they were found to have no nodes does not matter */
	{ SEVERAL "blocked x\nblocked v", 0, "x=start#1 v=preempt#2(1) z=preempt#3(2)" },
	{ SEVERAL "blocked v\nblocked x", 0, "x=start#1 v=preempt#2(1) z=preempt#3(2)" },
	/* tasks of an array: one at a time */
	{ "queue a cpu@f=4\nwait x in a cpu=1 tasks=9\nblocked x", 0, "x=start#1" },
};

static void test_blocked(void **state)
{
	world_cases(blocked, COUNT(blocked), world_plan);
}

TESTS(cmocka_unit_test(test_blocked))
