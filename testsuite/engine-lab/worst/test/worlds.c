/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test worlds.c - each of the worst worlds, drawn small, is what it says
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "worst/worst.h"

struct promises {
	size_t starts, preempts;
};

static void promise_count(void *arg, const struct workload *w,
			  const struct verdict *v)
{
	struct promises *p = arg;

	(void) w;
	if (v->kind == VERDICT_START)
		p->starts += (size_t) v->starts;
	else if (v->kind == VERDICT_PREEMPT)
		p->preempts++;
}

/* What the first plan of a small world promises. A world in which everything
 * waits although something should move would measure nothing. Where jobs ask
 * for less than a victim has, the next ones wait for the rest of it. */
static const struct {
	const char *name;
	struct promises promises;
} expected[] = {
	{ "array", { 500, 0 } },
	{ "protected", { 0, 0 } },
	{ "exempt", { 0, 12 } },
	{ "elastic", { 0, 0 } },
	{ "elastic-spare", { 0, 2 } },
	{ "turns", { 0, 12 } },
	{ "owners", { 0, 0 } },
	{ "flat", { 0, 0 } },
	{ "flat-reclaim", { 0, 24 } },
	{ "flat-flavors", { 96, 0 } },
	{ "reclaim-protected", { 0, 24 } },
	{ "reclaim-exempt", { 0, 24 } },
	{ "mixed-exempt", { 0, 64 } },
	{ "mixed-lower", { 0, 44 } },
	{ "mixed-units", { 0, 31 } },
	{ "fair-mixed", { 0, 33 } },
	{ "reclaim-lend", { 0, 24 } },
	{ "reclaim-own", { 0, 32 } },
	{ "borrow", { 0, 24 } },
	{ "borrow-lend", { 16, 32 } },
	{ "borrow-either", { 0, 40 } },
	{ "over", { 0, 0 } },
	{ "over-mixed", { 0, 0 } },
	{ "over-units", { 0, 0 } },
	{ "over-reclaim", { 0, 24 } },
	{ "over-lend", { 0, 2 } },
	{ "over-owners", { 0, 48 } },
	{ "fair-lower", { 0, 0 } },
	{ "fair-lower-mixed", { 0, 22 } },
	{ "reclaim-unit", { 0, 24 } },
	{ "reclaim-units", { 0, 12 } },
	{ "units-protected", { 0, 12 } },
	{ "units-turns", { 0, 12 } },
	{ "protected-units", { 0, 0 } },
	{ "flat-fair", { 0, 16 } },
	{ "fair-tree", { 0, 33 } },
	{ "fair-lend", { 0, 33 } },
	{ "fair-deep", { 0, 36 } },
	{ "fair-protected", { 0, 31 } },
	{ "fair-exempt", { 0, 16 } },
	{ "fair-flavors", { 48, 0 } },
	{ "units-lower", { 0, 25 } },
	{ "fair-units-lower", { 0, 20 } },
	{ "fair-either", { 0, 194 } },
	{ "fair-full", { 0, 33 } },
	{ "allowed", { 0, 0 } },
	{ "fair-unit", { 0, 16 } },
	{ "fair-usage", { 0, 16 } },
	{ "fair-history", { 0, 16 } },
	{ "flat-protected", { 0, 0 } },
	{ "deep", { 0, 50 } },
	{ "depth", { 0, 150 } },
	{ "shapes", { 0, 0 } },
	{ "refused", { 0, 0 } },
	{ "flavors", { 0, 0 } },
	{ "moves", { 25, 50 } },
	{ "strict", { 5000, 0 } },
	{ "strict-borrow", { 5000, 0 } },
	{ "blocked", { 96, 0 } },
	{ "together", { 0, 60 } },
	{ "together-each", { 0, 56 } },
	{ "either", { 0, 32 } },
	{ "either-own", { 62, 0 } },
	{ "reclaimable", { 0, 24 } },
	{ "reclaimable-deep", { 0, 50 } },
	{ "memory", { 0, 0 } },
	{ "account", { 0, 0 } },
};

#define NEXPECTED (sizeof(expected) / sizeof(expected[0]))

static void test_promises(void **state)
{
	(void) state;
	assert_int_equal(NEXPECTED, nworsts);
	for (size_t i = 0; i < NEXPECTED; i++) {
		const struct worst *world = worst_find(expected[i].name);
		struct promises p = { 0 };
		struct site s;

		assert_non_null(world);
		world->build(&s, world->small);
		assert_false(s.failed);
		assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
		engine_promises(s.engine, promise_count, &p);
		assert_int_equal(p.starts, expected[i].promises.starts);
		assert_int_equal(p.preempts, expected[i].promises.preempts);
		site_close(&s);
	}
}

static void test_measured(void **state)
{
	(void) state;
	for (size_t i = 0; i < nworsts; i++) {
		struct worst_row row;

		assert_int_equal(worst_measure(&worsts[i], worsts[i].small,
					       &row), 0);
		assert_int_equal(row.size, worsts[i].small);
		assert_true(row.samples > 0);
		assert_true(row.cost >= 0 && row.first_plan > 0);
	}
}

/* The site after a sample is about that before it. */
static void test_repeatable(void **state)
{
	const struct worst *world = worst_find("exempt");
	struct promises p = { 0 };
	struct site s;

	(void) state;
	world->build(&s, world->small);
	assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
	for (int i = 0; i < 3; i++)
		assert_true(world->sample(&s) >= 0);
	engine_promises(s.engine, promise_count, &p);
	assert_int_equal(p.preempts, 12);
	site_close(&s);
}

static void test_table(void **state)
{
	(void) state;
	for (size_t i = 0; i < nworsts; i++) {
		const struct worst *w = &worsts[i];

		assert_ptr_equal(worst_find(w->name), w);
		assert_true(w->small > 0 && w->goal > 0);
		for (size_t k = 1; k < WORST_SIZES; k++) {
			assert_true(w->sizes[k - 1] < w->sizes[k]);
			assert_true(w->large[k - 1] < w->large[k]);
		}
		assert_true(w->sizes[0] > 0 && w->large[0] > 0);
	}
	assert_null(worst_find("none"));
}

/* All that follows a failure does nothing. */
static void test_failed(void **state)
{
	struct ask ask = { .queue = 7, .first = 1, .others = 1 };
	struct site s;

	(void) state;
	site_open(&s, &(struct tree_plan) { .queues = 2, .nominal = 4 });
	assert_false(s.failed);
	assert_null(site_wait(&s, &ask));
	assert_true(s.failed);
	ask.queue = 0;
	assert_null(site_wait(&s, &ask));
	assert_null(site_run(&s, &ask, 0));
	site_own(&s, NULL, NULL, 1);
	assert_true(sample_event(&s) < 0);
	assert_true(sample_reclaimable(&s) < 0);
	assert_true(sample_memory(&s) < 0);
	assert_true(sample_account(&s) < 0);
	assert_true(sample_history(&s) < 0);
	site_close(&s);
}

static void test_exponent(void **state)
{
	const struct worst_row rows[] = {
		{ .size = 10, .cost = 1 }, { .size = 40, .cost = 16 },
		{ .size = 160, .cost = 0 },
	};

	(void) state;
	assert_true(fabs(worst_exponent(rows, 2) - 2) < 1e-9);
	assert_true(worst_exponent(rows, 1) == 0);
	assert_true(worst_exponent(rows, 3) == 0);
}

static void test_sizes(void **state)
{
	static const char *const wrong[] = {
		"", ",", "1,", ",1", "0", "1,0", "-1", "+1", " 1", "x", "1x",
		"1,,2", "1.5", "99999999999999999999999",
		"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
	};
	struct worst_choice choice = { .nsizes = 0 };

	(void) state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(worst_sizes_parse(&choice, wrong[i]), -1);
	assert_int_equal(choice.nsizes, 0);
	assert_int_equal(worst_sizes_parse(&choice, "10"), 0);
	assert_int_equal(choice.nsizes, 1);
	assert_int_equal(worst_sizes_parse(&choice, "10,20,4000"), 0);
	assert_int_equal(choice.nsizes, 3);
	assert_int_equal(choice.sizes[2], 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_measured),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_exponent),
		cmocka_unit_test(test_sizes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
