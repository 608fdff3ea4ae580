/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test asked.c - what the waiting shapes of a queue ask for, at least and at most
 */
#include "workload/asked.h"
#include "workload/shape.h"
#include "world.h"

enum { CPU, MEM };

static struct queue *queue_of(struct world *world)
{
	return &world->engine->queues[0];
}

static void test_bounds(void **state)
{
	struct world *world = world_create("queue a cpu@f=9 mem@f=9\n"
		"wait x in a cpu=2 mem=5\nwait y in a cpu=3\nwait z in a cpu=2 mem=7\n");
	struct queue *q = queue_of(world);

	(void) state;
	assert_true(asked_all_above(q, CPU, 1));
	assert_false(asked_all_above(q, CPU, 2));
	assert_true(asked_none_above(q, CPU, 3));
	assert_false(asked_none_above(q, CPU, 2));
	assert_false(asked_all_above(q, MEM, 0));	/* y asks for none */
	assert_false(asked_none_above(q, MEM, 6));
	/* of two that ask for the least one stays; then the bound is another one */
	world_tell(world, "remove x\n");
	assert_false(asked_all_above(q, CPU, 2));
	world_tell(world, "remove z\n");
	assert_true(asked_all_above(q, CPU, 2));
	assert_false(asked_all_above(q, CPU, 3));
	/* a bound from above may be too high */
	assert_true(asked_none_above(q, MEM, 7));
	/* where nobody waits, all that is said of all is true, and the next one counts */
	world_tell(world, "remove y\n");
	assert_true(asked_all_above(q, CPU, 99));
	world_tell(world, "wait v in a cpu=8\n");
	assert_false(asked_all_above(q, CPU, 8));
	assert_true(asked_none_above(q, MEM, 0));
	world_destroy(world);
}

/* All that is not simple is only counted */
static void test_mixed(void **state)
{
	static const char *const mixed[] = {
		"wait x in a cpu=1 fixed\n",
		"wait x in a cpu=1\nblocked x\n",
		"wait x in a gpu=1\n",		/* two flavors */
		"wait x in a gpu=1 cpu=2\n",
		"wait x in a mem=1\n",		/* no flavor */
		"wait x in a cpu=1 not=f\n",
		"wait x in a cpu=2 count=2 min=1\n",
		"wait x in a cpu=1 | cpu=1\n",
		"wait x in a cpu=0\n",
	};

	(void) state;
	for (size_t i = 0; i < sizeof(mixed) / sizeof(*mixed); i++) {
		struct world *world = world_create("queue a cpu@f=9 | gpu@f=9 gpu@g=9\n"
			"queue b mem@f=9\nwait y in a cpu=3\n");
		struct queue *q = queue_of(world);

		world_tell(world, mixed[i]);
		assert_int_equal(q->nmixed, 1);
		assert_true(asked_all_above(q, CPU, 2));
		assert_true(world_workload(world, "y")->shape->simple);
		assert_false(world_workload(world, "x")->shape->simple);
		world_tell(world, "remove x\n");
		assert_int_equal(q->nmixed, 0);
		world_destroy(world);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_mixed),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
