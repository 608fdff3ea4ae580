/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test verdict.c - what a plan says about a workload
 */
#include "plan/plan.h"
#include "workload/waiting.h"
#include "world.h"

#define TELL "queue a cpu@f=4\nqueue b cpu@f=4\n" \
	"wait x in a cpu=1\nwait y in b cpu=1\nwait z in b cpu=1\n"

static void test_start(void **state)
{
	struct world *world = world_create(TELL);
	struct workload *x = world_workload(world, "x");
	struct plan p = { .e = world->engine, .trees = world->engine->trees };
	const struct verdict *v;
	uint64_t rank;

	verdict_start(&p, x, false);
	v = &workload_decision(x)->verdict;
	assert_int_equal(v->kind, VERDICT_START);
	assert_int_equal(v->starts, 1);
	assert_false(v->borrowing);
	rank = v->rank;
	verdict_start(&p, x, true);		/* another task */
	assert_int_equal(v->starts, 2);
	assert_true(v->borrowing);
	assert_int_equal(v->rank, rank);
	world_destroy(world);
}

static void test_wait(void **state)
{
	struct world *world = world_create(TELL);
	struct workload *x = world_workload(world, "x");
	struct plan p = { .e = world->engine, .trees = world->engine->trees };
	const struct verdict *v;

	verdict_wait(&p, x, WAIT_IS_PREEMPTING, 3);
	v = &workload_decision(x)->verdict;
	assert_int_equal(v->kind, VERDICT_WAIT);
	assert_int_equal(v->reason, WAIT_IS_PREEMPTING);
	assert_int_equal(v->nvictims, 3);
	assert_int_equal(v->flavor, SPEC_NONE);
	world_destroy(world);
}

static uint64_t rank_of(const struct world *world, const char *name)
{
	const struct verdict *v = engine_verdict(world->engine, world_workload(world, name));

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
	assert_int_equal(engine_verdict(e, world_workload(world, "v"))->kind, VERDICT_NONE);
	assert_int_equal(engine_verdict(e, world_workload(world, "x"))->kind, VERDICT_NONE);
	world_tell(world, "requeue x\n");
	assert_int_equal(engine_verdict(e, world_workload(world, "x"))->kind, VERDICT_NONE);
	engine_plan(e, 0);
	assert_int_equal(engine_verdict(e, world_workload(world, "x"))->kind, VERDICT_START);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_start), cmocka_unit_test(test_wait), cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_none))
