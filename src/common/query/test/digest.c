/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test digest.c - equal books, equal digest
 */
#include "world.h"

#define TREE "cohort org\nqueue a in org cpu@f=10+5-6\nqueue b in org cpu@f=4\n"

/* Every difference changes the digest */
static void test_digest(void **state)
{
	static const char *const changes[] = {
		"wait z in b cpu=1\n", "remove x\n", "start x cpu@f=1\n",
		"start r cpu@f=2\n", "evicting r\n", "own x cpu@f=1\n",
		"update x in a cpu=1 prio=4\n", "update x in b cpu=1\n",
		"update x in a cpu=1 tasks=2\n", "update x in a cpu=1 at=1\n",
		"pause s for=1\n", "requeue r\n",
	};

	for (size_t i = 0; i < COUNT(changes); i++) {
		struct world *world = world_create(TREE "wait x in a cpu=1\nrun r in a cpu@f=1\n"
			"run s in b cpu@f=1 since=5\n");
		uint64_t before = engine_digest(world->engine);

		world_tell(world, changes[i]);
		assert_true(engine_digest(world->engine) != before);
		world_destroy(world);
	}
}

/* Quotas of another time */
static void test_date(void **state)
{
	struct world *world = world_create(TREE "period b cpu@f=4 from=5 until=9\n");
	uint64_t before = engine_digest(world->engine);

	engine_plan(world->engine, 4);
	assert_true(engine_digest(world->engine) == before);
	assert_int_equal(engine_next_expiry(world->engine), 5);
	assert_false(engine_stale(world->engine, 4));
	assert_true(engine_stale(world->engine, 5));
	assert_int_equal(engine_plan(world->engine, 5), 1);
	assert_true(engine_digest(world->engine) != before);
	assert_int_equal(engine_next_expiry(world->engine), 9);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_digest), cmocka_unit_test(test_date))
