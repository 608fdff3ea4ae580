/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test reasons.c - why a workload waits
 */
#include "world.h"

static const struct world_case cases[] = {
	{ "queue a cpu@f=4\nwait x in a cpu=5", 0, "x=never(cpu@f,need=5,max=4)" },
	/* the flavor that comes nearest */
	{ "queue a cpu@f=4 cpu@g=6\nwait x in a cpu=7", 0, "x=never(cpu@g,need=7,max=6)" },
	{ "queue a cpu@f=4 cpu@g=6\nwait x in a cpu=5 not=g", 0, "x=never(cpu@f,need=5,max=4)" },
	{ "queue a cpu@f=4\nwait x in a cpu=1 not=f", 0, "x=never(cpu@?,need=1,max=0)" },
	/* what no group covers */
	{ "queue a cpu@f=4\nqueue b mem@f=4\nwait x in a cpu=1 mem=1", 0,
	  "x=never(mem@?,need=1,max=0)" },
	/* as much as can be borrowed */
	{ "cohort org cpu@f=3\nqueue a in org cpu@f=4+2\nwait x in a cpu=7",
	  0, "x=never(cpu@f,need=7,max=6)" },
	/* with as few pods as it can do with */
	{ "queue a cpu@f=4\nwait x in a cpu=15 count=3 min=1", 0, "x=never(cpu@f,need=5,max=4)" },
	{ "queue a cpu@f=4\nrun r in a cpu@f=3\nwait x in a cpu=6 count=3 min=1", 0,
	  "x=quota(cpu@f,need=6,free=1)" },
	{ "site nopartial\nqueue a cpu@f=4\nwait x in a cpu=6 count=3 min=1",
	  0, "x=never(cpu@f,need=6,max=4)" },
	/* amounts that differ by flavor: the one that comes nearest */
	{ "queue a cpu@f=4 cpu@g=6\nwait x in a cpu=5 cpu@g=8", 0, "x=never(cpu@f,need=5,max=4)" },
	{ "queue a cpu@f=4 cpu@g=6\nrun r in a cpu@f=2\n"
	  "wait x in a cpu=4 cpu@g=8", 0, "x=quota(cpu@f,need=4,free=2)" },
	{ "queue a cpu@f=8 cpu@g=4\nrun r in a cpu@f=2\nrun s in a cpu@g=2\n"
	  "wait x in a cpu=4 cpu@f=8", 0, "x=quota(cpu@f,need=8,free=6)" },
	/* a job that asks for more in one flavor is not taken for one that does not */
	{ "queue a cpu@f=4\nwait x in a cpu=2 cpu@f=5\nwait y in a cpu=2 at=9",
	  0, "x=never(cpu@f,need=5,max=4) y=start#1" },
	/* all that get one flavor together have to be there, at any time */
	{ "queue a strict cpu@f=2 gpu@f=2 cpu@g=8 gpu@g=0\n"
	  "wait x in a cpu=4 gpu=1\nwait y in a cpu=1 at=9", 0,
	  "x=never(cpu@f,need=4,max=2) y=start#1" },
	{ "queue a cpu@f=2 gpu@f=2 cpu@g=8 gpu@g=0\n"
	  "period a cpu@f=4 from=5 until=9\nwait x in a cpu=4 gpu=1", 0,
	  "x=quota(cpu@f,need=4,free=2)" },
	{ "queue a cpu@f=2 cpu@g=8 | gpu@h=1\nwait x in a cpu=4 gpu=1", 0, "x=start#1" },
	/* the cap of jobs that can't be preempted, with the largest quotas to come */
	{ "cohort o\nqueue a in o strict gpu@f=2\nqueue b in o gpu@f=4\n"
	  "wait x in a gpu=4 fixed\nwait y in a gpu=1", 0,
	  "x=never(gpu@f,need=4,max=2) y=start#1" },
	{ "cohort o\nqueue a in o strict gpu@f=2\nqueue b in o gpu@f=4\n"
	  "period b gpu@f=9 from=5 until=9\nperiod a gpu@f=3 from=5 until=9\n"
	  "wait x in a gpu=4 fixed\nwait y in a gpu=1", 0,
	  "x=never(gpu@f,need=4,max=3) y=start#1" },
	{ "cohort o\nqueue a in o strict gpu@f=2\nqueue b in o gpu@f=4\n"
	  "period a gpu@f=3 from=5 until=9\nwait x in a gpu=3 fixed\nwait y in a gpu=1", 0,
	  "x=capped(gpu@f,need=3,cap=2,used=0) y=order" },
	/* one pod set is enough to make it hopeless */
	{ "queue a cpu@f=4\nwait x in a cpu=1 | cpu=5", 0, "x=never(cpu@f,need=5,max=4)" },
	/* what is kept for one without nodes is free for others of its queue */
	{ "cohort o\nqueue a in o cpu@f=4\nqueue b in o cpu@f=4\nrun r in b cpu@f=4\n"
	  "wait x in a cpu=3\nblocked x\nwait y in a cpu=6 at=9", 0,
	  "x=start#1 y=quota(cpu@f,need=6,free=4)" },
	/* what lacks most, relatively */
	{ "queue a cpu@f=9 mem@f=90\nrun r in a cpu@f=5 mem@f=80\n"
	  "wait x in a cpu=5 mem=40", 0, "x=quota(mem@f,need=40,free=10)" },
	{ "queue a cpu@f=9 mem@f=90\nrun r in a cpu@f=8 mem@f=60\n"
	  "wait x in a cpu=5 mem=40", 0, "x=quota(cpu@f,need=5,free=1)" },
	/* of two that lack as much, that of which there could be fewest */
	{ "queue a cpu@f=64 gpu@f=8\nrun r in a cpu@f=64 gpu@f=8\n"
	  "wait x in a cpu=8 gpu=1", 0, "x=quota(gpu@f,need=1,free=0)" },
	{ "queue a cpu@f=64 gpu@f=8\nrun r in a cpu@f=64 gpu@f=7\n"
	  "wait x in a cpu=8 gpu=2", 0, "x=quota(cpu@f,need=8,free=0)" },
	/* in the first flavor that it may use */
	{ "queue a cpu@f=4 cpu@g=4\nrun r in a cpu@f=3\nrun s in a cpu@g=2\n"
	  "wait x in a cpu=3", 0, "x=quota(cpu@f,need=3,free=1)" },
	{ "queue a cpu@f=4 cpu@g=4\nrun r in a cpu@f=3\nrun s in a cpu@g=2\n"
	  "wait x in a cpu=3 not=f", 0, "x=quota(cpu@g,need=3,free=2)" },
	/* all pod sets of it together */
	{ "queue a cpu@f=4\nrun r in a cpu@f=2\nwait x in a cpu=2 | cpu=1", 0,
	  "x=quota(cpu@f,need=3,free=2)" },
	/* less than nothing is nothing */
	{ "queue a cpu@f=4\nrun r in a cpu@f=7\nwait x in a cpu=2", 0,
	  "x=quota(cpu@f,need=2,free=0)" },
	/* it would fit now, but others come first */
	{ "queue a cpu@f=4\nwait x in a cpu=3\nwait y in a cpu=2 at=9", 0, "x=start#1 y=order" },
	/* no job of its queue is tried behind a StrictFIFO head, */
	{ "queue a strict cpu@f=4\nrun r in a cpu@f=2\nwait x in a cpu=3\n"
	  "wait y in a cpu=9 at=9", 0, "x=quota(cpu@f,need=3,free=2) y=order" },
	/* but one that never can is no head */
	{ "queue a strict cpu@f=4\nwait x in a cpu=9\nwait y in a cpu=9 at=1\n"
	  "wait z in a cpu=4 at=2\nwait u in a cpu=1 at=3", 0,
	  "x=never(cpu@f,need=9,max=4) y=never(cpu@f,need=9,max=4) z=start#1 u=order" },
	{ "cohort org\nqueue a in org strict reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=2\n"
	  "wait x in a cpu=9\nwait y in a cpu=4 at=1\nwait z in a cpu=9 at=2",
	  0, "x=never(cpu@f,need=9,max=4) y=preempt#1(1) z=never(cpu@f,need=9,max=4)" },
	/* the earliest end of a protection, or of a turn */
	{ "queue a within=lower pmin=60 cpu@f=4\nrun r in a cpu@f=2 since=50\n"
	  "run s in a cpu@f=2 since=55\nwait x in a cpu=3 prio=1", 60, "x=protected(110)" },
	{ "queue a within=newer turn=60 pmin=90 cpu@f=4\n"
	  "run r in a cpu@f=4 since=50\nwait x in a cpu=3 at=9", 60, "x=protected(140)" },
	{ "queue a within=newer turn=60 pmin=20 cpu@f=4\n"
	  "run r in a cpu@f=4 since=50\nwait x in a cpu=3 at=9", 60, "x=protected(111)" },
	/* evicted too often: no time to wait for, unless another one has one */
	{ "queue a within=lower max=1 cpu@f=4\nrun r in a cpu@f=3 times=1\n"
	  "wait x in a cpu=3 prio=1", 60, "x=spent" },
	{ "queue a within=newer turn=20 max=1 cpu@f=4\n"
	  "run r in a cpu@f=3 times=1 since=50\nwait x in a cpu=3 at=9", 60, "x=spent" },
	{ "queue a within=lower max=1 pmin=60 cpu@f=4\n"
	  "run r in a cpu@f=2 times=1\nrun s in a cpu@f=2 since=55\n"
	  "wait x in a cpu=3 prio=1", 60, "x=protected(115)" },
	/* not for an owner */
	{ "cohort org\nqueue a in org reclaim=any cpu@f=4\n"
	  "queue b in org max=1 cpu@f=0\nrun r in b cpu@f=3 times=1\n"
	  "wait x in a cpu=4", 60, "x=preempt#1(1)" },
	/* it was evicted before: more than its queue owns it gets when that is free */
	{ "cohort org cpu@f=4\nqueue a in org reclaim=lower borrow=lower yield=1 cpu@f=1\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=4\n"
	  "wait x in a cpu=4 prio=1 times=1\nwait y in a cpu=4 prio=1", 60,
	  "x=yields y=preempt#1(1)+" },
	/* it could not evict before, either */
	{ "cohort org cpu@f=4\nqueue a in org yield=1 cpu@f=1\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=4\n"
	  "wait x in a cpu=4 prio=1 times=1", 60, "x=quota(cpu@f,need=4,free=1)" },
	/* but not if no job may ever be evicted */
	{ "cohort org\nqueue a in org reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=3 exempt=-1\n"
	  "wait x in a cpu=4\nwait y in b cpu=1", 60, "x=quota(cpu@f,need=4,free=0) y=start#1+" },
	/* a job that would not be evicted anyhow is not worth waiting for */
	{ "queue a within=lower pmin=60 cpu@f=4\nrun r in a cpu@f=4 since=50\n"
	  "wait x in a cpu=3", 60, "x=quota(cpu@f,need=3,free=0)" },
};

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

static const char *const stories[] = {
	/* x goes first, so y only waits for its turn; and not in the next plan */
	"cohort c cpu@f=2\nqueue a in c cpu@f=0\nqueue b in c cpu@f=2\n"
	"run r in a cpu@f=2\nrun s in b cpu@f=2\nwait x in a cpu=2 at=1\nwait y in a cpu=1 at=2\n"
	"plan 100 x=quota(cpu@f,need=2,free=0) y=quota(cpu@f,need=1,free=0)\n"
	"remove r\nplan 100 x=start#1+ y=order\n"
	"start x cpu@f=2\nplan 100 y=quota(cpu@f,need=1,free=0)\n"
	"remove x\nrun t in a cpu@f=1\nwait z in a cpu=2 at=0\n"
	"plan 100 y=start#1+ z=quota(cpu@f,need=2,free=0)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_cases), cmocka_unit_test(test_stories))
