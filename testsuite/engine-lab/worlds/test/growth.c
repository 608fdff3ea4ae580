/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test growth.c - in no world does the engine's work grow faster than it may
 *
 * This program has an engine of its own, in which the compiler calls a counter
 * in every branch that is taken (-fsanitize-coverage=trace-pc, in the Makefile).
 * So work is counted, not timed, and does not depend on how busy a machine is.
 * What the C library does is not seen, memset() and the like.
 */
#include "test/tests.h"
#include "worlds/worlds.h"

#define TIMES 4			/* how much larger the large one is */

/* n log n: 4 n (log n + 2) is the 5.6-fold of n log n at n = 32, which is this
 * exponent; less at larger n. */
#define N_LOG_N 1.25

/* The worlds in which the engine has the most to do are larger than any site: there the
 * square is enough, for a little more at small sizes. */
#define SQUARE 2.4

/* What has to be better than that */
static const struct {
	const char *world;
	double bound;
} bounds[] = {
	{ "usual", N_LOG_N },
	{ "waiting", N_LOG_N },
	{ "array", N_LOG_N },
	{ "protected", 0.4 },
	{ "exempt", 0.2 },
	{ "elastic", 0.2 },
	{ "strict", 0.2 },
};

#define NBOUNDS (sizeof(bounds) / sizeof(bounds[0]))

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

static double bound_of(const char *world)
{
	for (size_t i = 0; i < NBOUNDS; i++) {
		if (!strcmp(bounds[i].world, world))
			return bounds[i].bound;
	}
	return SQUARE;
}

/* Steps of a sample */
static double cost(const struct world *world, size_t n)
{
	uint64_t before, taken;
	struct site s;

	world->build(&s, n, world->plan);
	assert_false(s.failed);
	assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
	before = steps;
	assert_true(world->sample(&s) >= 0);
	taken = steps - before;
	site_close(&s);
	return (double) taken;
}

/* Prints what was counted; is it within the bound? */
static bool grows_well(const struct world *world, size_t small, size_t large,
		       double bound)
{
	double a = cost(world, small), b = cost(world, large);
	double exponent = growth_exponent((double) small, (double) large, a, b);

	print_message("# %s: steps at %zu and %zu %s: %.0f and %.0f, exponent %.2f,"
		      " at most %.2f%s\n", world->name, small, large, world->grows,
		      a, b, exponent, bound, exponent > bound ? ": BROKEN" : "");
	return exponent <= bound;
}

static void test_growth(void **state)
{
	int broken = 0;

	(void) state;
	for (size_t i = 0; i < nworlds; i++) {
		const struct world *w = &worlds[i];

		broken += !grows_well(w, w->small, w->small * TIMES, bound_of(w->name));
	}
	assert_int_equal(broken, 0);
}

/* The same work each time, to the step: nothing depends on where memory lies. */
static void test_counted(void **state)
{
	static const char *const names[] = { "usual", "flat", "protected", "flavors" };

	(void) state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct world *world = world_find(names[i]);
		double first = cost(world, world->small);

		assert_true(first > 1000);
		for (int again = 0; again < 5; again++)
			assert_true(cost(world, world->small) == first);
	}
}

static void test_bounds_name_worlds(void **state)
{
	(void) state;
	for (size_t i = 0; i < NBOUNDS; i++)
		assert_non_null(world_find(bounds[i].world));
}

TESTS(cmocka_unit_test(test_counted), cmocka_unit_test(test_bounds_name_worlds),
      cmocka_unit_test(test_growth))
