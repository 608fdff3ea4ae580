/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test candidate.c - what a preemptor might evict, in which order
 */
#include "world.h"

#define OWN(policy) "queue a within=" policy " cpu@f=3\n"
#define PAIR(policy) "cohort org\nqueue a in org reclaim=" policy " cpu@f=3\n" \
	"queue b in org cpu@f=0\n"

/* All are candidates, two are enough: which come first */
#define SIX "queue a within=newer cpu@f=6\n"
#define X "wait x in a cpu=2 prio=2 at=1\n"

#define LENT "cohort org\nqueue a in org within=newer reclaim=any cpu@f=6\n" \
	"queue b in org cpu@f=0\nqueue c in org cpu@f=0\n"

#define POOL "cohort org cpu@f=6\nqueue a in org reclaim=lower borrow=lower yield=1 cpu@f=0\n"
#define P "wait x in a cpu=2 prio=2\n"

#define FOUR "cohort org\nqueue a in org within=lower reclaim=any borrow=lower yield=1 cpu@f=4\n" \
	"queue b in org yield=1 cpu@f=4\n"
#define FAMILY "cohort org\ncohort team in org cpu@f=4\n" \
	"queue a in team reclaim=any yield=1 cpu@f=0\n" \
	"queue b in team cpu@f=0\nqueue c in org cpu@f=4\n"

#define TURN "queue a within=newer turn=60 cpu@f=6\n"

#define MIN "cohort org rmin=20\ncohort ml in org rmin=30\n" \
	"queue a in ml within=lower reclaim=any pmin=10 cpu@f=6\n" \
	"queue b in ml rmin=40 cpu@f=0\nqueue c in org rmin=50 cpu@f=0\n"

static const struct target_case cases[] = {
	/* What each policy allows: x has priority 1 and time 5 */
	{ OWN("never") "run r in a cpu@f=3 prio=0\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ OWN("empty") "run r in a cpu@f=3 prio=0\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ OWN("lower") "run r in a cpu@f=3 prio=0\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "r/InClusterQueue" },
	{ OWN("lower") "run r in a cpu@f=3 prio=1 at=9\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ OWN("newer") "run r in a cpu@f=3 prio=1 at=6\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "r/InClusterQueue" },
	{ OWN("newer") "run r in a cpu@f=3 prio=1 at=5\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ OWN("newer") "run r in a cpu@f=3 prio=2 at=6\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ OWN("newer") "run r in a cpu@f=3 prio=0 at=1\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "r/InClusterQueue" },
	{ PAIR("never") "run r in b cpu@f=3\nwait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ PAIR("lower") "run r in b cpu@f=3\nwait x in a cpu=3 prio=1 at=5", 0,
	  "cpu@f=3", "r/InCohortReclamation" },
	{ PAIR("lower") "run r in b cpu@f=3 prio=1\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "" },
	{ PAIR("newer") "run r in b cpu@f=3 prio=1 at=6\n"
	  "wait x in a cpu=3 prio=1 at=5", 0, "cpu@f=3", "r/InCohortReclamation" },
	{ PAIR("any") "run r in b cpu@f=3 prio=9\nwait x in a cpu=3", 0,
	  "cpu@f=3", "r/InCohortReclamation" },
	/* a stopped queue gives none */
	{ "cohort org\nqueue a in org reclaim=any cpu@f=3\n"
	  "queue b in org hold cpu@f=0\nrun r in b cpu@f=3\nwait x in a cpu=3", 0, "cpu@f=3", "" },
	/* a job that uses something else is no help, a job with share 0 may be */
	{ "queue a within=lower cpu@f=3 cpu@g=3\nrun r in a cpu@g=3\n"
	  "run s in a cpu@f=3\nwait x in a cpu=3 prio=1", 0, "cpu@f=3", "s/InClusterQueue" },
	/* lower priority, */
	{ SIX "run r in a cpu@f=2 prio=1\nrun s in a cpu@f=2 prio=0\n"
	  "run t in a cpu@f=2 prio=1\n" X, 10, "cpu@f=2", "s/InClusterQueue" },
	/* later reservation, */
	{ SIX "run r in a cpu@f=2 since=3\nrun s in a cpu@f=2 since=5\n"
	  "run t in a cpu@f=2 since=4\n" X, 10, "cpu@f=2", "s/InClusterQueue" },
	/* which is now if it is not known, */
	{ SIX "run r in a cpu@f=2 since=3\nrun s in a cpu@f=2 since=9\n"
	  "run t in a cpu@f=2\n" X, 10, "cpu@f=2", "t/InClusterQueue" },
	/* smaller tiebreak; */
	{ SIX "run r in a cpu@f=2\nrun s in a cpu@f=2\nrun t in a cpu@f=2\n" X,
	  10, "cpu@f=2", "r/InClusterQueue" },
	/* but jobs on the way out come first of all */
	{ SIX "run r in a cpu@f=2 prio=0\n"
	  "run s in a cpu@f=2 prio=1 since=1 evicting\nrun t in a cpu@f=2\n" X,
	  10, "cpu@f=2", "s/InClusterQueue" },
	/* and other queues' before the own */
	{ "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=2\nrun r in a cpu@f=2 prio=-9\n"
	  "run s in b cpu@f=4 prio=9\nwait x in a cpu=2", 10, "cpu@f=2", "s/InCohortReclamation" },
	/* The cost decides where nothing else does */
	{ SIX "run r in a cpu@f=2 cost=1 since=5\nrun s in a cpu@f=2 since=3\n"
	  "run t in a cpu@f=2 cost=1 since=4\n" X, 10, "cpu@f=2", "s/InClusterQueue" },
	{ SIX "run r in a cpu@f=2 cost=2\nrun s in a cpu@f=2 cost=3\n"
	  "run t in a cpu@f=2 cost=1\n" X, 10, "cpu@f=2", "t/InClusterQueue" },
	/* equal cost changes nothing */
	{ SIX "run r in a cpu@f=2 cost=1 since=3\nrun s in a cpu@f=2 cost=1 since=5\n"
	  "run t in a cpu@f=2 cost=1 since=4\n" X, 10, "cpu@f=2", "s/InClusterQueue" },
	/* not priority, */
	{ SIX "run r in a cpu@f=3 prio=1\nrun s in a cpu@f=3 cost=1\n" X, 10,
	  "cpu@f=2", "s/InClusterQueue" },
	/* nor a job that is on the way out, */
	{ SIX "run r in a cpu@f=3\nrun s in a cpu@f=3 cost=1 evicting\n" X, 10,
	  "cpu@f=2", "s/InClusterQueue" },
	/* nor the queue of the job; */
	{ LENT "run r in a cpu@f=2 prio=-9\nrun s in b cpu@f=4 prio=9 cost=1\n"
	  "wait x in a cpu=2", 10, "cpu@f=2", "s/InCohortReclamation" },
	/* but it decides between jobs of several queues */
	{ LENT "run r in b cpu@f=3 cost=1 since=5\nrun s in c cpu@f=3\n"
	  "wait x in a cpu=2", 10, "cpu@f=2", "s/InCohortReclamation" },
	{ "site fair\n" LENT "run r in b cpu@f=3 cost=1 since=5\n"
	  "run s in c cpu@f=3\nwait x in a cpu=2", 10, "cpu@f=2", "s/InCohortReclamation" },
	{ "site fair\n" LENT "run r in b cpu@f=3 cost=1 since=5\n"
	  "run s in b cpu@f=3\nwait x in a cpu=2", 10, "cpu@f=2", "s/InCohortReclamation" },
	/* the expensive one is the first to be put back, */
	{ SIX "run r in a cpu@f=1\nrun s in a cpu@f=1 cost=1 since=9\n"
	  "run t in a cpu@f=4 cost=1\nwait x in a cpu=5 prio=2", 10, "cpu@f=5",
	  "r/InClusterQueue t/InClusterQueue" },
	/* and goes alone, not with jobs that don't help */
	{ SIX "run r in a cpu@f=1\nrun s in a cpu@f=1\n"
	  "run t in a cpu@f=4 cost=1\nwait x in a cpu=4 prio=2", 10, "cpu@f=4",
	  "t/InClusterQueue" },
	/* a turn that is over comes first */
	{ "queue a within=newer turn=60 cpu@f=6\nrun r in a cpu@f=3 since=10 cost=1\n"
	  "run s in a cpu@f=3 since=80 at=10\nwait x in a cpu=2 at=9", 90,
	  "cpu@f=2", "r/InClusterQueueTimeBased" },
	{ "queue a within=newer turn=60 cpu@f=6\n"
	  "run r in a cpu@f=3 since=10 cost=1\nrun s in a cpu@f=3 since=20\n"
	  "wait x in a cpu=2 at=9", 90, "cpu@f=2", "s/InClusterQueueTimeBased" },
	/* Evicted often enough, or exempt */
	{ SIX "run r in a cpu@f=6 times=9\n" X, 10, "cpu@f=2", "r/InClusterQueue" },
	{ "queue a within=newer max=2 cpu@f=6\nrun r in a cpu@f=3 times=2\n"
	  "run s in a cpu@f=3 since=1 prio=1 times=1\n" X, 10, "cpu@f=2", "s/InClusterQueue" },
	{ "queue a within=newer max=2 cpu@f=6\nrun r in a cpu@f=3 times=2\n"
	  "run s in a cpu@f=3 times=3\n" X, 10, "cpu@f=2", "" },
	/* the bound is that of its own queue */
	{ "cohort org\nqueue a in org max=1 reclaim=any cpu@f=6\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=6 times=5\n"
	  "wait x in a cpu=2", 10, "cpu@f=2", "r/InCohortReclamation" },
	/* it bounds what others than owners take, */
	{ "cohort org\nqueue a in org reclaim=any cpu@f=6\n"
	  "queue b in org max=5 cpu@f=0\nrun r in b cpu@f=6 times=5\n"
	  "wait x in a cpu=2", 10, "cpu@f=2", "r/InCohortReclamation" },
	{ "site fair\ncohort org\nqueue a in org reclaim=any cpu@f=6\n"
	  "queue b in org max=5 cpu@f=0\nrun r in b cpu@f=6 times=5\n"
	  "wait x in a cpu=2", 10, "cpu@f=2", "r/InCohortReclamation" },
	/* and counts only that */
	{ POOL "queue b in org max=2 cpu@f=0\nrun r in b cpu@f=3 times=2\n"
	  "run s in b cpu@f=3 reclaimed=9 prio=1\n" P, 10, "cpu@f=2",
	  "s/InCohortReclaimWhileBorrowing" },
	{ POOL "queue b in org max=2 cpu@f=0\nrun r in b cpu@f=6 times=2\n" P, 10, "cpu@f=2", "" },
	{ "site fair\n" POOL "queue b in org max=5 cpu@f=0\n"
	  "run r in b cpu@f=3 times=5\nrun s in b cpu@f=3 times=4\n" P, 10,
	  "cpu@f=2", "s/InCohortFairSharing" },
	/* who borrows evicts lower priorities only */
	{ "cohort org cpu@f=6\nqueue a in org reclaim=any borrow=lower cpu@f=0\n"
	  "queue b in org cpu@f=0\nrun r in b cpu@f=6 prio=2\n" P, 10, "cpu@f=2", "" },
	/* a job that leaves, leaves */
	{ "queue a within=newer max=2 cpu@f=6\n"
	  "run r in a cpu@f=6 times=2 evicting\n" X, 10, "cpu@f=2", "r/InClusterQueue" },
	/* not even a turn helps */
	{ "queue a within=newer turn=60 max=1 cpu@f=6\nrun r in a cpu@f=3 since=10 times=1\n"
	  "run s in a cpu@f=3 since=20\nwait x in a cpu=2 at=9", 90, "cpu@f=2",
	  "s/InClusterQueueTimeBased" },
	{ SIX "run r in a cpu@f=6 exempt=-1\n" X, 10, "cpu@f=2", "" },
	/* It was evicted before, or is settled */
	/* in a pool it gets what is free */
	{ POOL "queue b in org cpu@f=0\nrun r in b cpu@f=6\n"
	  "wait x in a cpu=2 prio=2", 10, "cpu@f=2", "r/InCohortReclaimWhileBorrowing" },
	{ POOL "queue b in org cpu@f=0\nrun r in b cpu@f=6\n"
	  "wait x in a cpu=2 prio=2 times=1", 10, "cpu@f=2", "" },
	{ POOL "queue b in org cpu@f=0\nrun r in b cpu@f=6\n"
	  "wait x in a cpu=2 prio=2 reclaimed=1", 10, "cpu@f=2", "" },
	{ "site fair\n" POOL "queue b in org cpu@f=0\nrun r in b cpu@f=6\n"
	  "wait x in a cpu=2 prio=2 times=1", 10, "cpu@f=2", "" },
	/* its queue's quota it gets back, */
	{ FOUR "run r in b cpu@f=8\nwait x in a cpu=4 times=9", 10, "cpu@f=4",
	  "r/InCohortReclamation" },
	{ "site fair\n" FOUR "run r in b cpu@f=8\nwait x in a cpu=4 times=9",
	  10, "cpu@f=4", "r/InCohortReclamation" },
	/* also from jobs of its own queue, and no more than that */
	{ FOUR "run r in a cpu@f=4 prio=1\nrun s in b cpu@f=4\n"
	  "wait x in a cpu=4 prio=2 times=9", 10, "cpu@f=4", "r/InClusterQueue" },
	{ "site fair\n" FOUR "run r in a cpu@f=4 prio=1\nrun s in b cpu@f=4\n"
	  "wait x in a cpu=4 prio=2 times=9", 10, "cpu@f=4", "r/InClusterQueue" },
	{ FOUR "run r in a cpu@f=8 prio=1\nwait x in a cpu=5 prio=2 times=9", 10, "cpu@f=5", "" },
	/* of what a cohort above it owns it is an owner, until it was evicted three times */
	{ FAMILY "run r in c cpu@f=8\nwait x in a cpu=4 times=2", 10, "cpu@f=4",
	  "r/InCohortReclamation" },
	{ FAMILY "run r in c cpu@f=8\nwait x in a cpu=4 times=3", 10, "cpu@f=4", "" },
	{ "site fair\n" FAMILY "run r in c cpu@f=8\nwait x in a cpu=4 times=2",
	  10, "cpu@f=4", "r/InCohortReclamation" },
	{ "site fair\n" FAMILY "run r in c cpu@f=8\nwait x in a cpu=4 times=3", 10, "cpu@f=4", "" },
	/* but not inside the cohort */
	{ FAMILY "run r in b cpu@f=8\nwait x in a cpu=4 times=1", 10, "cpu@f=4", "" },
	{ "site fair\n" FAMILY "run r in b cpu@f=8\nwait x in a cpu=4 times=1", 10, "cpu@f=4", "" },
	/* what is settled, other queues leave alone, and its own does not */
	{ FOUR "run r in b cpu@f=4 settled\nrun s in b cpu@f=4 prio=5\n"
	  "wait x in a cpu=4", 10, "cpu@f=4", "s/InCohortReclamation" },
	{ "site fair\n" FOUR "run r in b cpu@f=4 settled\n"
	  "run s in b cpu@f=4 prio=5\nwait x in a cpu=4", 10, "cpu@f=4", "s/InCohortReclamation" },
	{ FOUR "run r in a cpu@f=4 settled\nrun s in b cpu@f=4\n"
	  "wait x in a cpu=4 prio=2", 10, "cpu@f=4", "r/InClusterQueue" },
	/* strictly after */
	{ TURN "run r in a cpu@f=6 since=10\nwait x in a cpu=2 at=9", 70, "cpu@f=2", "" },
	{ TURN "run r in a cpu@f=6 since=10\nwait x in a cpu=2 at=9", 71,
	  "cpu@f=2", "r/InClusterQueueTimeBased" },
	/* the own priority only */
	{ TURN "run r in a cpu@f=6 since=10 prio=1\nwait x in a cpu=2 at=9", 90, "cpu@f=2", "" },
	{ TURN "run r in a cpu@f=6 since=10 prio=-1\nwait x in a cpu=2 at=9",
	  90, "cpu@f=2", "r/InClusterQueue" },
	/* the reason is that of the turn even if the policy would do */
	{ TURN "run r in a cpu@f=6 since=10 at=10\nwait x in a cpu=2 at=9", 90,
	  "cpu@f=2", "r/InClusterQueueTimeBased" },
	/* the job that has run longest after its turn goes first, then the newest */
	{ TURN "run r in a cpu@f=2 since=12\nrun s in a cpu@f=2 since=11\n"
	  "run t in a cpu@f=2 since=80 at=10\nwait x in a cpu=2 at=9", 90,
	  "cpu@f=2", "s/InClusterQueueTimeBased" },
	{ TURN "run r in a cpu@f=2 since=79 at=10\n"
	  "run s in a cpu@f=2 since=80 at=10\nrun t in a cpu@f=2 since=81\n"
	  "wait x in a cpu=2 at=9", 90, "cpu@f=2", "s/InClusterQueue" },
	/* lower priority still goes before */
	{ TURN "run r in a cpu@f=3 since=12\nrun s in a cpu@f=3 prio=-1\n"
	  "wait x in a cpu=2 at=9", 90, "cpu@f=2", "s/InClusterQueue" },
	/* only in the own queue */
	{ "cohort org\nqueue a in org within=newer reclaim=newer turn=60 "
	  "cpu@f=3\nqueue b in org cpu@f=0\nrun r in b cpu@f=3 since=10\n"
	  "wait x in a cpu=3 at=9", 90, "cpu@f=3", "" },
	/* and a turn that is over is no help against a min-runtime */
	{ "site preempt=100\n" TURN "run r in a cpu@f=6 since=10\nwait x in a cpu=2 at=9", 109,
	  "cpu@f=2", "" },
	{ "site preempt=100\n" TURN "run r in a cpu@f=6 since=10\nwait x in a cpu=2 at=9", 110,
	  "cpu@f=2", "r/InClusterQueueTimeBased" },
	{ MIN "run r in a cpu@f=6 since=100\nwait x in a cpu=2 prio=1", 109, "cpu@f=2", "" },
	{ MIN "run r in a cpu@f=6 since=100\nwait x in a cpu=2 prio=1", 110,
	  "cpu@f=2", "r/InClusterQueue" },
	{ MIN "run r in b cpu@f=6 since=100\nwait x in a cpu=2", 139, "cpu@f=2", "" },
	{ MIN "run r in b cpu@f=6 since=100\nwait x in a cpu=2", 140,
	  "cpu@f=2", "r/InCohortReclamation" },
	{ MIN "run r in c cpu@f=6 since=100\nwait x in a cpu=2", 149, "cpu@f=2", "" },
	{ MIN "run r in c cpu@f=6 since=100\nwait x in a cpu=2", 150,
	  "cpu@f=2", "r/InCohortReclamation" },
	/* a job that is on the way out is not protected */
	{ MIN "run r in a cpu@f=6 since=100 evicting\n"
	  "wait x in a cpu=2 prio=1", 101, "cpu@f=2", "r/InClusterQueue" },
	/* a start that clocks have put in the future protects no job */
	{ "queue a within=lower cpu@f=6\nrun r in a cpu@f=6 since=100\n"
	  "wait x in a cpu=2 prio=1", 50, "cpu@f=2", "r/InClusterQueue" },
	/* suspended time does not count */
	{ MIN "run r in a cpu@f=6 since=100\nwait x in a cpu=2 prio=1\n"
	  "pause r for=5", 114, "cpu@f=2", "" },
	{ MIN "run r in a cpu@f=6 since=100\nwait x in a cpu=2 prio=1\n"
	  "pause r for=5", 115, "cpu@f=2", "r/InClusterQueue" },
};

static void test_cases(void **state)
{
	target_cases(cases, COUNT(cases));
}

TESTS(cmocka_unit_test(test_cases))
