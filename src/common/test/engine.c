/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test engine.c - setting up and taking down; trials
 */
#include <errno.h>

#include "core/engine_state.h"
#include "world.h"

static void test_destroy(void **state)
{
	errno = 17;
	engine_destroy(NULL);
	assert_int_equal(errno, 17);
}

static void test_empty(void **state)
{
	struct spec *spec = spec_create();
	struct engine *e = engine_create(spec);

	assert_non_null(e);
	assert_false(engine_stale(e, 0));
	assert_false(engine_plan(e, 0));
	assert_int_equal(engine_next_expiry(e), 0);
	engine_destroy(e);
	spec_destroy(spec);
}

/* The spec may be changed and freed after */
static void test_spec_is_copied(void **state)
{
	struct world *world = world_create(
		"cohort org\nqueue a in org within=lower cpu@f=4 | mem@g=2\n");
	struct spec *other = spec_create();
	struct spec *spec = world->spec;

	spec->queues[0].groups[0].flavors[0] = 1;
	spec->queues[0].within = POLICY_NEVER;
	world->spec = other;
	spec_flavor(other, "f");
	spec_flavor(other, "g");
	spec_resource(other, "cpu");
	spec_resource(other, "mem");
	spec_add_queue(other, "a");
	spec_destroy(spec);
	world_tell(world, "run r in a cpu@f=4 prio=-1\nwait x in a cpu=1\n");
	assert_string_equal(world_nominate(world, "x", 0), "preempt cpu@f=1 for r/InClusterQueue");
	world_destroy(world);
}

static void test_trees(void **state)
{
	struct world *world = world_create("cohort org\ncohort ml in org\ncohort lone\n"
		"queue a in ml cpu@f=1\nqueue b cpu@f=1\nqueue c in org cpu@f=1\n");
	const struct engine *e = world->engine;

	assert_int_equal(e->ntrees, 3);		/* org, lone, b */
	assert_int_equal(e->trees[0].nqueues, 2);
	assert_ptr_equal(e->trees[0].queues[1], &e->queues[2]);
	assert_int_equal(e->trees[1].nqueues, 0);
	assert_ptr_equal(e->queues[1].tree, &e->trees[2]);
	world_destroy(world);
}

/* A resource belongs to the first group that covers it */
static void test_groups(void **state)
{
	struct world *world = world_create("queue a cpu@f=1 | cpu@g=1 mem@g=1\nqueue b gpu@h=1\n");
	const struct queue *a = &world->engine->queues[0];

	assert_int_equal(a->group_of[0], 0);
	assert_int_equal(a->group_of[1], 1);
	assert_int_equal(a->group_of[2], SPEC_NONE);
	world_destroy(world);
}

/* An event in one tree does not make another tree stale */
static void test_stale(void **state)
{
	struct world *world = world_create("queue a cpu@f=1\nqueue b cpu@f=1\nwait x in a cpu=1\n"
					   "wait y in b cpu=1\n");
	struct engine *e = world->engine;
	uint64_t plan;

	assert_true(engine_stale(e, 0));
	assert_int_equal(world_verdict(world, "x")->kind, VERDICT_NONE);
	assert_true(engine_plan(e, 0));
	assert_false(engine_stale(e, 0));
	plan = e->trees[0].plan;
	world_tell(world, "start y cpu@f=1\n");
	assert_true(engine_stale(e, 0));
	assert_true(engine_plan(e, 0));
	assert_int_equal(e->trees[0].plan, plan);
	assert_true(e->trees[1].plan > plan);
	assert_false(engine_plan(e, 0));
	world_destroy(world);
}

static void test_scratch(void **state)
{
	struct world *world = world_create("queue a cpu@f=1\n");
	struct engine *e = world->engine;
	int *p = scratch_reserve(e, SCRATCH_USES, 3, sizeof(*p));

	for (int i = 0; i < 3; i++)
		p[i] = i;
	p = scratch_reserve(e, SCRATCH_USES, 100000, sizeof(*p));
	for (int i = 0; i < 3; i++)
		assert_int_equal(p[i], i);
	assert_ptr_equal(scratch_reserve(e, SCRATCH_USES, 5, sizeof(*p)), p);
	assert_non_null(scratch_reserve(e, SCRATCH_USES, 0, sizeof(*p)));
	assert_false(e->no_memory);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_destroy), cmocka_unit_test(test_empty),
      cmocka_unit_test(test_spec_is_copied), cmocka_unit_test(test_trees),
      cmocka_unit_test(test_groups), cmocka_unit_test(test_stale),
      cmocka_unit_test(test_scratch))
