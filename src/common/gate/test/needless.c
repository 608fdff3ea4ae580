/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test needless.c - victims that are not needed in the end
 */
#include "world.h"

static void test_drop_needless(void **state)
{
	static const struct {
		const char *charges;
		bool keep[3];
		const char *left;
	} cases[] = {
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
	struct world *world = world_create("queue a within=lower cpu@f=6\nrun r in a cpu@f=2\n"
		"run s in a cpu@f=3\nrun t in a cpu@f=1\nwait x in a cpu=1 prio=1");

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_string_equal(world_needless(world, "r s t", VICTIM_IN_CLUSTER_QUEUE,
						   cases[i].charges, cases[i].keep), cases[i].left);
	}
	world_destroy(world);
}

/* A victim that is on the way out anyway is put back last. */
static void test_drop_evicting(void **state)
{
	struct world *world = world_create("queue a within=lower cpu@f=3\nrun r in a cpu@f=2\n"
		"run t in a cpu@f=1 evicting\nwait x in a cpu=1 prio=1");

	assert_string_equal(world_needless(world, "r t", VICTIM_IN_CLUSTER_QUEUE, "cpu@f=1", NULL),
			    "t/InClusterQueue");
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_drop_needless), cmocka_unit_test(test_drop_evicting))
