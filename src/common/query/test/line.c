/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test line.c - positions, which jobs are behind others, counts
 */
#include "query.h"
#include "world.h"

#define TREE "cohort org\nqueue a in org cpu@f=10+5-6\nqueue b in org cpu@f=4\n"

struct place {
	const char *name;
	int64_t place, total;
};

static void places_are(struct world *world, const struct place *places, size_t n)
{
	int64_t total;

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(engine_place(world->engine, world_workload(world, places[i].name),
					      &total), places[i].place);
		assert_int_equal(total, places[i].total);
	}
}

static void test_place(void **state)
{
	static const struct place places[] = {
		{ "x", 1, 8 }, { "y", 2, 8 },	/* five tasks */
		{ "z", 7, 8 }, { "v", 8, 8 }, { "u", 1, 1 }, { "r", 0, 0 },
	};
	static const struct place after[] = { { "z", 2, 3 } };
	struct world *world = world_create(
		TREE "run r in a cpu@f=1\nwait x in a cpu=9 at=1 local=1\n"
		"wait y in a cpu=1 at=2 tasks=5 local=2\nwait z in a cpu=1 at=3 local=1\n"
		"wait v in a cpu=1 at=4 local=1\nwait u in b cpu=1 local=1\n");

	places_are(world, places, COUNT(places));
	/* the result of a plan does not matter */
	engine_plan(world->engine, 0);
	places_are(world, places, COUNT(places));
	world_tell(world, "start y cpu@f=1\n");
	places_are(world, after, COUNT(after));
	world_destroy(world);
}

/* The one that leads it has the place of both, wherever the other one stands. */
static void test_follower(void **state)
{
	static const struct place places[] = {
		{ "x", 1, 3 }, { "y", 2, 3 }, { "z", 3, 3 }, { "f", 3, 3 },
		{ "o", 0, 0 },	/* its leader is in no queue of it */
	};
	struct world *world = world_create(
		TREE "wait x in a cpu=1 at=1\nwait f in a cpu=1 at=2 follower\n"
		"wait y in a cpu=1 at=3\nwait z in a cpu=1 at=4\n"
		"wait o in b cpu=1 follower\ntogether z f o\n");

	places_are(world, places, COUNT(places));
	world_destroy(world);
}

/* Only where no job passes another, and not behind jobs that never go */
static void test_behind(void **state)
{
	static const struct {
		const char *told;
		bool behind;
	} cases[] = {
		{ "queue a cpu@f=4\nwait x in a cpu=1\nwait z in a cpu=1 at=1", false },
		{ "queue a strict cpu@f=4\nwait x in a cpu=1\nwait z in a cpu=1 at=1", true },
		{ "queue a strict cpu@f=4\nwait z in a cpu=1\nwait x in a cpu=1 at=1", false },
		{ "queue a strict cpu@f=4\nwait x in a cpu=5\n"
		  "wait y in a cpu=1 not=f\nwait z in a cpu=1 at=1", false },
		{ "queue a strict cpu@f=4\nwait x in a cpu=5\n"
		  "wait y in a cpu=1\nwait z in a cpu=1 at=1", true },
		{ "queue a strict cpu@f=4\nwait x in a cpu=1\n"
		  "wait z in a cpu=1 follower at=1\ntogether x z", false },
		{ "queue a strict cpu@f=4\nwait x in a cpu=3\n"
		  "wait y in a cpu=3 follower\ntogether x y\nwait z in a cpu=1 at=1", false },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);

		(void) world_plan(world, 0);
		if (engine_is_behind(world->engine, world_workload(world, "z")) != cases[i].behind)
			fail_msg("%s", cases[i].told);
		world_destroy(world);
	}
}

static void test_counts(void **state)
{
	struct world *world = world_create(TREE "wait x in a cpu=1 tasks=3\nwait y in a cpu=1\n"
		"run r in a cpu@f=1 tasks=2\n");
	int64_t waiting, running;

	engine_counts(world->engine, 0, &waiting, &running);
	assert_int_equal(waiting, 4);
	assert_int_equal(running, 2);
	engine_counts(world->engine, 1, &waiting, &running);
	assert_int_equal(waiting, 0);
	assert_int_equal(running, 0);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_place), cmocka_unit_test(test_follower), cmocka_unit_test(test_behind),
      cmocka_unit_test(test_counts))
