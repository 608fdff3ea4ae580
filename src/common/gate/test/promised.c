/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test promised.c - flavors and victims for a workload at the gate
 */
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

static const struct world_case nominations[] = {
	{ TWO "wait x in a cpu=9", 0, "nofit" },
	{ TWO "wait x in a cpu=3", 0, "fit cpu@f=3" },
	{ TWO "wait x in a cpu=5", 0, "fit+1 cpu@f=5" },
	{ TWO "run r in b cpu@f=8\nwait x in a cpu=3", 0,
	  "preempt cpu@f=3 for r/InCohortReclamation" },
	{ TWO "run r in b cpu@f=4\nrun s in a cpu@f=4\nwait x in a cpu=3", 0, "preempt+1 cpu@f=3" },
	/* one task of an array */
	{ TWO "wait x in a cpu=3 tasks=5", 0, "fit cpu@f=3" },
	/* fewer pods, if it can do with fewer */
	{ TWO "run r in b cpu@f=4\nwait x in a cpu=8 count=4 min=1", 0, "fit cpu@f=4" },
	{ "site nopartial\n" TWO "run r in b cpu@f=4\nwait x in a cpu=8 count=4 min=1", 0,
	  "nofit" },
	/* what it owns is lifted, and what was owned after it */
	{ TWO "run r in b cpu@f=4\nwait x in a cpu=4\nown x cpu@f=4", 0, "fit cpu@f=4" },
	{ TWO "run r in b cpu@f=4\nwait x in a cpu=4\nwait y in a cpu=4\n"
	  "own x cpu@f=4\nown y cpu@f=4", 0, "fit cpu@f=4" },
	{ TWO "run r in b cpu@f=4\nwait x in a cpu=4\nwait y in a cpu=4\n"
	  "own y cpu@f=4\nown x cpu@f=4", 0, "preempt+1 cpu@f=4" },
	/* a component waits for the victims of the others, whoever may evict them; no other
	 * job does */
	{ TWO "run r in a cpu@f=6 evicting\nwait x in a cpu=3\nwait y in b cpu=4\n"
	  "own y cpu@f=4", 0, "preempt+1 cpu@f=3" },
	{ TWO "run r in a cpu@f=6 evicting\nwait x in a cpu=3\nwait y in b cpu=4\n"
	  "own y cpu@f=4\ntogether y x", 0, "preempt cpu@f=3 for r/InCohortReclamation" },
	/* ... and may evict others, too */
	{ TWO "run r in a cpu@f=5 evicting\nrun s in a cpu@f=1 prio=-1\nwait x in a cpu=4\n"
	  "wait y in b cpu=4\nown y cpu@f=4\ntogether y x", 0,
	  "preempt cpu@f=4 for r/InCohortReclamation s/InClusterQueue" },
	{ "queue a cpu@f=4 cpu@g=4\nwait x in a cpu=2", 0, "fit cpu@f=2" },
};

static void test_nominate(void **state)
{
	world_cases(nominations, COUNT(nominations), world_nominate_x);
}

static void test_flavor_ok(void **state)
{
	struct world *world = world_create("queue a cpu@f=4 cpu@g=4\nwait x in a cpu=2");
	bool ok[] = { false, true };
	struct nomination nom;

	assert_int_equal(engine_nominate(world->engine, world_workload(world, "x"), 0, ok,
					 &nom), 0);
	assert_int_equal(nom.mode, MODE_FIT);
	assert_int_equal(nom.charges[0].flavor, 1);
	ok[1] = false;
	assert_int_equal(engine_nominate(world->engine, world_workload(world, "x"), 0, ok,
					 &nom), 0);
	assert_int_equal(nom.mode, MODE_NOFIT);
	world_destroy(world);
}

static const char *const stories[] = {
	/* what the last plan keeps from other queues is kept here too */
	TWO "wait x in a cpu=3\nwait y in b cpu=6\nblocked x\nnominate y 0 fit+1 cpu@f=6\n"
	"plan 0 x=start#1 y=order\nnominate y 0 nofit\nnominate x 0 fit cpu@f=3",
	/* by the plan x evicts r; y, which may not, goes with it */
	TWO "run r in a cpu@f=8\nwait x in b cpu=3\nwait y in a cpu=4\ntogether x y\n"
	"nominate y 0 preempt+1 cpu@f=4\nplan 0 x=preempt#1(1) y=preempting(1)\n"
	"nominate y 0 preempt cpu@f=4 for r/InCohortReclamation",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_nominate),
      cmocka_unit_test(test_flavor_ok))
