/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test pending.c - local queues
 */
#include "workload/workload.h"
#include "world.h"

static void test_users(void **state)
{
	struct world *world = world_create(
		"queue a cpu@f=4 usage\nqueue b cpu@f=4 usage\nwait x in a cpu=1 local=7\n"
		"wait y in a cpu=2 local=7\nwait z in b cpu=1 local=7\n"
		"wait v in a cpu=1 local=-3\n");
	struct engine *e = world->engine;

	/* the same number in another queue is another one */
	assert_int_equal(e->locals.n, 3);
	assert_ptr_equal(world_workload(world, "x")->shape->local,
			 world_workload(world, "y")->shape->local);
	assert_ptr_not_equal(world_workload(world, "x")->shape->local,
			     world_workload(world, "z")->shape->local);
	world_tell(world, "start x cpu@f=1\nremove y\n");
	assert_int_equal(e->locals.n, 3);	/* x may come back */
	world_tell(world, "remove x\nremove v\n");
	assert_int_equal(e->locals.n, 1);
	world_destroy(world);
}

static void test_get(void **state)
{
	struct world *world = world_create("queue a cpu@f=4 usage\n");
	struct engine *e = world->engine;
	struct local *five = local_get(e, &e->queues[0], 5);
	struct local *six = local_get(e, &e->queues[0], 6);

	assert_ptr_not_equal(five, six);
	assert_ptr_equal(local_get(e, &e->queues[0], 5), five);
	local_put(e, five);
	assert_int_equal(e->locals.n, 2);
	local_put(e, five);
	assert_int_equal(e->locals.n, 1);
	local_put(e, six);
	local_put(e, NULL);
	assert_int_equal(e->locals.n, 0);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_users), cmocka_unit_test(test_get))
