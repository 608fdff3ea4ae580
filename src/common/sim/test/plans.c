/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test plans.c - what carrying out plans costs
 */
#include "sim.h"
#include "sim/sim_state.h"
#include "sim_world.h"

#define JOBS 50
#define LONG (INT64_C(1) << 40)

/* JOBS that ask for 101, 102, .. and find nodes with 100 only, and one behind
 * them that asks for 4 */
static struct sim_world *blocked_create(const char *queue)
{
	char told[8192], times[4096];
	int n = snprintf(told, sizeof(told), "%s", queue);
	int m = snprintf(times, sizeof(times), "room=cpu@f=100");

	for (int i = 1; i <= JOBS; i++) {
		n += snprintf(told + n, sizeof(told) - (size_t) n,
			      "wait j%d in q at=%d cpu=%d\n", i, i, 100 + i);
		m += snprintf(times + m, sizeof(times) - (size_t) m, " j%d=5", i);
	}
	snprintf(told + n, sizeof(told) - (size_t) n, "wait last in q at=999 cpu=4\n");
	snprintf(times + m, sizeof(times) - (size_t) m, " last=5");
	return sim_world_create(told, times, 0);
}

/* All of them are found to have no nodes by one plan, not by a plan each. */
static void test_blocked_together(void **state)
{
	struct sim_world *sw = blocked_create("queue q cpu@f=99999\n");

	assert_string_equal(sim_world_play(sw, 1), "0 start last");
	assert_in_range(sw->sim->plans, 1, 3);
	sim_world_destroy(sw);
}

/* Quota is for one at a time, so that each plan finds one: those that are left are found later. */
static void test_blocked_one_by_one(void **state)
{
	struct sim_world *sw = blocked_create("cohort c\nqueue q in c cpu@f=0\n"
		"queue p in c cpu@f=155\n");

	sim_world_play(sw, 1);
	assert_in_range(sw->sim->plans, 1, 5);
	sim_world_destroy(sw);
}

/* With a depth, only so many of them stay in line, and all start in the same order. Those that are
 * parked keep their quota from borrowers: x must not start before those of a. */
static void test_depth(void **state)
{
	static const struct {
		const char *told, *times;
		size_t inline_most;
	} cases[] = {
		{ "queue q cpu@f=99\nwait a in q cpu=4\nwait b in q at=1 cpu=4\n"
		  "wait c in q at=2 cpu=4\nwait d in q at=3 cpu=4\n"
		  "wait e in q at=4 cpu=3\nwait f in q at=5 cpu=4",
		  "room=cpu@f=4 a=5 b=5 c=5 d=5 e=5 f=5", 2 },
		{ "cohort o\nqueue q in o cpu@f=16\nqueue p in o cpu@f=0\n"
		  "run r in p cpu@f=8\nwait a in q at=1 cpu=4\n"
		  "wait b in q at=2 cpu=4\nwait c in q at=3 cpu=4\n"
		  "wait d in q at=4 cpu=4\nwait x in p at=2 cpu=4",
		  "room=cpu@f=8 r=9 a=5 b=6 c=5 d=5 x=5", 3 },
		/* those whose delay counts stay */
		{ "cohort o\nqueue q in o reclaim=any delay=3 cpu@f=9\nqueue p in o cpu@f=0\n"
		  "run r in p cpu@f=2\nwait a in q at=1 cpu=4\nwait b in q at=2 cpu=2\n"
		  "wait c in q at=3 cpu=5\nwait d in q at=4 cpu=2",
		  "room=cpu@f=7 r=53 a=3 b=3 c=6 d=4 requeue=500", 4 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sim_world *all, *some;
		char times[256];

		snprintf(times, sizeof(times), "depth=1 %s", cases[i].times);
		all = sim_world_create(cases[i].told, cases[i].times, 0);
		some = sim_world_create(cases[i].told, times, 0);
		sim_world_play(some, 1);
		assert_in_range(some->sim->nwaiting, 1, cases[i].inline_most);
		assert_string_equal(sim_world_play(some, 99), sim_world_play(all, 99));
		assert_int_equal(sim_unstarted(some->sim), 0);
		sim_world_destroy(all);
		sim_world_destroy(some);
	}
}

/* Those that stay in line are the first ones in order: one that comes later, with a
 * higher priority, or that returns from an eviction, takes the place of another
 * one. Else m would start, or evict, before h and l. */
static void test_depth_by_priority(void **state)
{
	static const struct {
		const char *told, *times, *log;
	} cases[] = {
		{ "queue q within=lower cpu@f=99\nwait l in q cpu=4\n"
		  "wait m in q at=1 cpu=4\nwait n in q at=2 cpu=4\nwait h in q at=3 cpu=4 prio=5",
		  "room=cpu@f=4 requeue=1 l=20 m=5 n=5 h=5,come=2",
		  "0 start l; 2 evict l for h; 2 gone l; 2 start h; 7 end h; "
		  "7 start l; 27 end l; 27 start m; 32 end m; 32 start n; 37 end n" },
		{ "site preempt=10\nqueue q within=lower cpu@f=99\n"
		  "run r in q cpu@f=4 since=1\nwait m in q at=1 cpu=4 prio=1\n"
		  "wait h in q at=2 cpu=4 prio=5", "room=cpu@f=4 r=99,cancel m=5 h=5,come=2",
		  "11 evict r for h; 11 gone r; 11 start h; 16 end h; 16 start m; 21 end m" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		for (int depth = 0; depth < 3; depth++) {
			struct sim_world *sw;
			char times[256];

			snprintf(times, sizeof(times), "depth=%d %s", depth, cases[i].times);
			sw = sim_world_create(cases[i].told, times, 0);
			assert_string_equal(sim_world_play(sw, 99), cases[i].log);
			sim_world_destroy(sw);
		}
	}
}

/* It ends at the bound, or one plan and its tries later. */
static void test_bound(void **state)
{
	for (uint64_t work = 1; work < 400; work += 20) {
		struct forecast_bounds bounds = {
			.steps = 99, .exact = 99, .horizon = LONG,
			.work = work,
		};
		struct sim_world *sw = blocked_create("queue q cpu@f=9999\n");

		assert_int_equal(forecast_play(sw->sim, NULL, &bounds), 0);
		assert_true(sw->sim->work < work + 3 * (JOBS + 2));
		sim_world_destroy(sw);
	}
}

/* Stopped in the middle of a step: it can go on when it may cost more. */
static void test_go_on(void **state)
{
	struct sim_world *sw = sim_world_create(
		"queue q cpu@f=8\nrun r in q cpu@f=8\nwait x in q cpu=8\n", "r=10 x=5", 0);
	struct forecast_bounds bounds = { .steps = 9, .exact = 9,
					  .horizon = LONG, .work = 1 };

	assert_int_equal(forecast_play(sw->sim, NULL, &bounds), 0);
	assert_true(sim_next(sw->sim) != SIM_FOREVER);
	assert_int_equal(sim_step(sw->sim, 0), 0);
	bounds.work = 0;
	assert_int_equal(forecast_play(sw->sim, NULL, &bounds), 1);
	assert_int_equal(sim_job_started(sim_world_job(sw, "x")), 10);
	sim_world_destroy(sw);
}

TESTS(cmocka_unit_test(test_blocked_together), cmocka_unit_test(test_blocked_one_by_one),
      cmocka_unit_test(test_depth), cmocka_unit_test(test_depth_by_priority),
      cmocka_unit_test(test_bound), cmocka_unit_test(test_go_on))
