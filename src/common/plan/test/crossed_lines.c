/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test crossed_lines.c - heterogeneous jobs that wait for each other for ever
 */
#include "world.h"

#define TWO "cohort org\nqueue x in org strict cpu@f=4\nqueue y in org strict cpu@f=4\n"
/* each queue is a tree */
#define APART "queue x strict cpu@f=4\nqueue y strict cpu@f=4\n"

/* a is first in x, b in y; a comes first, as its first component does */
#define CROSSED "wait a1 in x cpu=3 prio=2\nwait b1 in x cpu=3 prio=1\n" \
	"wait b2 in y cpu=3 prio=2\nwait a2 in y cpu=3 prio=1\ntogether a1 a2\n"

static const struct world_case cases[] = {
	{ TWO CROSSED "together b2 b1", 0, "a1=start#1 b1=order b2=order a2=start#2" },
	{ APART CROSSED "together b2 b1", 0, "a1=start#1 b1=order b2=order a2=start#2" },
	/* by the priority of the first component */
	{ TWO CROSSED "together b1 b2", 0, "a1=start#1 b1=order b2=order a2=start#2" },
	/* then b is first in x, which is strict */
	{ TWO CROSSED "wait c in x cpu=1 prio=0\ntogether b2 b1", 0,
	  "a1=start#1 b1=order b2=order a2=start#2 c=order" },
	/* a job between them goes before the one that gives way */
	{ TWO "wait b1 in x cpu=1 prio=3\nwait u in x cpu=1 prio=2\n"
	  "wait a1 in x cpu=1 prio=1\nwait a2 in y cpu=1 prio=9\n"
	  "wait b2 in y cpu=1 prio=1\ntogether a2 a1\ntogether b1 b2", 0,
	  "b1=start#4 u=start#1 a1=start#3 a2=start#2 b2=start#5" },
	/* the job that comes first is short of quota: StrictFIFO holds as ever */
	{ APART "run r in x cpu@f=2\n" CROSSED "wait u in x cpu=1\n"
	  "wait v in y cpu=1\ntogether b2 b1", 0, "a1=quota(cpu@f,need=3,free=2) b1=order b2=order "
	  "a2=quota(cpu@f,need=3,free=2) u=order v=order" },
	/* three in a ring */
	{ APART "queue z strict cpu@f=4\nwait a1 in x cpu=3 prio=9\nwait b2 in x cpu=3\n"
	  "wait b1 in y cpu=3 prio=8\nwait c2 in y cpu=3\n"
	  "wait c1 in z cpu=3 prio=7\nwait a2 in z cpu=3\n"
	  "together a1 a2\ntogether b1 b2\ntogether c1 c2", 0,
	  "a1=start#1 b2=order b1=order c2=order c1=order a2=start#2" },
	/* no ring: it holds up those behind it */
	{ APART "queue z strict cpu@f=4\nrun r in z cpu@f=2\n"
	  "wait a1 in x cpu=1 prio=5\nwait b1 in x cpu=1\n"
	  "wait b2 in y cpu=1 prio=9\nwait a2 in z cpu=3\ntogether a1 a2\ntogether b2 b1", 0,
	  "a1=quota(cpu@f,need=3,free=2) b1=order b2=order a2=quota(cpu@f,need=3,free=2)" },
	/* a2, which b1 leaves no room, is before b2 but waits for a1: b goes */
	{ "cohort org\nqueue x in org strict cpu@f=4\nqueue y in org cpu@f=4\n"
	  "wait b1 in x cpu=4 prio=1\nwait a1 in x cpu=1\n"
	  "wait a2 in y cpu=5 prio=1\nwait b2 in y cpu=4\ntogether a1 a2\ntogether b1 b2", 0,
	  "b1=start#1 a1=order a2=order b2=start#2" },
	/* a component in a stopped queue: it holds up no other queue */
	{ "cohort org\nqueue x in org strict cpu@f=4\nqueue y in org hold cpu@f=4\n"
	  "wait a1 in x cpu=1\nwait a2 in y cpu=1\ntogether a1 a2\n"
	  "wait u in x cpu=1 at=9", 0, "a1=held a2=held u=start#1" },
	{ "queue x strict cpu@f=4\nqueue y hold cpu@f=4\n"
	  "wait a1 in x cpu=1\nwait a2 in y cpu=1\ntogether a1 a2\n"
	  "wait u in x cpu=1 at=9", 0, "a1=held a2=held u=start#1" },
	{ "queue x strict cpu@f=4\nqueue y hold cpu@f=4\nrun r in x cpu@f=2\n"
	  "wait a1 in x cpu=3\nwait a2 in y cpu=1\ntogether a1 a2\nwait u in x cpu=1 at=9", 0,
	  "a1=held a2=held u=start#1" },
};

static void test_cross(void **state)
{
	world_cases(cases, COUNT(cases), world_plan);
}

static const char *const stories[] = {
	/* when the job that came first has gone, the other one is in no other job's way */
	APART CROSSED "together b2 b1\nplan 0 a1=start#1 b1=order b2=order a2=start#2\n"
	"start a1 cpu@f=1\nstart a2 cpu@f=1\nplan 0 b1=start#1 b2=start#2",
	/* where usage counts, the lines of this plan matter, not those of the last one: by now r
	 * has used so much that b1 is before a1. So b is first everywhere, need not give way, and
	 * holds as StrictFIFO does. */
	"site lhalf=3600\nqueue x strict usage cpu@f=4\nqueue y strict cpu@f=4\nnow 7\n"
	"local x 2 cpu=1\nrun r in x local=1 cpu@f=1\nwait a1 in x local=1 cpu=3 prio=2\n"
	"wait b1 in x local=2 cpu=4 prio=1\nwait b2 in y cpu=3 prio=2\nwait a2 in y cpu=3 prio=1\n"
	"together a1 a2\ntogether b2 b1\nplan 7 a1=start#1 b1=quota(cpu@f,need=4,free=0) "
	"b2=quota(cpu@f,need=4,free=0) a2=start#2\n"
	"plan 100000 a1=order b1=quota(cpu@f,need=4,free=3) b2=quota(cpu@f,need=4,free=3) a2=order",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_cross))
