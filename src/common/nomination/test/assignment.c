/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test assignment.c - which flavors the pod sets of a workload would get
 */
#include "nomination/nomination.h"
#include "world.h"

#define SMALL "queue a cpu@f=4 mem@f=4 cpu@g=4 mem@g=4\n"

static const struct world_case cases[] = {
	/* a resource that is not covered: only with a request of 0 */
	{ "queue a cpu@f=4\nqueue b gpu@f=1\nwait x in a cpu=1 gpu=1", 0,
	  "nofit [-]" },
	{ "queue a cpu@f=4\nqueue b gpu@f=1\nwait x in a cpu=1 gpu=0", 0,
	  "fit [cpu@f#-1]" },
	/* a request of 0 for a covered one gets a flavor all the same */
	{ SMALL "wait x in a cpu=1 mem=0", 0, "fit [cpu@f#0 mem@f#0]" },
	{ SMALL "wait x in a", 0, "fit []" },
	/* pod sets one after the other; those behind a failure are not tried */
	{ SMALL "wait x in a cpu=4 | cpu=3", 0, "fit [cpu@f#0] [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=3 | cpu=1", 0, "fit [cpu@f#0] [cpu@f#0]" },
	{ SMALL "wait x in a cpu=3 | cpu=5 | cpu=1", 0,
	  "nofit [cpu@f#0] [-]" },
	{ SMALL "wait x in a cpu=3 | cpu=3 not=f | cpu=2", 0,
	  "nofit [cpu@f#0] [cpu@g#-1] [-]" },
	/* pod sets of a group get theirs together */
	{ SMALL "wait x in a cpu=2 group=1 | mem=2 group=1", 0,
	  "fit [cpu@f#0] [mem@f#0]" },
	{ SMALL "wait x in a cpu=2 group=1 | mem=2 group=1 not=f", 0,
	  "fit [cpu@g#-1] [mem@g#-1]" },
	{ SMALL "wait x in a cpu=3 group=1 | cpu=3 group=1", 0,
	  "nofit [-] [-]" },
	/* amounts that differ by flavor: too much for the first one */
	{ SMALL "wait x in a cpu=2 cpu@f=5", 0, "fit [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 cpu@g=5", 0, "fit [cpu@f#0]" },
	{ SMALL "wait x in a cpu=5 cpu@g=4", 0, "fit [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 mem=2 mem@f=5", 0,
	  "fit [cpu@g#-1 mem@g#-1]" },
	/* also where pod sets get theirs together, or add up */
	{ SMALL "wait x in a cpu=2 cpu@f=3 group=1 | cpu=2 group=1", 0,
	  "fit [cpu@g#-1] [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 cpu@f=3 | cpu=2", 0,
	  "fit [cpu@f#0] [cpu@g#-1]" },
};

static void test_podsets(void **state)
{
	(void) state;
	world_cases(cases, COUNT(cases), world_assign);
}

/* The members of a group are listed at the place of the first one */
static void test_group_order(void **state)
{
	struct world *world = world_create(
		SMALL "wait x in a cpu=1 group=1 | cpu=3 | cpu=1 group=1");
	const struct assignment *a
		= engine_assign(world->engine, world_workload(world, "x"), 0,
				NULL);

	(void) state;
	assert_int_equal(a->npodsets, 3);
	assert_int_equal(a->podsets[0].index, 0);
	assert_int_equal(a->podsets[1].index, 2);
	assert_int_equal(a->podsets[2].index, 1);
	world_destroy(world);
}

static void test_usage(void **state)
{
	struct world *world = world_create(
		SMALL "run r in a cpu@f=2 mem@f=1\n"
		"wait x in a cpu=1 mem=1 | cpu=1 mem=3 | mem=1");
	const struct assignment *a
		= engine_assign(world->engine, world_workload(world, "x"), 0,
				NULL);
	static const struct charge expected[] = {
		{ 0, 0, 1 }, { 0, 1, 2 }, { 1, 0, 1 }, { 1, 1, 3 },
	};

	(void) state;
	assert_int_equal(a->mode, MODE_FIT);
	assert_int_equal(a->nusage, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_int_equal(a->usage[i].flavor, expected[i].flavor);
		assert_int_equal(a->usage[i].resource, expected[i].resource);
		assert_int_equal(a->usage[i].amount, expected[i].amount);
		assert_false(a->needs[i]);
	}
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_podsets),
		cmocka_unit_test(test_group_order),
		cmocka_unit_test(test_usage),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
