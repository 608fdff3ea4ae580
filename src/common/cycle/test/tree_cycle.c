/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test tree_cycle.c - the outcomes of the heads in one cycle
 */
#include "world.h"

#define THREE "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n" \
	"queue c in org within=lower reclaim=any cpu@f=4\n"
#define NEVER(limit) "cohort org\nqueue a in org within=never reclaim=never cpu@f=4" limit "\n" \
	"queue b in org reclaim=never cpu@f=4\nqueue c in org reclaim=never cpu@f=4\n"

/* The cohort owns 8, its queues nothing */
#define POOL(KEYS) "cohort lab cpu@f=8\nqueue a in lab " KEYS " cpu@f=0\nqueue b in lab cpu@f=0\n"

static const struct world_case cases[] = {
	/* whatever its queue owns, a job evicts others of its queue as the policy says */
	{ POOL("within=lower") "run r in a cpu@f=8\nwait x in a cpu=2 prio=9", 0,
	  "x:preempting(r/InClusterQueue)" },
	{ "site kueue\n" POOL("within=lower") "run r in a cpu@f=8\nwait x in a cpu=2 prio=9", 0,
	  "x:nofit" },
	{ POOL("within=lower") "run r in a cpu@f=8\nwait x in a cpu=2", 0, "x:nofit" },
	{ POOL("within=newer") "run r in a cpu@f=8 at=5\nwait x in a cpu=2 at=4", 9,
	  "x:preempting(r/InClusterQueue)" },
	{ POOL("within=never") "run r in a cpu@f=8\nwait x in a cpu=2 prio=9", 0, "x:nofit" },
	/* and no others */
	{ POOL("within=lower reclaim=any") "run r in a cpu@f=2\nrun s in b cpu@f=6\n"
	  "wait x in a cpu=2 prio=9\n", 0, "x:preempting(r/InClusterQueue)" },
	{ POOL("within=lower reclaim=any") "run r in a cpu@f=2\nrun s in b cpu@f=6\n"
	  "wait x in a cpu=3 prio=9\n", 0, "x:nofit" },
	{ POOL("within=lower reclaim=any") "run r in a cpu@f=2\nrun s in b cpu@f=6\n"
	  "wait x in a cpu=9 prio=9\n", 0, "x:nofit" },
	/* if it finds none, it reserves nothing */
	{ POOL("within=lower") "run r in a cpu@f=6\nwait x in a cpu=3 at=1\n"
	  "wait y in b cpu=2 at=2", 0, "x:nofit y:admitted" },
	{ THREE "wait x in a cpu=13", 0, "x:nofit" },
	{ THREE "wait x in a cpu=4\nwait y in b cpu=4\nwait z in c cpu=4", 0,
	  "x:admitted y:admitted z:admitted" },
	/* the first ones take what the last one was nominated for */
	{ THREE "wait x in a cpu=5 at=1\nwait y in b cpu=4 at=2\n"
	  "wait z in c cpu=4 at=3", 0, "y:admitted z:admitted x:skipped" },
	/* a job that evicts holds what it needs against those after it */
	{ THREE "run r in b cpu@f=8\nrun s in c cpu@f=2\n"
	  "wait x in a cpu=4 prio=1\nwait z in c cpu=2", 0,
	  "x:preempting(r/InCohortReclamation) z:admitted" },
	{ THREE "run r in b cpu@f=6\nrun s in b cpu@f=4 since=1\n"
	  "wait x in a cpu=4 prio=1\nwait z in c cpu=4", 5,
	  "x:preempting(r/InCohortReclamation) z:deferredFit" },
	/* victims other than those of the heads before it */
	{ THREE "run r in b cpu@f=4\nrun s in b cpu@f=4 since=1\n"
	  "run t in b cpu@f=4 since=2\nwait x in a cpu=4 prio=1\nwait z in c cpu=4", 5,
	  "x:preempting(r/InCohortReclamation) z:preempting(t/InCohortReclamation)" },
	{ "site norecompute\n" THREE "run r in b cpu@f=4\nrun s in b cpu@f=4 since=1\n"
	  "run t in b cpu@f=4 since=2\nwait x in a cpu=4 prio=1\nwait z in c cpu=4", 5,
	  "x:preempting(r/InCohortReclamation) z:skipped" },
	/* none to evict: what it cannot have now is kept from the others, */
	{ NEVER("") "run r in c cpu@f=9\nwait x in a cpu=4 at=1\n"
	  "wait z in b cpu=3 at=2", 0, "x:noCandidates z:skipped" },
	{ NEVER("") "run r in a cpu@f=2\nrun s in b cpu@f=4\n"
	  "run t in c cpu@f=3\nwait x in a cpu=4 prio=9\nwait z in b cpu=1",
	  0, "x:noCandidates z:skipped" },
	/* as far as it may ever borrow, */
	{ NEVER("+0") "run r in a cpu@f=2\nrun s in b cpu@f=4\n"
	  "run t in c cpu@f=3\nwait x in a cpu=4 prio=9\nwait z in b cpu=1",
	  0, "x:noCandidates z:admitted" },
	/* unless it may reclaim from all anyhow, */
	{ THREE "run r in c cpu@f=4\nrun t in b cpu@f=4\nrun s in a cpu@f=3\n"
	  "wait x in a cpu=3 prio=0\nwait z in c cpu=1", 0, "x:noCandidates z:admitted" },
	/* or waits for the end of a min-runtime */
	{ "site reclaim=50\n" THREE "run r in b cpu@f=9 since=90\n"
	  "wait x in a cpu=4 prio=1\nwait z in c cpu=2", 100, "x:noCandidates z:skipped" },
	{ "site reclaim=50\n" THREE "run r in b cpu@f=9 since=10\n"
	  "wait x in a cpu=4 prio=1\nwait z in c cpu=2", 100,
	  "x:preempting(r/InCohortReclamation) z:admitted" },
	/* a job on the way out is a victim like any other */
	{ THREE "run r in b cpu@f=12 evicting\nwait x in a cpu=4", 0,
	  "x:preempting(r/InCohortReclamation)" },
};

static void test_cycles(void **state)
{
	world_cases(cases, COUNT(cases), world_cycle);
}

TESTS(cmocka_unit_test(test_cycles))
