/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test owners_first.c - owners of freed quota come before all heads of a plan
 */
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"
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

TESTS(cmocka_unit_test(test_owners))
