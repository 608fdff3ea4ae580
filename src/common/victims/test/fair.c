/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test fair.c - victims by fair share
 */
#include "world.h"

#define THREE "cohort org\nqueue a in org within=lower reclaim=any cpu@f=3\n" \
	"queue b in org within=lower reclaim=any cpu@f=3\n" \
	"queue c in org within=lower reclaim=any cpu@f=3\n"

/* 16 of the cohort; p asks, t has it */
#define HISTORY "cohort lab cpu@f=16\n" \
	"queue p in lab reclaim=any cpu@f=0\nqueue t in lab cpu@f=0\nqueue z in lab cpu@f=0\n"
#define BOTH_8 "run r in p cpu@f=4\nrun s in t cpu@f=8\nrun v in z cpu@f=4\nwait x in p cpu=4\n"

/* ta owns 8 of f, which tb uses, and borrows all there is of g: its share is the larger one */
#define OTHER "cohort root cpu@g=80\ncohort ta in root cpu@f=8\ncohort tb in root cpu@f=8\n" \
	"queue a in ta reclaim=any cpu@f=0\nqueue s in ta cpu@g=0\n" \
	"queue b in tb reclaim=any cpu@f=0\nqueue c in tb reclaim=any cpu@f=0\n" \
	"run g in s cpu@g=80\n"

/* The cohort owns 8: x uses 3, y 5 */
#define SPARED "cohort o cpu@f=8\nqueue x in o within=lower reclaim=any cpu@f=0\n" \
	"queue y in o cpu@f=0\nrun x1 in x cpu@f=1 since=1\nrun x2 in x cpu@f=2 since=2\n" \
	"run y1 in y cpu@f=1 since=3\nrun y4 in y cpu@f=4 since=4\nwait x in x cpu=4 prio=5\n"

/* b uses 5 of its 4, and borrows all there is of g */
#define SPOT "cohort o cpu@g=80\nqueue a in o reclaim=any cpu@f=4\n" \
	"queue b in o cpu@f=4 cpu@g=0\nqueue c in o cpu@f=4\nrun g in b cpu@g=80\n" \
	"run r in b cpu@f=3 since=1\nrun t in b cpu@f=2 since=2\n" \
	"run u in c cpu@f=5 since=1\nrun v in c cpu@f=2 since=2\nwait x in a cpu=4\n"

static const struct target_case cases[] = {
	/* a cohort has back what it owns, as far as it goes */
	{ "site fair\n" OTHER "run r in b cpu@f=8 since=1\nrun t in b cpu@f=8 since=2\n"
	  "wait x in a cpu=4", 9, "cpu@f=4", "t/InCohortReclamation" },
	{ "site fair kueue\n" OTHER "run r in b cpu@f=8 since=1\nrun t in b cpu@f=8 since=2\n"
	  "wait x in a cpu=4", 9, "cpu@f=4", "" },
	{ "site fair\n" OTHER "run r in b cpu@f=8 since=1\nrun t in b cpu@f=8 since=2\n"
	  "wait x in a cpu=9", 9, "cpu@f=9", "" },
	/* and keeps it, although its share is larger: else both would go on for ever */
	{ "site fair\n" OTHER "run r in a cpu@f=4\nrun v in a cpu@f=4\n"
	  "run t in c cpu@f=8\nwait x in c cpu=4", 9, "cpu@f=4", "" },
	{ "site fair kueue\n" OTHER "run r in a cpu@f=4\nrun v in a cpu@f=4\n"
	  "run t in c cpu@f=8\nwait x in c cpu=4", 9, "cpu@f=4", "r/InCohortFairSharing" },
	{ "site fair\n" OTHER "run r in a cpu@f=4\nrun v in a cpu@f=5\nrun t in c cpu@f=7\n"
	  "wait x in c cpu=4", 9, "cpu@f=4", "r/InCohortFairSharing" },
	/* nor does a queue lose what it owns because it borrows something else */
	/* a victim by shares is allowed beside all own jobs that are spared */
	{ "site fair\n" SPARED, 9, "cpu@f=4", "x2/InClusterQueue x1/InClusterQueue "
	  "y1/InCohortFairSharing" },
	{ "site fair kueue\n" SPARED, 9, "cpu@f=4", "y4/InCohortFairSharing" },
	{ "site fair\n" SPARED "remove y1\nrun y1 in y cpu@f=1 exempt=-1", 9, "cpu@f=4", "" },
	{ "site fair\n" SPOT, 9, "cpu@f=4", "t/InCohortReclamation v/InCohortReclamation" },
	{ "site fair kueue\n" SPOT, 9, "cpu@f=4", "t/InCohortReclamation r/InCohortReclamation" },
	/* LessThanInitialShare with history: by itself it has to be smaller by the margin */
	{ "site fair half=3600 first=initial second=none\n" HISTORY BOTH_8, 5, "cpu@f=4", "" },
	{ "site fair half=3600 first=initial second=none\n" HISTORY BOTH_8
	  "past p cpu=2\npast t cpu=6", 5, "cpu@f=4", "s/InCohortFairSharing" },
	{ "site fair half=3600 first=initial second=none\n" HISTORY BOTH_8
	  "past p cpu=3\npast t cpu=5", 5, "cpu@f=4", "" },
	{ "site fair half=3600 first=initial second=none\n" HISTORY BOTH_8
	  "past p cpu=2.6\npast t cpu=5.4", 5, "cpu@f=4", "s/InCohortFairSharing" },
	{ "site fair half=3600 margin=0.5 first=initial second=none\n" HISTORY
	  BOTH_8 "past p cpu=2.6\npast t cpu=5.4", 5, "cpu@f=4", "" },
	/* as the second strategy, and where either will do */
	{ "site fair half=3600\n" HISTORY BOTH_8 "past p cpu=2\npast t cpu=6", 5, "cpu@f=4",
	  "s/InCohortFairSharing" },
	{ "site fair half=3600\n" HISTORY BOTH_8 "past p cpu=3\npast t cpu=5", 5, "cpu@f=4", "" },
	/* what the shares of now allow is refused by history */
	{ "site fair half=3600\n" HISTORY "run s in t cpu@f=6\n"
	  "run v in z cpu@f=10 exempt=-1\nwait x in p cpu=4\npast p cpu=8\n"
	  "past t cpu=0", 5, "cpu@f=4", "" },
	/* within nominal quota history makes no queue lose or wait */
	{ "site fair half=3600\ncohort lab cpu@f=8\n"
	  "queue p in lab reclaim=any cpu@f=8\nqueue t in lab cpu@f=0\n"
	  "run s in t cpu@f=16\nwait x in p cpu=8\npast p cpu=99", 5,
	  "cpu@f=8", "s/InCohortReclamation" },
	{ "site fair half=3600\ncohort lab cpu@f=8\n"
	  "queue p in lab reclaim=any cpu@f=0\nqueue t in lab cpu@f=8\n"
	  "run s in t cpu@f=8\nrun v in p cpu@f=8\nwait x in p cpu=1\n"
	  "past t cpu=99", 5, "cpu@f=1", "" },
	/* a job that stays within nominal quota just takes it back, from the
	 * queue that borrows most */
	{ "site fair\n" THREE "run r in b cpu@f=2\nrun s in b cpu@f=2\n"
	  "run t in c cpu@f=2\nrun u in c cpu@f=3\nwait x in a cpu=1", 0,
	  "cpu@f=1", "t/InCohortReclamation" },
	/* a job that borrows takes as long as the shares are in order after it */
	{ "site fair\n" THREE "run r in b cpu@f=5\nrun s in b cpu@f=2\n"
	  "run t in a cpu@f=2\nwait x in a cpu=2", 0, "cpu@f=2", "s/InCohortFairSharing" },
	/* equal shares: no queue would gain */
	{ "site fair\n" THREE "run r in b cpu@f=4\nrun s in a cpu@f=4\n"
	  "run t in c cpu@f=1\nwait x in a cpu=1", 0, "cpu@f=1", "" },
	/* the second strategy: less than the other had before */
	{ "site fair\n" THREE "run r in b cpu@f=6\nrun s in a cpu@f=3\n"
	  "wait x in a cpu=2", 0, "cpu@f=2", "r/InCohortFairSharing" },
	{ "site fair second=none\n" THREE "run r in b cpu@f=6\n"
	  "run s in a cpu@f=3\nwait x in a cpu=2", 0, "cpu@f=2", "" },
	{ "site fair first=initial second=none\n" THREE "run r in b cpu@f=6\n"
	  "run s in a cpu@f=3\nwait x in a cpu=2", 0, "cpu@f=2", "r/InCohortFairSharing" },
	/* the own queue by its policy */
	{ "site fair\n" THREE "run r in a cpu@f=3\nrun s in b cpu@f=3\n"
	  "run t in c cpu@f=3\nwait x in a cpu=1 prio=1", 0, "cpu@f=1", "r/InClusterQueue" },
	{ "site fair\n" THREE "run r in a cpu@f=3\nrun s in b cpu@f=3\n"
	  "run t in c cpu@f=3\nwait x in a cpu=1", 0, "cpu@f=1", "" },
	/* a queue without a cohort has only itself */
	{ "site fair\nqueue a within=lower cpu@f=3\nrun r in a cpu@f=3\n"
	  "wait x in a cpu=1 prio=1", 0, "cpu@f=1", "r/InClusterQueue" },
	{ "site fair\nqueue a within=lower cpu@f=3\nrun r in a cpu@f=3\n"
	  "wait x in a cpu=1", 0, "cpu@f=1", "" },
	/* weights: twice the weight, half the share */
	{ "site fair\ncohort org\nqueue a in org reclaim=any weight=2 cpu@f=0\n"
	  "queue b in org reclaim=any cpu@f=0\nqueue c in org cpu@f=6\n"
	  "run r in b cpu@f=1\nrun s in b cpu@f=2\nrun t in a cpu@f=3\n"
	  "wait x in a cpu=1", 0, "cpu@f=1", "r/InCohortFairSharing" },
	{ "site fair\ncohort org\nqueue a in org reclaim=any cpu@f=0\n"
	  "queue b in org reclaim=any cpu@f=0\nqueue c in org cpu@f=6\n"
	  "run r in b cpu@f=1\nrun s in b cpu@f=2\nrun t in a cpu@f=3\n"
	  "wait x in a cpu=1", 0, "cpu@f=1", "" },
	/* x gives nothing while A has the larger share. But y below A gives by the second strategy,
	 * then A does not borrow, and x gives, too (Kueue: "candidates skipped by the first
	 * strategy are still available to the second strategy") */
	{ "site fair\ncohort ROOT weight=0\ncohort A in ROOT weight=0 cpu@f=1000\n"
	  "queue p in A reclaim=any cpu@f=2000\nqueue x in ROOT reclaim=any cpu@f=1000\n"
	  "queue y in A reclaim=any cpu@f=2000\nrun p1 in p cpu@f=2000\nrun x1 in x cpu@f=1000\n"
	  "run x2 in x cpu@f=1000\nrun y1 in y cpu@f=2000\n"
	  "run y2 in y cpu@f=2000\nwait x in p cpu=1000", 0, "cpu@f=1000",
	  "y1/InCohortFairSharing x1/InCohortFairSharing" },
	/* a queue that borrows with weight 0 has the largest share of all */
	{ "site fair\ncohort org\nqueue a in org reclaim=any cpu@f=1\n"
	  "queue b in org reclaim=any weight=0 cpu@f=0\n"
	  "queue c in org reclaim=any cpu@f=8\nrun r in b cpu@f=1\n"
	  "run s in c cpu@f=8\nwait x in a cpu=1", 0, "cpu@f=1", "r/InCohortReclamation" },
	/* cohorts give by their own shares: left borrows, right does not */
	{ "site fair\ncohort org cpu@f=2\ncohort left in org\n"
	  "cohort right in org\nqueue a in org reclaim=any cpu@f=2\n"
	  "queue b in left cpu@f=2\nqueue c in right cpu@f=0\n"
	  "queue d in right cpu@f=4\nrun r in b cpu@f=6 since=1\n"
	  "run s in c cpu@f=4 since=2\nwait x in a cpu=2", 5, "cpu@f=2", "r/InCohortReclamation" },
	/* none that is not needed */
	{ "site fair\n" THREE "run r in b cpu@f=1 since=9\n"
	  "run s in b cpu@f=8 since=8\nwait x in a cpu=3", 10, "cpu@f=3", "s/InCohortReclamation" },
};

static const struct world_case cycles[] = {
	/* a member of a unit leaves b, which then borrows nothing of what is needed: its other
	 * job still is a candidate */
	{ "site fair\ncohort c\nqueue p in c reclaim=any weight=100 cpu@f=10 mem@f=5\n"
	  "queue a in c cpu@f=0 mem@f=0\nqueue b in c weight=2 cpu@f=2 mem@f=0\n"
	  "run a1 in a cpu@f=4 since=1\nrun a2 in a cpu@f=4 prio=1 since=1\n"
	  "run b1 in b cpu@f=3 since=1\nrun b2 in b cpu@f=1 mem@f=5 prio=1 since=1\nunit a1 b1\n"
	  "wait x in p cpu=12 prio=5\n",
	  100, "x:preempting(a1/InCohortFairSharing b2/InCohortFairSharing"
	  " a2/InCohortFairSharing)" },
	/* where usage counts: of equal shares, the queue with the better first candidate */
	{ "site fair lhalf=3600 sampling=60 worth=cpu*1\ncohort r cpu@f=34\n"
	  "cohort k in r weight=2\n"
	  "queue p in k reclaim=any weight=2 cpu@f=0\nqueue s in k cpu@f=0\n"
	  "queue a in r usage cpu@f=0\nqueue b in r usage cpu@f=0\nrun js in s cpu@f=14 since=1\n"
	  "run a1 in a cpu@f=5 prio=0 local=1 since=1\nrun a2 in a cpu@f=5 prio=2 local=2 since=1\n"
	  "run b1 in b cpu@f=5 prio=1 local=1 since=1\n"
	  "run b2 in b cpu@f=5 prio=3 local=2 since=1\nlocal a 1 cpu=1\n"
	  "local a 2 cpu=50\nlocal b 1 cpu=1\nlocal b 2 cpu=50\nwait x in p cpu=15 prio=9\n",
	  100, "x:preempting(js/InCohortFairSharing a2/InCohortFairSharing)" },
};

static void test_fair(void **state)
{
	target_cases(cases, COUNT(cases));
	world_cases(cycles, COUNT(cycles), world_cycle);
}

/* ---- which queue gives next ---- */

#define TOP "site fair\ncohort top cpu@f=90\ncohort left in top\ncohort right in top\n"
#define X "wait x in a cpu=1 prio=5\n"
#define QUEUES TOP "queue a in top within=lower reclaim=any cpu@f=4\n" \
	"queue b in left cpu@f=0\nqueue c in left cpu@f=0\n" \
	"queue d in right cpu@f=0\nqueue e in top cpu@f=0\nqueue f in top cpu@f=2\n" X

/* Told, and which jobs go if all go that may */
static const struct {
	const char *told, *gone;
} orders[] = {
	{ QUEUES, "" },
	/* the largest share, after each that has gone */
	{ QUEUES "run e1 in e cpu@f=3\nrun e2 in e cpu@f=3\nrun f1 in f cpu@f=7", "e1 f1 e2" },
	{ QUEUES "run b1 in b cpu@f=3\nrun b2 in b cpu@f=1\n"
	  "run c1 in c cpu@f=2\nrun e1 in e cpu@f=4\nrun d1 in d cpu@f=5", "b1 d1 e1 c1 b2" },
	/* equal shares: cohorts first, the last one of them; then the better
	 * candidate, then the first queue */
	{ QUEUES "run b1 in b cpu@f=3\nrun d1 in d cpu@f=3\n"
	  "run e1 in e cpu@f=3 prio=1\nrun f1 in f cpu@f=5", "d1 b1 f1 e1" },
	{ QUEUES "run b1 in b cpu@f=3 prio=1\nrun c1 in c cpu@f=3", "c1 b1" },
	{ QUEUES "run f1 in f cpu@f=5\nrun e1 in e cpu@f=3", "f1 e1" },
	{ QUEUES "run e1 in e cpu@f=3\nrun f1 in f cpu@f=5", "e1 f1" },
	/* a queue that does not borrow (any more) gives nothing */
	{ QUEUES "run f1 in f cpu@f=2\nrun e1 in e cpu@f=1", "e1" },
	{ QUEUES "run f1 in f cpu@f=1\nrun f2 in f cpu@f=2", "f1" },
	/* nor do queues that borrow, from a cohort that does not */
	{ TOP "queue a in top within=lower reclaim=any cpu@f=4\n"
	  "queue b in left cpu@f=9\nqueue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun b1 in b cpu@f=1", "" },
	{ TOP "queue a in top within=lower reclaim=any cpu@f=4\n"
	  "queue b in left cpu@f=4\nqueue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun c2 in c cpu@f=3\nrun b1 in b cpu@f=1", "c1" },
	/* but the cohort of x need not borrow, and x's queue neither */
	{ TOP "queue a in left within=lower reclaim=any cpu@f=9\nqueue c in left cpu@f=0\n" X
	  "run c1 in c cpu@f=3\nrun a1 in a cpu@f=1", "c1 a1" },
	/* a queue without a cohort has only itself */
	{ "site fair\nqueue a within=lower cpu@f=4\n" X "run a1 in a cpu@f=1\n"
	  "run a2 in a cpu@f=1 prio=-1", "a2 a1" },
	{ "site fair\nqueue a within=never cpu@f=4\n" X "run a1 in a cpu@f=1", "" },
};

/* x stays within the quota of its queue: all that borrow give, one after the other. */
static void test_order(void **state)
{
	const struct charge charge = { 0, 0, 1 };
	const struct candidates_query query = { .charges = &charge, .ncharges = 1 };

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct world *world = world_create(orders[i].told);
		struct candidates found;
		char gone[64] = "";

		assert_int_equal(engine_candidates(world->engine, world_workload(world, "x"),
						   100, &query, &found), 0);
		for (size_t k = 0; k < found.n; k++)
			strcat(strcat(gone, k ? " " : ""),
			       world_name(world, found.list[k].workload));
		if (strcmp(gone, orders[i].gone))
			fail_msg("case %zu: %s go, not %s", i, gone, orders[i].gone);
		world_destroy(world);
	}
}

TESTS(cmocka_unit_test(test_fair), cmocka_unit_test(test_order))
