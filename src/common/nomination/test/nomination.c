/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test nomination.c - flavors and victims for a whole workload
 */
#include "world.h"

static const char *ask(struct world *world, int64_t now)
{
	return world_nominate(world, "x", now);
}

#define PARTIAL(count) "queue a within=lower cpu@f=10\nrun r in a cpu@f=4\nwait x in a " count

static const struct world_case cases[] = {
	/* each resource is to be had alone, both together are not */
	{ "queue a within=lower cpu@f=4 mem@f=4\nrun r in a cpu@f=4 prio=-1\nrun s in a mem@f=4\n"
	  "wait x in a cpu=1 mem=1", 0, "preempt cpu@f=1 mem@f=1" },
	{ "queue a within=lower cpu@f=4 mem@f=4\n"
	  "run r in a cpu@f=4 prio=-1\nrun s in a mem@f=4 prio=-2\nwait x in a cpu=1 mem=1", 0,
	  "preempt cpu@f=1 mem@f=1 for s/InClusterQueue r/InClusterQueue" },
	/* only where preemption is needed */
	{ "queue a within=lower cpu@f=4 mem@f=4\n"
	  "run r in a cpu@f=4 prio=-1\nrun s in a mem@f=3 prio=-2\nwait x in a cpu=1 mem=1", 0,
	  "preempt cpu@f=1 mem@f=1 for r/InClusterQueue" },
	{ "queue a cpu@f=4\nwait x in a cpu=5", 0, "nofit" },
	{ PARTIAL("cpu=12 count=6"), 0, "nofit" },
	{ PARTIAL("cpu=12 count=6 min=4"), 0, "nofit" },
	{ PARTIAL("cpu=12 count=6 min=3"), 0, "fit cpu@f=6" },
	{ PARTIAL("cpu=12 count=6 min=1"), 0, "fit cpu@f=6" },
	{ PARTIAL("cpu=6 count=6 min=1"), 0, "fit cpu@f=6" },
	/* exactly the smallest count */
	{ PARTIAL("cpu=60 count=10 min=1"), 0, "fit cpu@f=6" },
	{ PARTIAL("cpu=70 count=10 min=1"), 0, "nofit" },
	/* fewer pods with victims rather than none at all */
	{ "queue a within=lower cpu@f=10\nrun r in a cpu@f=4\n"
	  "run s in a cpu@f=6 prio=-1\nwait x in a cpu=10 count=10 min=2", 0,
	  "preempt cpu@f=6 for s/InClusterQueue" },
	/* several pod sets are reduced in proportion */
	{ PARTIAL("cpu=8 count=8 min=4 | cpu=4 count=4 min=2"), 0, "fit cpu@f=6" },
	{ PARTIAL("cpu=8 count=8 min=2 | cpu=4 count=4"), 0, "fit cpu@f=6" },
	{ "site nopartial\n" PARTIAL("cpu=12 count=6 min=1"), 0, "nofit" },
};

static void test_cases(void **state)
{
	world_cases(cases, COUNT(cases), ask);
}

TESTS(cmocka_unit_test(test_cases))
