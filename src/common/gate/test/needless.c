/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test needless.c - victims that are not needed in the end
 */
#include "world.h"

static void test_drop_needless(void **state)
{
	static const struct needless_case cases[] = {
		{ "cpu@f=0", { 0 }, "" },
		{ "cpu@f=1", { 0 }, "r/InClusterQueue" },
		{ "cpu@f=1", { 0, 1, 0 }, "s/InClusterQueue" },
		{ "cpu@f=1", { 0, 0, 1 }, "t/InClusterQueue" },
		{ "cpu@f=4", { 0 }, "r/InClusterQueue s/InClusterQueue" },
		{ "cpu@f=4", { 0, 0, 1 }, "s/InClusterQueue t/InClusterQueue" },
		{ "cpu@f=6", { 0 }, "r/InClusterQueue s/InClusterQueue t/InClusterQueue" },
		/* not even all of them are enough: none is dropped */
		{ "cpu@f=9", { 0 }, "r/InClusterQueue s/InClusterQueue t/InClusterQueue" },
	};
	/* a victim that is on the way out anyway is put back last */
	static const struct needless_case evicting[] = { { "cpu@f=1", { 0 }, "t/InClusterQueue" } };

	needless_cases("queue a within=lower cpu@f=6\nrun r in a cpu@f=2\nrun s in a cpu@f=3\n"
		       "run t in a cpu@f=1\nwait x in a cpu=1 prio=1", "r s t",
		       VICTIM_IN_CLUSTER_QUEUE, cases, COUNT(cases));
	needless_cases("queue a within=lower cpu@f=3\nrun r in a cpu@f=2\n"
		       "run t in a cpu@f=1 evicting\nwait x in a cpu=1 prio=1", "r t",
		       VICTIM_IN_CLUSTER_QUEUE, evicting, COUNT(evicting));
}

TESTS(cmocka_unit_test(test_drop_needless))
