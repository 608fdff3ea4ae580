/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test holding.c - quota in use
 */
#include <errno.h>

#include "core/uses.h"
#include "holding/holding.h"
#include "world.h"

#define TELL "queue a cpu@f=9 mem@g=9\nrun r in a cpu@f=2\nwait x in a cpu=1\n"

static void test_wrong(void **state)
{
	static const struct charge wrong[] = {
		{ -1, 0, 1 }, { 2, 0, 1 }, { 0, -1, 1 }, { 0, 2, 1 },
		{ 0, 0, -1 },
	};
	struct world *world = world_create(TELL);
	uint64_t digest = engine_digest(world->engine);

	for (size_t i = 0; i < COUNT(wrong); i++) {
		errno = 0;
		assert_int_equal(engine_start(world->engine, world_workload(world, "x"),
					      &wrong[i], 1, 0), -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(engine_own(world->engine, world_workload(world, "x"),
					    &wrong[i], 1), -1);
		assert_int_equal(engine_start(world->engine, world_workload(world, "r"),
					      &wrong[i], 1, 0), -1);
		assert_true(engine_digest(world->engine) == digest);
	}
	errno = 0;
	assert_int_equal(engine_requeue(world->engine, world_workload(world, "x"), 0), -1);
	assert_int_equal(errno, EINVAL);
	world_destroy(world);
}

/* A running workload gets other charges, and keeps its start */
static void test_resize(void **state)
{
	struct world *world = world_create(TELL);

	world_tell(world, "start x cpu@f=3 since=50\n");
	assert_int_equal(world_used(world, false, 0, 0, 0), 5);
	world_tell(world, "start x cpu@f=1 since=70\n");
	assert_int_equal(world_used(world, false, 0, 0, 0), 3);
	assert_int_equal(world_workload(world, "x")->held->reserved_at, 50);
	world_tell(world, "start x");
	assert_int_equal(world_used(world, false, 0, 0, 0), 2);
	world_destroy(world);
}

/* No queue has quota for mem of f: it is remembered, but not in the books */
static void test_unknown_pair(void **state)
{
	struct world *world = world_create("queue a cpu@f=9 | mem@g=9\nwait x in a cpu=1\n"
		"start x mem@f=5 cpu@f=1");
	size_t n;

	assert_int_equal(world_used(world, false, 0, 0, 0), 1);
	assert_int_equal(workload_charges(world_workload(world, "x"), &n)->amount, 5);
	assert_int_equal(n, 2);
	assert_int_equal(world_workload(world, "x")->held->nuses, 1);
	world_tell(world, "remove x");
	assert_int_equal(world_used(world, false, 0, 0, 0), 0);
	world_destroy(world);
}

static void test_evicting(void **state)
{
	struct world *world = world_create(TELL);
	struct workload *r = world_workload(world, "r");
	struct workload *x = world_workload(world, "x");

	engine_plan(world->engine, 0);
	engine_evicting(world->engine, x, true);	/* does not run */
	assert_false(workload_evicting(x));
	assert_false(engine_stale(world->engine, 0));
	engine_evicting(world->engine, r, true);
	assert_true(workload_evicting(r));
	assert_true(engine_stale(world->engine, 0));
	engine_plan(world->engine, 0);
	engine_evicting(world->engine, r, true);	/* is already */
	assert_false(engine_stale(world->engine, 0));
	engine_evicting(world->engine, r, false);
	assert_false(workload_evicting(r));
	world_tell(world, "requeue r");
	assert_false(workload_evicting(r));
	world_destroy(world);
}

static void test_pause(void **state)
{
	struct world *world = world_create(TELL "start x cpu@f=1 since=50\n");
	struct workload *x = world_workload(world, "x");

	engine_pause(world->engine, x, 7);
	assert_int_equal(x->held->reserved_at, 57);
	engine_pause(world->engine, x, INT64_MAX);
	assert_int_equal(x->held->reserved_at, INT64_MAX);
	/* one that started "now" stays so */
	engine_pause(world->engine, world_workload(world, "r"), 7);
	assert_int_equal(world_workload(world, "r")->held->reserved_at, 0);
	world_destroy(world);
}

/* A start takes back everything that a waiting workload had */
static void test_start_clears(void **state)
{
	struct world *world = world_create(TELL "own x cpu@f=4\nblocked x\nstart x cpu@f=1\n");
	struct workload *x = world_workload(world, "x");

	assert_int_equal(world_used(world, false, 0, 0, 0), 3);
	assert_false(workload_owns(x));
	assert_false(x->blocked);
	assert_null(x->claim);
	assert_null(world->engine->trees[0].owners);
	assert_int_equal(world->engine->queues[0].nblocked, 0);
	world_tell(world, "requeue x at=5\n");
	assert_string_equal(world_plan(world, 0), "x=start#1");
	world_destroy(world);
}

static void test_uses(void **state)
{
	struct world *world = world_create(TELL);
	struct charge charges[] = { { 1, 1, 3 }, { 1, 0, 2 } };
	struct use uses[2], *copy;
	size_t n;

	assert_int_equal(uses_fill(world->engine, charges, 2, uses, &n), 0);
	assert_int_equal(n, 2);		/* a's group covers cpu@g as well */
	assert_int_equal(uses[0].amount, 3);
	copy = uses_create(world->engine, charges, 0, &n);
	assert_non_null(copy);
	assert_int_equal(n, 0);
	free(copy);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_wrong), cmocka_unit_test(test_resize),
      cmocka_unit_test(test_unknown_pair), cmocka_unit_test(test_evicting),
      cmocka_unit_test(test_pause), cmocka_unit_test(test_start_clears),
      cmocka_unit_test(test_uses))
