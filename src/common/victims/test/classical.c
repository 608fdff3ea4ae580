/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test classical.c - victims by priority and by distance in the cohort tree
 */
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org cpu@f=4\n"

#define BORROW(threshold) "cohort org\nqueue a in org within=lower " \
	"reclaim=any borrow=lower " threshold " cpu@f=2\n" \
	"queue b in org cpu@f=2\nqueue c in org cpu@f=4\n"

/* KEP-1337, story 1: quota only in a shared queue */
#define STORY "cohort org\nqueue shared in org cpu@f=10\n" \
	"queue std in org reclaim=lower borrow=lower threshold=10 cpu@f=0\n" \
	"queue best in org reclaim=lower borrow=lower threshold=10 cpu@f=0\n"

/* Jobs inside the subtree that could hold the preemptor by itself have the
 * advantage over all jobs outside it */
#define DEEP "cohort org\ncohort left in org\ncohort right in org\n" \
	"queue a in left within=lower reclaim=any cpu@f=2\n" \
	"queue b in left cpu@f=2\nqueue c in right cpu@f=4\n"

static const struct target_case cases[] = {
	/* no job within its nominal quota is evicted for another queue */
	{ TWO "run r in b cpu@f=4\nrun s in a cpu@f=4\nwait x in a cpu=1", 0, "cpu@f=1", "" },
	{ TWO "run r in b cpu@f=4\nrun s in b cpu@f=4 since=1\n"
	  "wait x in a cpu=4", 5, "cpu@f=4", "r/InCohortReclamation" },
	{ TWO "run r in b cpu@f=4\nrun s in b cpu@f=4 since=1\n"
	  "wait x in a cpu=5", 5, "cpu@f=5", "" },
	/* all of them or none */
	{ TWO "run r in b cpu@f=1\nrun s in b cpu@f=7\nwait x in a cpu=9", 0, "cpu@f=9", "" },
	/* none that is not needed: the first ones are put back if the last one makes room enough */
	{ TWO "run r in b cpu@f=1 since=9\nrun s in b cpu@f=1 since=8\n"
	  "run t in b cpu@f=6 since=7\nwait x in a cpu=3", 10, "cpu@f=3", "t/InCohortReclamation" },
	{ TWO "run r in b cpu@f=2 since=9\nrun s in b cpu@f=1 since=8\n"
	  "run t in b cpu@f=2 since=7\nrun u in b cpu@f=3 since=6\n"
	  "wait x in a cpu=4", 10, "cpu@f=4", "r/InCohortReclamation t/InCohortReclamation" },
	/* both kinds together */
	{ TWO "run r in b cpu@f=5\nrun s in a cpu@f=3 prio=-1\nwait x in a cpu=4", 0, "cpu@f=4",
	  "r/InCohortReclamation s/InClusterQueue" },
	/* within nominal quota only if its own queue makes room for that, */
	{ "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=1\nrun r in a cpu@f=3\nrun s in b cpu@f=2\n"
	  "wait x in a cpu=3 prio=1", 0, "cpu@f=3", "r/InClusterQueue" },
	/* and from others no more than is needed then, */
	{ TWO "run s in a cpu@f=2 prio=-1\nrun r in b cpu@f=3 since=1\n"
	  "run t in b cpu@f=2\nwait x in a cpu=3", 5, "cpu@f=3", "s/InClusterQueue" },
	{ TWO "run s in a cpu@f=2 prio=-1\nrun r in b cpu@f=3 since=1\n"
	  "run t in b cpu@f=3\nwait x in a cpu=3", 5, "cpu@f=3",
	  "t/InCohortReclamation s/InClusterQueue" },
	/* but more of its own queue if the others have too little to give */
	{ TWO "run s in a cpu@f=1 prio=-1 since=2\nrun t in a cpu@f=2 prio=-1 since=1\n"
	  "run r in b cpu@f=5 exempt=99\nwait x in a cpu=2", 5, "cpu@f=2", "t/InClusterQueue" },
	/* which goes with others: that is not put back before these */
	{ TWO "run s in a cpu@f=2 prio=-1 since=2\nrun t in a cpu@f=1 prio=-1 since=1\n"
	  "run r in b cpu@f=5\nunit r t\nwait x in a cpu=2", 5, "cpu@f=2",
	  "r/InCohortReclamation" },
	/* which it cannot, or only in part */
	{ "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=1\nrun r in a cpu@f=3 prio=1\n"
	  "run s in b cpu@f=2\nwait x in a cpu=2 prio=1", 0, "cpu@f=2", "" },
	{ "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n"
	  "queue b in org cpu@f=1\nrun r in a cpu@f=2 prio=1\n"
	  "run t in a cpu@f=1\nrun s in b cpu@f=2\nwait x in a cpu=3 prio=1", 0, "cpu@f=3", "" },
	/* a preemptor that ends up borrowing takes from lower ones only */
	{ BORROW("") "run r in b cpu@f=6\nwait x in a cpu=4 prio=1", 0,
	  "cpu@f=4", "r/InCohortReclaimWhileBorrowing" },
	{ BORROW("") "run r in b cpu@f=6 prio=1\nwait x in a cpu=4 prio=1", 0, "cpu@f=4", "" },
	{ BORROW("threshold=0") "run r in b cpu@f=6 prio=1\n"
	  "wait x in a cpu=4 prio=2", 0, "cpu@f=4", "" },
	{ BORROW("threshold=1") "run r in b cpu@f=6 prio=1\nwait x in a cpu=4 prio=2", 0, "cpu@f=4",
	  "r/InCohortReclaimWhileBorrowing" },
	/* within its nominal quota it takes from the others too */
	{ BORROW("threshold=0") "run r in b cpu@f=7 prio=9\n"
	  "run s in c cpu@f=1\nwait x in a cpu=2 prio=2", 0, "cpu@f=2", "r/InCohortReclamation" },
	/* and never from a queue that does not borrow */
	{ BORROW("") "run r in b cpu@f=2\nrun s in c cpu@f=4\n"
	  "wait x in a cpu=3 prio=1", 0, "cpu@f=3", "" },
	/* not set: the preemptor has to stay within nominal quota */
	{ TWO "run r in b cpu@f=6\nwait x in a cpu=5 prio=1", 0, "cpu@f=5", "" },
	{ STORY "run r in best cpu@f=10 prio=1\nwait x in std cpu=4 prio=100",
	  0, "cpu@f=4", "r/InCohortReclaimWhileBorrowing" },
	{ STORY "run r in best cpu@f=10 prio=20\nwait x in std cpu=4 prio=100", 0, "cpu@f=4", "" },
	{ STORY "run r in shared cpu@f=10 prio=1\nwait x in std cpu=4 prio=100", 0, "cpu@f=4", "" },
	{ STORY "run r in std cpu@f=10 prio=100\nwait x in best cpu=4 prio=1", 0, "cpu@f=4", "" },
	{ DEEP "run r in b cpu@f=2\nrun s in c cpu@f=6\nwait x in a cpu=2", 0,
	  "cpu@f=2", "s/InCohortReclamation" },
	/* b borrows inside left, c does not: left's own matter */
	{ DEEP "run r in b cpu@f=4\nrun s in c cpu@f=4\nwait x in a cpu=2", 0,
	  "cpu@f=2", "r/InCohortReclamation" },
	/* right uses no more than it has: it gives none */
	{ DEEP "queue d in right cpu@f=0\nrun r in b cpu@f=2\n"
	  "run s in d cpu@f=4\nrun t in a cpu@f=2 prio=-1\nwait x in a cpu=2",
	  0, "cpu@f=2", "t/InClusterQueue" },
	/* left holds a's demand by its own quota: jobs that took it from
	 * outside go before those inside, whatever the priorities; and although
	 * a borrows, and may not take from b while it does */
	{ "cohort org\ncohort left in org cpu@f=4\ncohort right in org\n"
	  "queue a in left within=lower reclaim=any cpu@f=2\n"
	  "queue b in left cpu@f=2\nqueue c in right cpu@f=4\n"
	  "run r in b cpu@f=3 prio=-5\nrun s in c cpu@f=9 prio=5\n"
	  "wait x in a cpu=4", 0, "cpu@f=4", "s/InCohortReclamation" },
};

static void test_cases(void **state)
{
	target_cases(cases, COUNT(cases));
}

TESTS(cmocka_unit_test(test_cases))
