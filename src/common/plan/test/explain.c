/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test explain.c - why shapes wait, and whether the reason is that of the plan before
 */
#include "world.h"

static const char *const stories[] = {
	/* x goes first, so y only waits for its turn; and not in the next plan */
	"cohort c cpu@f=2\nqueue a in c cpu@f=0\nqueue b in c cpu@f=2\n"
	"run r in a cpu@f=2\nrun s in b cpu@f=2\nwait x in a cpu=2 at=1\nwait y in a cpu=1 at=2\n"
	"plan 100 x=quota(cpu@f,need=2,free=0) y=quota(cpu@f,need=1,free=0)\n"
	"remove r\nplan 100 x=start#1+ y=order\n"
	"start x cpu@f=2\nplan 100 y=quota(cpu@f,need=1,free=0)\n"
	"remove x\nrun t in a cpu@f=1\nwait z in a cpu=2 at=0\n"
	"plan 100 y=start#1+ z=quota(cpu@f,need=2,free=0)",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories))
