/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test shape.c - waiting workloads that are alike
 */
#include "workload/shape.h"
#include "world.h"

#define QUEUES "queue a cpu@f=4 mem@f=4 cpu@g=4\nqueue b cpu@f=4\n"

/* Whether x and y have the same shape, and whether they ask for the same */
static const struct {
	const char *x, *y;
	bool same, asks_same;
} cases[] = {
	{ "in a cpu=1", "in a cpu=1", true, true },
	{ "in a cpu=1", "in a cpu=1 at=9 tasks=4 starts=2 local=3", true,
	  true },
	{ "in a cpu=1", "in b cpu=1", false, true },
	{ "in a cpu=1", "in a cpu=1 prio=1", false, true },
	{ "in a cpu=1", "in a cpu=2", false, false },
	{ "in a cpu=1", "in a mem=1", false, false },
	{ "in a cpu=1", "in a cpu=1 mem=0", false, false },
	{ "in a cpu=2 count=2", "in a cpu=2 count=1", false, false },
	{ "in a cpu=2 count=2 min=1", "in a cpu=2 count=2", false, false },
	{ "in a cpu=1 not=g", "in a cpu=1", false, false },
	{ "in a cpu=1 not=g", "in a cpu=1 not=g", true, true },
	{ "in a cpu=1 | cpu=1", "in a cpu=1", false, false },
	{ "in a cpu=1 | cpu=2", "in a cpu=2 | cpu=1", false, false },
	{ "in a cpu=1 group=1 | cpu=2", "in a cpu=1 | cpu=2", false, false },
	{ "in a", "in a", true, true },
};

static void test_same(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(QUEUES);
		char text[128];
		const struct shape *x, *y;

		strcat(strcpy(text, "wait x "), cases[i].x);
		world_tell(world, text);
		strcat(strcpy(text, "wait y "), cases[i].y);
		world_tell(world, text);
		x = world_workload(world, "x")->shape;
		y = world_workload(world, "y")->shape;
		assert_int_equal(x == y, cases[i].same);
		assert_int_equal(shape_asks_same(world->engine, x, y),
				 cases[i].asks_same);
		world_destroy(world);
	}
}

static void test_users(void **state)
{
	struct world *world = world_create(
		QUEUES "wait x in a cpu=1\nwait y in a cpu=1\n"
		"wait z in a cpu=2\n");
	struct queue *a = &world->engine->queues[0];

	(void) state;
	assert_int_equal(world->engine->shapes.n, 2);
	assert_int_equal(a->nshapes, 2);
	assert_int_equal(world_workload(world, "x")->shape->users, 2);
	/* a running workload still uses it, but it has one waiting workload
	 * less */
	world_tell(world, "start x cpu@f=1\nstart z cpu@f=1\n");
	assert_int_equal(world->engine->shapes.n, 2);
	assert_int_equal(a->nshapes, 1);
	world_tell(world, "remove z\n");
	assert_int_equal(world->engine->shapes.n, 1);
	world_tell(world, "remove x\nremove y\n");
	assert_int_equal(world->engine->shapes.n, 0);
	assert_int_equal(a->nshapes, 0);
	assert_null(a->shapes);
	world_destroy(world);
}

static void test_alone(void **state)
{
	struct world *world = world_create(QUEUES "wait x in a cpu=1\n");
	struct engine *e = world->engine;
	struct shape *shape = world_workload(world, "x")->shape;
	struct shape *alone = shape_get_like(e, shape, 7);

	(void) state;
	assert_ptr_not_equal(alone, shape);
	assert_ptr_equal(shape_get_like(e, alone, 0), shape);
	assert_ptr_equal(shape_get_like(e, shape, 7), alone);
	assert_true(shape_asks_same(e, shape, alone));
	shape_put(e, shape);
	shape_put(e, alone);
	shape_put(e, alone);
	shape_put(e, NULL);
	assert_int_equal(e->shapes.n, 1);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_users),
		cmocka_unit_test(test_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
