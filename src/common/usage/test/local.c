/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test local.c - what local queues have used, and their scores
 */
#include <errno.h>

#include "query.h"
#include "usage/local.h"
#include "world.h"

static double past_of(const struct world *world, int local, int resource)
{
	struct usage_history h;

	assert_true(engine_local_history(world->engine, 0, local, resource, &h));
	return h.past;
}

static double score_of(const struct world *world, int local)
{
	struct engine *e = world->engine;

	usage_see(e, &e->trees[0], e->now);
	return local_known(e, &e->queues[0], local)->key;
}

/* Example 8; h and P in seconds here */
static void test_start(void **state)
{
	struct world *week = world_create(
		"site lhalf=604800 sampling=300\nqueue a usage cpu@f=100\n"
		"now 1000\nrun r in a local=1 cpu@f=64");
	struct world *hour = world_create("site lhalf=3600 sampling=300\nqueue a usage cpu@f=100\n"
		"now 1000\nrun r in a local=1 cpu@f=64");

	assert_true(fabs(past_of(week, 1, 0) - 0.0220008900) < 1e-10);
	assert_true(fabs(past_of(hour, 1, 0) - 3.5920439884) < 1e-10);
	world_tell(week, "now 8200\nremove r");
	world_tell(hour, "now 4600");
	assert_true(fabs(past_of(week, 1, 0) - 0.5477592844) < 1e-10);
	(void) score_of(hour, 1);
	assert_true(fabs(past_of(hour, 1, 0) - 33.7960220) < 1e-7);
	world_destroy(week);
	world_destroy(hour);
}

/* All that changes what is charged counts: no event is missed. */
static void test_events(void **state)
{
	struct world *world = world_create("site lhalf=100 sampling=0\nqueue a usage cpu@f=100\n"
		"queue b cpu@f=9\nnow 1000\nrun r in a local=1 cpu@f=8\n"
		"now 1100\nstart r cpu@f=16\nnow 1200\nrequeue r\nnow 1300\n");
	struct usage_history h;

	/* 4, then 10, then 5 */
	(void) score_of(world, 1);
	assert_true(is_near(past_of(world, 1, 0), 5));
	world_tell(world, "start r cpu@f=10\nnow 1400");
	/* of another local queue from now on, where it has a history */
	world_tell(world, "update r in a local=2 cpu=10\nnow 1500");
	(void) score_of(world, 1);
	assert_true(is_near(past_of(world, 1, 0), (5 / 2. + 5) / 2));
	assert_true(is_near(past_of(world, 2, 0), 5));
	/* in a queue where usage does not count nothing is kept */
	world_tell(world, "run s in b local=7 cpu@f=8");
	assert_false(engine_local_history(world->engine, 1, 7, 0, &h));
	world_tell(world, "remove r\nremove s");
	assert_non_null(local_known(world->engine, &world->engine->queues[0], 2));
	/* it is forgotten when nothing is left of it */
	world_tell(world, "now 9999999");
	usage_see(world->engine, &world->engine->trees[0], 9999999);
	assert_null(local_known(world->engine, &world->engine->queues[0], 2));
	world_destroy(world);
}

#define CAP "queue a usage cpu@f=128 cpu@g=128 gpu@f=32\n" \
	"local a 1 cpu=64 gpu=8\nlocal a 2 weight=2 cpu=96 gpu=12\nlocal a 3 weight=0\n"

static void test_score(void **state)
{
	static const struct {
		const char *told;
		int local;
		double score;
	} cases[] = {
		/* example 9 */
		{ "site lhalf=3600\n" CAP, 1, 500 },
		{ "site lhalf=3600\n" CAP, 2, 375 },
		{ "site lhalf=3600\n" CAP, 3, HUGE_VAL },
		{ "site lhalf=3600 worth=gpu*3\n" CAP, 1, 1000 },
		/* a resource of which the queue can have nothing counts for nothing */
		{ "site lhalf=3600\nqueue a usage cpu@f=100 gpu@f=0\n"
		  "local a 1 cpu=10 gpu=5", 1, 100 },
		/* what it can have for a time counts at that time */
		{ "site lhalf=3600\nqueue a usage cpu@f=100 gpu@f=0\n"
		  "period a gpu@f=10 from=3600 until=7200\nlocal a 1 cpu=10 gpu=5", 1, 600 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);

		assert_true(score_of(world, cases[i].local) == cases[i].score);
		world_destroy(world);
	}
}

static void test_refused(void **state)
{
	struct world *world = world_create("site fair half=60 lhalf=60\n"
		"cohort lab\nqueue a in lab usage cpu@f=8\n");
	struct engine *e = world->engine;
	static const struct usage_history wrong[] = {
		{ .past = -1 }, { .amount = -1 }, { .past = HUGE_VAL },
		{ .past = NAN },
	};
	const struct usage_history right = { .past = 1 };

	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(engine_restore_history(e, false, 0, 0, &wrong[i]), -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(engine_restore_local(e, 0, 1, 0, &wrong[i]), -1);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(engine_restore_history(e, false, 1, 0, &right), -1);
	assert_int_equal(engine_restore_history(e, false, 0, 1, &right), -1);
	assert_int_equal(engine_restore_history(e, true, 1, 0, &right), -1);
	assert_int_equal(engine_restore_local(e, 1, 0, 0, &right), -1);
	assert_int_equal(engine_restore_local(e, 0, 0, -1, &right), -1);
	assert_int_equal(engine_weigh_local(e, 0, 0, -1), -1);
	assert_int_equal(engine_weigh_local(e, 0, 0, NAN), -1);
	assert_int_equal(engine_weigh_local(e, 9, 0, 1), -1);
	assert_null(e->queues[0].locals);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_start), cmocka_unit_test(test_events), cmocka_unit_test(test_score),
      cmocka_unit_test(test_refused))
