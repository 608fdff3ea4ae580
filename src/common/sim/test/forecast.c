/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test forecast.c - when will the waiting jobs start
 */
#include "sim.h"
#include "random/draw.h"
#include "sim_world.h"

#define ONE "queue q cpu@f=8\n"
#define LONG (INT64_C(1) << 40)
#define WITHIN(n, e, h) { .steps = (n), .exact = (e), .horizon = (h) }

static const struct {
	const char *told;
	const char *times;
	struct forecast_bounds bounds;
	int rc;
	int64_t x, y;			/* SIM_NOT_YET: none */
} cases[] = {
	/* bounds met */
	{ ONE "run r in q cpu@f=8\nwait x in q cpu=8\nwait y in q cpu=8 at=1",
	  "r=10 x=5 y=5", WITHIN(0, 9, LONG), 0, SIM_NOT_YET, SIM_NOT_YET },
	{ ONE "run r in q cpu@f=8\nwait x in q cpu=8\nwait y in q cpu=8 at=1",
	  "r=10 x=5 y=5", WITHIN(2, 9, LONG), 0, 10, SIM_NOT_YET },
	{ ONE "run r in q cpu@f=8\nwait x in q cpu=8\nwait y in q cpu=8 at=1",
	  "r=10 x=5 y=5", WITHIN(9, 9, 14), 0, 10, SIM_NOT_YET },
	/* jobs that never can, and jobs behind a job without end, have none */
	{ ONE "wait x in q cpu=9\nwait y in q cpu=8", "x=5 y=5",
	  WITHIN(9, 9, LONG), 1, SIM_NOT_YET, 0 },
	{ ONE "run r in q cpu@f=1\nwait x in q cpu=8\nwait y in q cpu=7 at=1",
	  "r=0 x=5 y=5", WITHIN(9, 9, LONG), 0, SIM_NOT_YET, 0 },
	{ ONE "wait x in q cpu=5\nwait y in q cpu=4", "x=5 y=5,together=x",
	  WITHIN(9, 9, LONG), 1, SIM_NOT_YET, SIM_NOT_YET },
	/* a quota that comes, and one that goes: x starts in it, y after it; what
	 * is more than the quota of now is not never */
	{ ONE "period q cpu@f=16 from=20 until=30\nrun r in q cpu@f=8\n"
	  "wait x in q cpu=12\nwait y in q cpu=9", "r=0 x=5 y=5",
	  WITHIN(99, 9, LONG), 0, SIM_NOT_YET, SIM_NOT_YET },
	{ ONE "period q cpu@f=24 from=20 until=30\nrun r in q cpu@f=8\n"
	  "wait x in q cpu=12\nwait y in q cpu=9", "r=0 x=5 y=5", WITHIN(99, 9, LONG), 1, 20, 25 },
	{ ONE "period q cpu@f=0 from=0 until=30\nwait x in q cpu=8\n"
	  "wait y in q cpu=8 at=1", "x=5 y=5", WITHIN(99, 9, LONG), 1, 30, 35 },
	{ ONE "period q cpu@f=0 from=3 until=30\nwait x in q cpu=8\n"
	  "wait y in q cpu=8 at=1", "x=5 y=5", WITHIN(99, 9, LONG), 1, 0, 30 },
	/* all */
	{ ONE "run r in q cpu@f=8\nwait x in q cpu=8\nwait y in q cpu=8 at=1",
	  "r=10 x=5 y=5", WITHIN(9, 9, 15), 1, 10, 15 },
	/* the example of doc/how-it-decides.md, section 12, in minutes */
	{ "cohort lab\nqueue a in lab cpu@f=8\nqueue b in lab cpu@f=8\n"
	  "run r in a cpu@f=8\nrun s in a cpu@f=8\nwait x in b cpu=8\n"
	  "wait y in a cpu=16 at=1", "r=3 s=7 x=5 y=5", WITHIN(9, 9, LONG), 1, 3, 8 },
	{ "cohort lab\nqueue a in lab cpu@f=8\n"
	  "queue b in lab reclaim=any cpu@f=8\nrun r in a cpu@f=8 cpu=8\n"
	  "run s in a cpu@f=8 cpu=8\nwait x in b cpu=8\n"
	  "wait y in a cpu=16 at=1", "r=3 s=7 x=5 y=5", WITHIN(9, 9, LONG), 1, 0, 8 },
	/* the grain is 1/64 of 640: what ends at 645 counts for 640, and both
	 * start when the latter of the two has ended */
	{ ONE "run r in q cpu@f=4\nrun s in q cpu@f=4\nwait x in q cpu=4\n"
	  "wait y in q cpu=4 at=1", "r=640 s=645 x=5 y=5", WITHIN(9, 0, LONG), 1, 645, 645 },
	{ ONE "run r in q cpu@f=4\nrun s in q cpu@f=4\nwait x in q cpu=4\n"
	  "wait y in q cpu=4 at=1", "r=640 s=660 x=90 y=5", WITHIN(9, 0, LONG), 1, 640, 660 },
};

/* A plan that uses up its budget ends the forecast: no answer, rather than a wrong one. */
static void test_plan_budget(void **state)
{
	static const char told[] = "cohort c\nqueue a in c cpu@f=4\nqueue b in c cpu@f=4\n"
		"run r in a cpu@f=4\nwait x in a cpu=4\nwait y in b cpu=6\n";
	static const struct {
		uint64_t budget;
		int rc;
	} budgets[] = { { 0, 1 }, { 1000, 1 }, { 1, 0 } };

	for (size_t i = 0; i < COUNT(budgets); i++) {
		struct sim_world *sw = sim_world_create(told, "r=10 x=5 y=5", 0);
		struct forecast_bounds bounds = WITHIN(9, 9, LONG);

		bounds.plan_budget = budgets[i].budget;
		assert_int_equal(forecast_play(sw->sim, NULL, &bounds), budgets[i].rc);
		assert_int_equal(sim_is_cut(sw->sim), !budgets[i].rc);
		if (!budgets[i].rc)
			assert_int_equal(sim_unstarted(sw->sim), 2);
		sim_world_destroy(sw);
	}
}

static void test_cases(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sim_world *sw = sim_world_create(cases[i].told, cases[i].times, 0);
		int64_t x, y;
		int rc = forecast_play(sw->sim, NULL, &cases[i].bounds);

		x = sim_job_started(sim_world_job(sw, "x"));
		y = sim_job_started(sim_world_job(sw, "y"));
		if (rc != cases[i].rc || x != cases[i].x || y != cases[i].y)
			fail_msg("%zu: %s: %d, x %lld, y %lld", i, cases[i].told, rc, (long long) x,
				 (long long) y);
		sim_world_destroy(sw);
	}
}

static bool is_enough(void *arg)
{
	int *left = arg;

	return --*left < 0;
}

/* Stopped early: jobs that have started by then have a start, others not */
static void test_enough(void **state)
{
	for (int steps = 0; steps < 3; steps++) {
		int left = steps;
		struct forecast_bounds bounds = {
			.exact = 9, .steps = 9, .horizon = LONG,
			.enough = is_enough, .arg = &left,
		};
		struct sim_world *sw = sim_world_create(
			ONE "run r in q cpu@f=8\nwait x in q cpu=8\n"
			"wait y in q cpu=8 at=1", "r=10 x=5 y=5", 0);
		const struct sim_job *x = sim_world_job(sw, "x");
		const struct sim_job *y = sim_world_job(sw, "y");

		assert_int_equal(forecast_play(sw->sim, y, &bounds), 0);
		assert_int_equal(left, -1);
		assert_true(sim_job_started(x) == (steps < 2 ? SIM_NOT_YET : 10));
		assert_true(sim_job_started(y) == SIM_NOT_YET);
		sim_world_destroy(sw);
	}
}

static void test_watched(void **state)
{
	struct sim_world *sw = sim_world_create(ONE "run r in q cpu@f=8\n"
			"wait x in q cpu=8\nwait y in q cpu=8 at=1", "r=10 x=5 y=5", 0);
	struct forecast_bounds bounds = WITHIN(9, 9, LONG);

	assert_int_equal(forecast_play(sw->sim, sim_world_job(sw, "x"), &bounds), 1);
	assert_int_equal(sim_now(sw->sim), 10);
	sim_world_destroy(sw);
}

/* ---- a replay ---- */

#define JOBS 150
#define SITE "cohort lab\nqueue a in lab reclaim=any within=lower cpu@f=32\n" \
	"queue b in lab reclaim=any within=lower cpu@f=32\n" \
	"queue c in lab reclaim=lower cpu@f=16\n"

struct coming {
	struct sim_desc desc;
	struct podset_desc podset;
	struct request request;
	int64_t at;
};

static int64_t draw(uint64_t *drawn, int64_t n)
{
	return (int64_t) random_below(drawn, (uint64_t) n);
}

/* Jobs that come within a minute after the last one and run for a quarter of an hour on average */
static void jobs_draw(struct coming *jobs)
{
	int64_t at = SPEC_SEC;
	uint64_t drawn = 42;

	for (int i = 0; i < JOBS; i++) {
		struct coming *job = &jobs[i];

		at += draw(&drawn, 60) * SPEC_SEC;
		*job = (struct coming) { .at = at };
		job->request = (struct request) { 0, INT64_C(1) << draw(&drawn, 5) };
		job->podset = (struct podset_desc) {
			.count = 1, .group = -1, .requests = &job->request,
			.nrequests = 1 };
		job->desc = (struct sim_desc) {
			.work = { .queue = draw(&drawn, 3),
				  .tiebreak = (uint64_t) i + 1, .tasks = 1,
				  .priority = !draw(&drawn, 10),
				  .queue_order_at = at,
				  .podsets = &job->podset, .npodsets = 1 },
			.duration = (60 + draw(&drawn, 1680)) * SPEC_SEC,
			.evict_time = SPEC_SEC, .min_available = -1 };
	}
}

/* The start of one of the first n jobs, if no more come */
static int64_t start_of(const struct spec *spec, const struct coming *jobs, int n, int watched)
{
	struct forecast_bounds bounds = WITHIN(2000, 500, 30 * 86400 * SPEC_SEC);
	struct sim_options options = { .requeue_time = 121 * SPEC_SEC };
	struct sim *sim = sim_create(spec, SPEC_SEC, &options);
	struct sim_job *job = NULL;
	int64_t start;

	for (int i = 0; i < n; i++) {
		struct sim_job *next = sim_submit(sim, jobs[i].at, &jobs[i].desc);

		assert_non_null(next);
		job = i == watched ? next : job;
		while (sim_next(sim) < jobs[i].at)
			assert_int_equal(sim_step(sim, 0), 1);
	}
	assert_int_equal(forecast_play(sim, job, &bounds), 1);
	start = sim_job_started(job);
	sim_destroy(sim);
	return start;
}

static int by_value(const void *x, const void *y)
{
	double a = *(const double *) x, b = *(const double *) y;

	return a < b ? -1 : a > b;
}

/* Each job is estimated when it comes, without knowing later jobs: the error as a part of
 * the wait. */
static void test_replay(void **state)
{
	struct world *world = world_create(SITE);
	static struct coming jobs[JOBS];
	static double errors[JOBS];
	size_t n = 0;

	jobs_draw(jobs);
	for (int i = 0; i < JOBS; i++) {
		int64_t estimate = start_of(world->spec, jobs, i + 1, i);
		int64_t start = start_of(world->spec, jobs, JOBS, i);

		assert_true(estimate >= jobs[i].at);
		if (start == jobs[i].at)
			assert_true(estimate == start);
		else
			errors[n++] = (double) llabs((long long) (estimate - start))
				      / (double) (start - jobs[i].at);
	}
	qsort(errors, n, sizeof(*errors), by_value);
	print_message("# replay: %d jobs, %zu waited; error of the first "
		      "estimate: median %.1f%%, 90%% below %.1f%% of the wait\n",
		      JOBS, n, 100 * errors[n / 2], 100 * errors[n * 9 / 10]);
	assert_true(n > JOBS / 2);
	assert_true(errors[n / 2] < 0.1);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_plan_budget), cmocka_unit_test(test_cases),
      cmocka_unit_test(test_enough), cmocka_unit_test(test_watched), cmocka_unit_test(test_replay))
