/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test pending.c - the order inside a queue
 */
#include "workload/workload.h"
#include "world.h"

#define BEST "queue a cpu@f=9\n"
#define STRICT "queue a strict cpu@f=9\n"

static const struct world_case cases[] = {
	{ BEST "wait x in a at=2\nwait y in a at=1\nwait z in a at=3", 0, "y x z" },
	{ BEST "wait x in a at=1\nwait y in a at=2 prio=1\nwait z in a at=1 prio=-1", 0, "y x z" },
	{ BEST "wait x in a at=1\nwait y in a at=1\nwait z in a at=1", 0, "x y z" },
	/* the owner of freed quota is next, but not in StrictFIFO */
	{ BEST "wait x in a at=1\nwait y in a at=2\nown y cpu@f=1", 0, "y x" },
	{ STRICT "wait x in a at=1\nwait y in a at=2\nown y cpu@f=1", 0, "x y" },
	{ BEST "wait x in a at=1\nwait y in a at=2\nown y cpu@f=1\ndisown y", 0, "x y" },
	{ BEST "wait x in a prio=9\nwait y in a at=2\nwait z in a at=1\n"
	  "own y cpu@f=1\nown z cpu@f=1", 0, "z y x" },
	/* a job that was evicted comes back to its place, or to another one */
	{ BEST "run x in a cpu@f=1\nwait y in a at=2\nrequeue x at=1", 0, "x y" },
	{ BEST "run x in a cpu@f=1\nwait y in a at=2\nrequeue x at=3", 0, "y x" },
	{ BEST "wait x in a at=1\nwait y in a at=2\nupdate x in a at=9", 0, "y x" },
};

static const char *ask(struct world *world, int64_t now)
{
	world->text[0] = '\0';
	for_each_waiting(w, &world->engine->queues[0]) {
		if (world->text[0])
			strcat(world->text, " ");
		strcat(world->text, world_name(world, w));
	}
	return world->text;
}

static void test_order(void **state)
{
	world_cases(cases, COUNT(cases), ask);
}

static void test_before(void **state)
{
	struct world *world = world_create(BEST "wait x in a\nwait y in a\n");
	const struct workload *x = world_workload(world, "x");
	const struct workload *y = world_workload(world, "y");

	assert_true(workload_before(x, y));
	assert_false(workload_before(y, x));
	assert_false(workload_before(x, x));
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_order), cmocka_unit_test(test_before))
