/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test reclaim_delay: a workload that could evict those of other queues waits before it does
 * (doc/how-it-decides.md, section 6)
 */
#include "world.h"

/* b owns 4, and waits 10 before it reclaims them; a borrows, c owns nothing */
#define LENT "cohort org\nqueue a in org cpu@f=4\n" \
	"queue b in org within=lower reclaim=any delay=10 cpu@f=4\nqueue c in org cpu@f=0\n"
#define FULL LENT "run r in a cpu@f=4 since=1\nrun s in a cpu@f=4 since=2\n"

static const char *const stories[] = {
	/* from the first plan on that finds victims; the plan is made again at the end */
	FULL "wait x in b cpu=4\nplan 5 x=delayed(15)\nexpiry 15\nplan 14 x=delayed(15)\n"
	"plan 15 x=preempt#1(1)\nvictims x s/InCohortReclamation",
	/* at the gate no job is evicted before, also if no plan was made */
	FULL "wait x in b cpu=4\nnominate x 5 preempt cpu@f=4\nplan 5 x=delayed(15)\n"
	"nominate x 14 preempt cpu@f=4\nnominate x 15 preempt cpu@f=4 for s/InCohortReclamation",
	/* what ends meanwhile is kept for it, and it starts without an eviction */
	FULL "wait x in b cpu=4\nwait y in c cpu=2\nplan 5 x=delayed(15) y=quota(cpu@f,need=2,free=0)\n"
	"remove s\nrun t in a cpu@f=2\nplan 6 x=delayed(15) y=order\n"
	"remove t\nplan 7 x=start#1 y=order",
	/* all that ask for the same count from then on; who comes later counts for itself */
	FULL "wait x in b cpu=2\nwait y in b cpu=2\nplan 5 x=delayed(15) y=delayed(15)\n"
	"wait z in b cpu=1\nplan 9 x=delayed(15) y=delayed(15) z=delayed(19)\n"
	"remove s\nrun s in a cpu@f=2 since=9\nrun t in a cpu@f=2 since=9\n"
	"plan 15 x=preempt#1(1) y=preempt#2(1) z=quota(cpu@f,need=1,free=0)",
	FULL "wait x in b cpu=2\nplan 5 x=delayed(15)\nwait y in b cpu=1\n"
	"plan 9 x=delayed(15) y=delayed(19)\nremove x\nplan 15 y=delayed(19)\n"
	"plan 19 y=preempt#1(1)",
	FULL "wait x in b cpu=2\nplan 5 x=delayed(15)\nwait y in b cpu=2\n"
	"plan 9 x=delayed(15) y=delayed(15)\nremove x\nplan 12 y=delayed(19)\nplan 19 y=preempt#1(1)",
	/* in a StrictFIFO queue the next one counts when it is first */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org strict reclaim=any delay=10 cpu@f=4\n"
	"run r in a cpu@f=6\nrun s in a cpu@f=2\nwait x in b cpu=2 prio=2\nwait y in b cpu=2\n"
	"plan 5 x=delayed(15) y=order\nremove x\nplan 6 y=delayed(16)",
	/* another priority and another request are the same wait; another queue is not */
	FULL "wait x in b cpu=4\nplan 5 x=delayed(15)\nupdate x in b cpu=4 prio=7\nplan 9 x=delayed(15)\n"
	"update x in b cpu=3 prio=7\nplan 15 x=preempt#1(1)",
	FULL "wait x in b cpu=4\nplan 5 x=delayed(15)\nupdate x in c cpu=4\n"
	"plan 9 x=quota(cpu@f,need=4,free=0)\nupdate x in b cpu=4\nplan 12 x=delayed(22)",
	/* it goes on while there is no victim */
	FULL "wait x in b cpu=4\nplan 5 x=delayed(15)\nexempt s 99\nexempt r 99\n"
	"plan 9 x=protected(99)\nexempt s 0\nplan 12 x=delayed(15)\nplan 15 x=preempt#1(1)",
	/* a start and a requeue end it */
	FULL "wait x in b cpu=4\nplan 5 x=delayed(15)\nremove s\nstart x cpu@f=4\nrequeue x\n"
	"run s in a cpu@f=4 since=9\nplan 16 x=delayed(26)",
	/* within its queue no job waits, nor for those that leave anyway */
	LENT "run r in a cpu@f=4\nrun s in b cpu@f=4\nwait x in b cpu=4 prio=2\nplan 5 x=preempt#1(1)\n"
	"victims x s/InClusterQueue",
	FULL "evicting s\nwait x in b cpu=4\nplan 5 x=preempt#1(1)",
	/* nor for a start that this plan takes back */
	"cohort org\nqueue a in org cpu@f=8\nqueue b in org reclaim=any delay=10 cpu@f=8\n"
	"queue c in org cpu@f=0\nwait u in c cpu=8 prio=9\nwait v in a cpu=4\nwait x in b cpu=4 at=1\n"
	"wait y in b cpu=4 at=2\nplan 5 u=order v=start#1 x=start#2 y=start#3",
	/* a job with components in both queues is one of others, too */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org within=lower reclaim=any delay=10 cpu@f=4\n"
	"run r in a cpu@f=6\nrun s in b cpu@f=2 prio=-1\nunit r s\nwait x in b cpu=4\n"
	"plan 5 x=delayed(15)\nplan 15 x=preempt#1(1)",
	/* tasks of an array are one job */
	FULL "wait x in b cpu=2 tasks=2\nplan 5 x=delayed(15)\nplan 15 x=preempt#1(1)\n"
	"update x in b cpu=2 tasks=1\nplan 16 x=preempt#1(1)",
	/* nor does one of a queue without a delay for one that has it */
	"cohort org\nqueue a in org reclaim=any delay=10 cpu@f=4\nqueue b in org reclaim=any cpu@f=4\n"
	"run r in a cpu@f=4 since=1\nrun s in a cpu@f=4 since=2\nwait x in b cpu=4\nplan 5 x=preempt#1(1)",
	/* by borrowWithinCohort and by shares, too */
	"cohort org cpu@f=4\nqueue a in org cpu@f=0\n"
	"queue b in org reclaim=lower borrow=lower delay=10 cpu@f=0\n"
	"run r in a cpu@f=4\nwait x in b cpu=4 prio=2\nplan 5 x=delayed(15)\nplan 15 x=preempt#1(1)+",
	"site fair\ncohort org cpu@f=4\nqueue a in org cpu@f=0\nqueue b in org reclaim=any delay=10 cpu@f=0\n"
	"run r in a cpu@f=2\nrun s in a cpu@f=2\nwait x in b cpu=2\nplan 5 x=delayed(15)\n"
	"plan 15 x=preempt#1(1)+",
	/* a flavor that fits is taken at once */
	"cohort org\nqueue a in org cpu@f=4 cpu@g=0\nqueue b in org reclaim=any delay=10 cpu@f=4 cpu@g=4\n"
	"run r in a cpu@f=8\nwait x in b cpu=4\nplan 5 x=start#1",
	/* components of a job, and its entries in several queues, count from the first on */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 cpu@f=4\n"
	"queue c in org reclaim=any delay=10 cpu@f=4\nrun r in a cpu@f=4\nrun s in a cpu@f=4\n"
	"run t in a cpu@f=4\nwait x in b cpu=4\nwait y in c cpu=4\ntogether x y\n"
	"plan 5 x=delayed(15) y=delayed(15)\nplan 15 x=preempt#1(1) y=preempt#2(1)",
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any cpu@f=4\n"
	"queue c in org reclaim=any delay=10 cpu@f=4\nrun r in a cpu@f=4\nrun s in a cpu@f=4\n"
	"run t in a cpu@f=4\nwait x in b cpu=4\nwait y in c cpu=4\ntogether x y\n"
	"plan 5 x=delayed(15) y=delayed(15)\nexpiry 15\nplan 14 x=delayed(15) y=delayed(15)\n"
	"plan 15 x=preempt#1(1) y=preempt#2(1)",
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 cpu@f=4\n"
	"queue c in org reclaim=any delay=20 cpu@f=4\nrun r in a cpu@f=8\nrun s in a cpu@f=4\n"
	"wait x in b cpu=4\nplan 5 x=delayed(15)\nwait y in c cpu=4\neither x y\n"
	"plan 9 x=delayed(15) y=delayed(25)",
	/* also while another one stands behind others in its queue */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 cpu@f=4\n"
	"queue c in org strict reclaim=any delay=10 cpu@f=4\nrun r in a cpu@f=4\nrun s in a cpu@f=4\n"
	"run t in a cpu@f=4\nwait z in c cpu=4 prio=9\nwait x in b cpu=4\nwait y in c cpu=4\n"
	"together x y\nplan 5 z=delayed(15) x=delayed(15) y=delayed(15)\nremove z\n"
	"plan 12 x=delayed(15) y=delayed(15)\nplan 15 x=preempt#1(1) y=preempt#2(1)",
	/* each component fits alone, and beside the other one it has to evict */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 cpu@f=4\n"
	"queue c in org reclaim=any delay=10 cpu@f=4\nrun r in a cpu@f=4\nrun s in a cpu@f=4\n"
	"wait x in b cpu=4\nwait y in c cpu=4\ntogether x y\nplan 5 x=delayed(15) y=delayed(15)\n"
	"expiry 15\nplan 14 x=delayed(15) y=delayed(15)\nplan 15 x=start#1 y=preempt#2(1)",
	/* x1 would take s, which y was to evict, but does not go, as x2 stands behind z: y counts for r */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org within=lower reclaim=any delay=10 cpu@f=4\n"
	"queue c in org reclaim=any cpu@f=4\nqueue d in org strict cpu@f=1\nrun r in a cpu@f=6\n"
	"run s in b cpu@f=4 prio=-1\nrun t in b cpu@f=2 prio=9\nrun u in d cpu@f=1\n"
	"wait x1 in c cpu=4 prio=9\nwait z in d cpu=1 at=1\nwait x2 in d cpu=1 at=2\nwait y in b cpu=2\n"
	"together x1 x2\nplan 5 x1=order z=quota(cpu@f,need=1,free=0) x2=order y=delayed(15)\nexpiry 15\n"
	"plan 15 x1=order z=preempting(1) x2=order y=preempt#1(1)",
	/* x has no nodes: what is free of its quota is not lent to u. It could not evict s, as it would
	 * borrow beside z, so that nothing counts. */
	"cohort org\nqueue a in org reclaim=any delay=10 cpu@f=4\nqueue b in org cpu@f=4\n"
	"run r in b cpu@f=4\nrun s in b cpu@f=1\nwait z in a cpu=2 prio=9\nwait x in a cpu=4 at=1\n"
	"wait u in b cpu=1\nblocked x\nplan 5 z=start#1 x=quota(cpu@f,need=4,free=1) u=order\nexpiry 0\n"
	"remove z\nplan 20 x=delayed(30) u=order",
	/* in another queue it is still that job */
	"cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 cpu@f=4\n"
	"queue c in org reclaim=any delay=20 cpu@f=4\nqueue d in org reclaim=any delay=30 cpu@f=4\n"
	"run r in a cpu@f=8\nrun s in a cpu@f=8\nwait x in b cpu=4\nwait y in c cpu=4\neither x y\n"
	"plan 5 x=delayed(15) y=delayed(25)\nupdate y in d cpu=4\nplan 9 x=delayed(15) y=delayed(35)",
	/* expected: only if enough jobs have ended by then, by their time limits */
#define IF "cohort org\nqueue a in org cpu@f=4\nqueue b in org reclaim=any delay=10 expected cpu@f=4\n"
	IF "run r in a cpu@f=4 ends=15\nrun s in a cpu@f=4 ends=99\nwait x in b cpu=4\n"
	"plan 5 x=delayed(15)\nplan 15 x=preempt#1(1)",
	IF "run r in a cpu@f=4 ends=16\nrun s in a cpu@f=4 ends=99\nwait x in b cpu=4\nplan 5 x=preempt#1(1)",
	IF "run r in a cpu@f=4\nrun s in a cpu@f=4\nwait x in b cpu=4\nplan 5 x=preempt#1(1)",
	IF "run r in a cpu@f=2 ends=9\nrun s in a cpu@f=6 ends=99\nwait x in b cpu=4\nplan 5 x=preempt#1(1)",
	IF "run r in a cpu@f=2 ends=9\nrun s in a cpu@f=2 ends=15\nrun t in a cpu@f=4\nwait x in b cpu=4\n"
	"plan 5 x=delayed(15)\nremove r\nplan 9 x=delayed(15)\nremove s\nplan 14 x=start#1",
	/* one that leaves anyway has ended, too */
	IF "run r in a cpu@f=2 evicting\nrun s in a cpu@f=2 ends=15\nrun t in a cpu@f=4\nwait x in b cpu=4\n"
	"plan 5 x=delayed(15)",
	/* the limit of one is extended meanwhile */
	IF "run r in a cpu@f=4 ends=15\nrun s in a cpu@f=4\nwait x in b cpu=4\nplan 5 x=delayed(15)\n"
	"remove r\nrun r in a cpu@f=4 ends=30\nplan 6 x=preempt#1(1)",
	/* where time stands still at 0 */
	FULL "wait x in b cpu=4\nplan 0 x=delayed(10)\nplan 10 x=delayed(11)\nplan 11 x=preempt#1(1)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories))
