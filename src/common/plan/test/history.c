/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test usage history over time - queues take turns, bursts are made good
 *
 * Nothing but the engine's own times decides when a plan is made.
 */
#include "world.h"

#define HOUR (3600 * SPEC_SEC)

/* Two queues, of which each wants all of 8, from an idle start on. Writes how
 * many seconds each turn lasts; how many turns there were until `end`. */
static size_t turns_play(const char *queues, int64_t end, double *turns, size_t size)
{
	int64_t now = HOUR, began = now;
	struct world *world;
	size_t n = 0;
	int holder = 0;
	char told[512];

	snprintf(told, sizeof(told), "site fair half=3600000000000\n"
		 "cohort lab cpu@f=8\n%snow 3600000000000\nwait j0 in a cpu=8\nwait j1 in b cpu=8\n"
		 "start j0 cpu@f=8 since=1\n", queues);
	world = world_create(told);
	while (now < end && n < size) {
		struct workload *w = world->workloads[!holder];
		char line[64];

		engine_plan(world->engine, now);
		if (engine_verdict(world->engine, w)->kind == VERDICT_PREEMPT) {
			turns[n++] = (double) (now - began) / SPEC_SEC;
			began = now;
			snprintf(line, sizeof(line), "requeue j%d\n"
				 "start j%d cpu@f=8 since=1", holder, !holder);
			world_tell(world, line);
			holder = !holder;
			engine_plan(world->engine, now);
		}
		now = engine_next_expiry(world->engine);
		assert_true(now > began);
		engine_advance(world->engine, now);
	}
	world_destroy(world);
	return n;
}

/* Example 7 */
static void test_turns(void **state)
{
	double turns[200];
	size_t n = turns_play("queue a in lab reclaim=any cpu@f=0\n"
			      "queue b in lab reclaim=any cpu@f=0\n",
			      200 * HOUR, turns, COUNT(turns));

	assert_in_range(n, 190, 200);
	assert_true(turns[0] == 1495);
	assert_true(turns[1] == 2908);
	assert_true(turns[2] == 3216);
	assert_in_range((int) turns[n - 1], 3600, 3601);
}

static void test_weighed_turns(void **state)
{
	double turns[200];
	size_t n = turns_play("queue a in lab weight=1.25 reclaim=any cpu@f=0\n"
			      "queue b in lab reclaim=any cpu@f=0\n",
			      100 * HOUR, turns, COUNT(turns));

	assert_in_range(n, 100, 199);
	n = n / 2 * 2;
	assert_in_range((int) turns[n - 2], 3474, 3478);
	assert_in_range((int) turns[n - 1], 1132, 1136);
	n = turns_play("queue a in lab weight=2 reclaim=any cpu@f=0\n"
		       "queue b in lab reclaim=any cpu@f=0\n", 100 * HOUR, turns, COUNT(turns));
	assert_int_equal(n, 0);
}

/* Without history nobody takes anything. */
static void test_off(void **state)
{
	struct world *world = world_create("site fair\ncohort lab cpu@f=8\n"
		"queue a in lab reclaim=any cpu@f=0\nqueue b in lab reclaim=any cpu@f=0\nnow 5\n"
		"run j0 in a cpu@f=8 since=1\nwait j1 in b cpu=8\n");

	engine_plan(world->engine, HOUR);
	assert_int_equal(engine_next_expiry(world->engine), 0);
	assert_false(engine_stale(world->engine, 99 * HOUR));
	world_destroy(world);
}

/* More history never helps (I5): what is refused stays refused. */
static void test_more_never_helps(void **state)
{
	char told[512];

	for (int k = 0; k < 12; k++) {
		bool before = true;

		for (int past = 0; past < 40; past++) {
			struct world *world;
			bool found;

			snprintf(told, sizeof(told), "site fair half=3600\ncohort lab cpu@f=16\n"
				 "queue p in lab reclaim=any cpu@f=0\nqueue t in lab cpu@f=0\n"
				 "run s in t cpu@f=8\nrun r in p cpu@f=8\n"
				 "wait x in p cpu=%d\npast t cpu=%d\npast p cpu=%g\n", 1 + k % 4, k,
				 past / 4.);
			world = world_create(told);
			snprintf(told, sizeof(told), "cpu@f=%d", 1 + k % 4);
			found = *world_targets(world, "x", told, 5);
			assert_true(before || !found);
			before = found;
			world_destroy(world);
		}
	}
}

TESTS(cmocka_unit_test(test_turns), cmocka_unit_test(test_weighed_turns),
      cmocka_unit_test(test_off), cmocka_unit_test(test_more_never_helps))
