/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test growth.c - in no world does the engine's work grow faster than it may
 *
 * This program has an engine of its own, in which the compiler calls a counter
 * in every branch that is taken (-fsanitize-coverage=trace-pc, in the Makefile).
 * So work is counted, not timed, and does not depend on how busy a machine is.
 * What the C library does is not seen, memset() and the like.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "measure/growth.h"
#include "query.h"
#include "worst/worst.h"

#define TIMES 4			/* how much larger the large one is */
#define QUEUES 12		/* of the small one, in worlds of many queues */

/* n log n: 4 n (log n + 2) is the 5.6-fold of n log n at n = 32, which is this
 * exponent; less at larger n. */
#define N_LOG_N 1.25

/* Each of n heads looks at all queues that borrow, and with fair sharing once for each
 * victim. */
#define N_CUBED 2.75

/* Worlds with bounds of their own: those that are known to grow faster, and those
 * that hardly grow. A bound is lowered when the engine gets better. */
static const struct {
	const char *world;
	double bound;
} bounds[] = {
	{ "protected", 0.4 },
	{ "exempt", 0.2 },
	{ "elastic", 0.2 },
	{ "elastic-spare", 0.2 },
	{ "strict", 0.2 },
	{ "strict-borrow", 0.2 },
	{ "owners", 0.2 },
	{ "flat-protected", 0.6 },
	{ "depth", 0.35 },
	{ "refused", 0.85 },
};

#define NBOUNDS (sizeof(bounds) / sizeof(bounds[0]))

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

static bool has_queues(const struct worst *world)
{
	return !strcmp(world->dimension, "queues");
}

static double bound_of(const struct worst *world)
{
	for (size_t i = 0; i < NBOUNDS; i++) {
		if (!strcmp(bounds[i].world, world->name))
			return bounds[i].bound;
	}
	return has_queues(world) ? N_CUBED : N_LOG_N;
}

static bool is_timed(const struct worst *world)
{
	return !strcmp(world->unit, "ms");
}

/* Ratios have tests of their own. */
static bool is_ratio(const struct worst *world)
{
	return !strcmp(world->unit, WORST_TIMES);
}

/* What a sample costs in this world: steps, or memory where it is that which is
 * measured */
static double cost(const struct worst *world, size_t n)
{
	struct site s;
	uint64_t before;
	double sample;

	world->build(&s, n);
	assert_false(s.failed);
	assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
	before = steps;
	sample = world->sample(&s);
	if (is_timed(world) && sample >= 0)
		sample = (double) (steps - before);
	assert_true(sample >= 0);
	site_close(&s);
	return sample;
}

/* Prints what was counted; is it within the bound? */
static bool grows_well(const struct worst *world, size_t small, size_t large,
		       double bound)
{
	double sizes[2], costs[2], exponent;

	for (size_t i = 0; i < 2; i++) {
		size_t n = i ? large : small;

		sizes[i] = (double) n;
		costs[i] = cost(world, n);
		assert_true(costs[i] > 0);
	}
	exponent = growth_exponent(sizes, costs, 2);
	print_message("# %s: %s at %.0f and %.0f %s: %.0f and %.0f, exponent"
		      " %.2f, at most %.2f%s\n", world->name,
		      is_timed(world) ? "steps" : world->unit, sizes[0],
		      sizes[1], world->dimension, costs[0], costs[1], exponent,
		      bound, exponent > bound ? ": BROKEN" : "");
	return exponent <= bound;
}

static void test_growth(void **state)
{
	int broken = 0;

	(void) state;
	for (size_t i = 0; i < nworsts; i++) {
		const struct worst *w = &worsts[i];
		size_t small = has_queues(w) && is_timed(w) ? QUEUES : w->small;

		broken += !is_ratio(w)
			  && !grows_well(w, small, small * TIMES, bound_of(w));
	}
	assert_int_equal(broken, 0);
}

/* The same work each time, to the step: nothing depends on where memory lies. */
static void test_counted(void **state)
{
	static const char *const names[] = { "flat", "protected", "flavors" };

	(void) state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct worst *world = worst_find(names[i]);
		double first = cost(world, world->small);

		assert_true(first > 1000);
		for (int again = 0; again < 5; again++)
			assert_true(cost(world, world->small) == first);
	}
}

static uint64_t event_steps(struct site *s)
{
	uint64_t before = steps;

	assert_true(sample_event(s) >= 0);
	return steps - before;
}

static double history_ratio(size_t queues)
{
	struct site on, off;
	double ratio;

	worst_find("fair-history")->build(&on, queues);
	worst_find("flat-fair")->build(&off, queues);
	assert_true(engine_plan(on.engine, SITE_NOW) >= 0);
	assert_true(engine_plan(off.engine, SITE_NOW) >= 0);
	ratio = (double) event_steps(&on) / (double) event_steps(&off);
	site_close(&on);
	site_close(&off);
	return ratio;
}

/* Usage history takes at most a twentieth of an event with fair sharing, in each
 * size that the bench measures. */
static void test_history(void **state)
{
	const struct worst *world = worst_find("fair-history");
	bool good = true;

	(void) state;
	for (size_t i = 0; i < WORST_SIZES; i++) {
		double ratio = history_ratio(world->sizes[i]);

		print_message("# usage history, %zu queues: %.3f times the "
			      "steps, at most %g\n", world->sizes[i], ratio,
			      world->goal);
		good &= ratio <= world->goal;
	}
	assert_true(good);
}

#define HOUR (3600 * SPEC_SEC)

/* Of all queues of a site, 32 cohorts deep, where every job is protected: steps
 * to ask what each could have back, and how long its jobs are safe */
static void ask_protected(size_t queues, size_t jobs, double *reclaimable,
			  double *min_runtimes)
{
	int64_t preempt, reclaim;
	uint64_t before;
	struct site s;

	site_open(&s, &(struct tree_plan) {
		.queues = queues, .depth = 32, .nominal = 1000,
		.reclaim = POLICY_ANY, .reclaim_min_runtime = HOUR,
	});
	for (size_t q = 0; q < queues; q += 2) {
		struct ask ask = {
			.queue = (int) q, .priority = SITE_PRIORITY,
			.first = 2000 / (int64_t) jobs, .others = 1,
		};

		site_run_many(&s, &ask, jobs, 0, HOUR - 100 * SPEC_SEC);
	}
	assert_false(s.failed);
	before = steps;
	assert_true(sample_reclaimable(&s) >= 0);
	*reclaimable = (double) (steps - before);
	before = steps;
	for (size_t q = 0; q < queues; q++)
		engine_min_runtimes(s.engine, (int) q, &preempt, &reclaim);
	*min_runtimes = (double) (steps - before);
	site_close(&s);
}

static void growth_check(const char *what, double n, double small,
			 double large)
{
	double sizes[2] = { n, n * TIMES }, costs[2] = { small, large };
	double exponent = growth_exponent(sizes, costs, 2);

	print_message("# %s: steps %.0f and %.0f, exponent %.2f, at most"
		      " %.2f\n", what, small, large, exponent, N_LOG_N);
	assert_true(exponent <= N_LOG_N);
}

/* Where nobody may be evicted yet, what is asked of all queues at once, as it is
 * published, costs no more than it has to. */
static void test_all_protected(void **state)
{
	double reclaimable[3], min_runtimes[3];

	(void) state;
	ask_protected(64, 8, &reclaimable[0], &min_runtimes[0]);
	ask_protected(64 * TIMES, 8, &reclaimable[1], &min_runtimes[1]);
	ask_protected(64, 8 * TIMES, &reclaimable[2], &min_runtimes[2]);
	growth_check("reclaimable, queues", 64, reclaimable[0],
		     reclaimable[1]);
	growth_check("reclaimable, jobs", 8, reclaimable[0], reclaimable[2]);
	growth_check("min-runtimes, queues", 64, min_runtimes[0],
		     min_runtimes[1]);
	/* the way up to the root, from each cohort on it, at the most */
	assert_true(min_runtimes[0] < 64 * 32 * 32);
}

static void test_bounds_name_worlds(void **state)
{
	(void) state;
	for (size_t i = 0; i < NBOUNDS; i++)
		assert_non_null(worst_find(bounds[i].world));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_bounds_name_worlds),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_all_protected),
		cmocka_unit_test(test_growth),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
