/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test verdict.c - what a plan says about a workload
 */
#include "world.h"

#define TELL "queue a cpu@f=4\nqueue b cpu@f=4\n" \
	"wait x in a cpu=1\nwait y in b cpu=1\nwait z in b cpu=1\n"

static uint64_t rank_of(const struct world *world, const char *name)
{
	const struct verdict *v = world_verdict(world, name);

	assert_int_equal(v->kind, VERDICT_START);
	return v->rank;
}

/* Ranks of two trees compare the same, whichever was planned last */
static void test_ranks(void **state)
{
	struct world *world = world_create(TELL);
	struct engine *e = world->engine;
	uint64_t x, y, z;

	engine_plan(e, 0);
	x = rank_of(world, "x");
	y = rank_of(world, "y");
	z = rank_of(world, "z");
	assert_true(x < y && y < z);
	world_tell(world, "update x in a cpu=2\n");
	engine_plan(e, 0);
	assert_int_equal(rank_of(world, "x"), x);
	world_tell(world, "update y in b cpu=2\n");
	engine_plan(e, 0);
	assert_int_equal(rank_of(world, "y"), y);
	assert_int_equal(rank_of(world, "z"), z);
	world_destroy(world);
}

/* Nothing is said about a job that has not been planned, or runs */
static void test_none(void **state)
{
	struct world *world = world_create(TELL);
	struct engine *e = world->engine;

	engine_plan(e, 0);
	world_tell(world, "wait v in a cpu=1\nstart x cpu@f=1\n");
	assert_int_equal(world_verdict(world, "v")->kind, VERDICT_NONE);
	assert_int_equal(world_verdict(world, "x")->kind, VERDICT_NONE);
	world_tell(world, "requeue x\n");
	assert_int_equal(world_verdict(world, "x")->kind, VERDICT_NONE);
	engine_plan(e, 0);
	assert_int_equal(world_verdict(world, "x")->kind, VERDICT_START);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_ranks), cmocka_unit_test(test_none))
