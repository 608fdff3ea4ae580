/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test leaving.c - no victim where others leave anyway
 */
#include "world.h"

/* x of b owns the quota of r, which is still ending; w of a may not evict r */
#define OWNED(QUEUE_A) "cohort org\nqueue a in org " QUEUE_A " cpu@f=4\n" \
	"queue b in org reclaim=any cpu@f=4\nqueue c in org cpu@f=0 mem@f=2\n" \
	"run s in a cpu@f=2 since=1\nrun t in a cpu@f=2 since=2\n" \
	"run v in b cpu@f=2\nwait x in b cpu=2\nown x cpu@f=2\nwait w in a cpu=2 prio=5\n"
#define LOWER OWNED("within=lower")
#define FAIR "site fair\n" OWNED("within=lower reclaim=lower")

/* x and y borrow as much; once half of what y has is gone, x would have to give */
#define ENDING "cohort org\nqueue a in org reclaim=any cpu@f=4\n" \
	"queue b in org cpu@f=4\nqueue x in org cpu@f=0\nqueue y in org cpu@f=0\n" \
	"run x4 in x cpu@f=4 since=1\nrun y1 in y cpu@f=2 since=1 evicting\n" \
	"run y2 in y cpu@f=2 since=1 evicting\nwait w in a cpu=4\n"

static const struct world_case cases[] = {
	{ LOWER "run r in a cpu@f=2 prio=9 evicting", 0,
	  "w:preempting(t/InClusterQueue r/InClusterQueue)" },
	/* it stays: two have to go */
	{ LOWER "run r in a cpu@f=2 prio=9", 0, "w:preempting(t/InClusterQueue s/InClusterQueue)" },
	/* what the policy names was the first candidate before */
	{ LOWER "run r in a cpu@f=2 evicting", 0,
	  "w:preempting(r/InClusterQueue t/InClusterQueue)" },
	/* not all of the unit leaves */
	{ LOWER "run r in a cpu@f=2 prio=9 evicting\nrun u in a cpu@f=0 prio=9\nunit r u", 0,
	  "w:preempting(t/InClusterQueue s/InClusterQueue)" },
	/* of those that leave no more than needed */
	{ LOWER "run r in a cpu@f=1 prio=9 evicting\nrun u in a cpu@f=1 prio=9 evicting\n"
	  "run z in a cpu@f=0 prio=9 evicting", 0, "w:preempting(t/InClusterQueue r/InClusterQueue "
	  "u/InClusterQueue)" },
	/* of another queue, which may not be reclaimed from */
	{ OWNED("within=lower reclaim=never") "run r in c cpu@f=2 evicting", 0,
	  "w:preempting(t/InClusterQueue r/InCohortReclamation)" },
	/* another resource: nothing that w needs */
	{ LOWER "run r in c mem@f=2 evicting\nrun u in c cpu@f=2", 0,
	  "w:preempting(t/InClusterQueue s/InClusterQueue)" },
	/* nobody owns what it frees: Kueue does not know that it leaves */
	{ LOWER "run r in a cpu@f=2 prio=9 evicting\ndisown x\nrun u in b cpu@f=2", 0,
	  "w:preempting(t/InClusterQueue r/InClusterQueue) x:noCandidates" },
	{ "site kueue\n" LOWER "run r in a cpu@f=2 prio=9 evicting\ndisown x\n"
	  "run u in b cpu@f=2", 0, "w:preempting(t/InClusterQueue s/InClusterQueue) "
	  "x:noCandidates" },
	/* a job that leaves is no reason to evict if no policy does so */
	{ OWNED("within=never") "run r in a cpu@f=2 evicting", 0, "w:noCandidates" },
	{ "site fair\n" ENDING, 9, "w:preempting(y1/InCohortReclamation y2/InCohortReclamation)" },
	{ "site fair kueue\n" ENDING, 9, "w:preempting(x4/InCohortReclamation)" },
	{ FAIR "run r in a cpu@f=2 prio=9 evicting", 0,
	  "w:preempting(t/InClusterQueue r/InClusterQueue)" },
	{ FAIR "run r in a cpu@f=2 prio=9", 0, "w:preempting(t/InClusterQueue s/InClusterQueue)" },
};

/* Whose start is not known has just started: it is the first to leave. No cycle runs, and no
 * search has looked into its queue. */
static void test_just_started(void **state)
{
	struct world *world = world_create("cohort org\nqueue a in org within=lower cpu@f=4\n"
		"queue b in org reclaim=any cpu@f=4\nqueue c in org cpu@f=4\n"
		"run s in a cpu@f=2\nrun t in a cpu@f=2\nrun v in b cpu@f=2\n"
		"wait x in b cpu=2\nown x cpu@f=2\nwait w in a cpu=2 prio=5\n"
		"run r in c cpu@f=2 since=5 evicting\nrun u in c cpu@f=2 evicting\n");

	assert_string_equal(world_targets(world, "w", "cpu@f=2", 100), "u/InCohortReclamation");
	world_destroy(world);
}

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), world_cycle);
}

TESTS(cmocka_unit_test(test_cases), cmocka_unit_test(test_just_started))
