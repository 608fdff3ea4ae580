/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test worlds.c - each world, drawn small, is what it says
 */
#include "test/tests.h"
#include "worlds/worlds.h"

struct promises {
	size_t starts, preempts;
};

static void promise_count(void *arg, const struct workload *w, const struct verdict *v)
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
	{ "usual", { 0, 0 } },
	{ "waiting", { 0, 0 } },
	{ "array", { 500, 0 } },
	{ "protected", { 0, 0 } },
	{ "exempt", { 0, 12 } },
	{ "elastic", { 0, 2 } },
	{ "moves", { 25, 50 } },
	{ "flat", { 0, 0 } },
	{ "reclaim", { 0, 24 } },
	{ "mixed", { 0, 50 } },
	{ "borrow", { 0, 24 } },
	{ "over", { 0, 0 } },
	{ "units", { 0, 12 } },
	{ "fair", { 0, 16 } },
	{ "fair-tree", { 0, 33 } },
	{ "fair-mixed", { 0, 69 } },
	{ "deep", { 0, 50 } },
	{ "shapes", { 0, 0 } },
	{ "flavors", { 0, 0 } },
	{ "strict", { 5000, 0 } },
	{ "together", { 0, 60 } },
	{ "either", { 0, 32 } },
	{ "reclaimable", { 0, 50 } },
};

#define NEXPECTED (sizeof(expected) / sizeof(expected[0]))

static void test_promises(void **state)
{
	(void) state;
	assert_int_equal(NEXPECTED, nworlds);
	for (size_t i = 0; i < NEXPECTED; i++) {
		const struct world *world = world_find(expected[i].name);
		struct promises p = { 0 };
		struct site s;

		assert_non_null(world);
		world->build(&s, world->small, world->plan);
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
	for (size_t i = 0; i < nworlds; i++) {
		struct measured m;

		assert_int_equal(world_measure(&worlds[i], worlds[i].small, &m), 0);
		assert_true(m.first_plan > 0 && m.event > 0 && m.mb >= 0);
	}
}

/* The site after a sample is about that before it. */
static void test_repeatable(void **state)
{
	const struct world *usual = world_find("usual"), *exempt = world_find("exempt");
	struct promises p = { 0 };
	struct site s;

	(void) state;
	exempt->build(&s, exempt->small, exempt->plan);
	assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
	for (int i = 0; i < 3; i++)
		assert_true(exempt->sample(&s) >= 0);
	engine_promises(s.engine, promise_count, &p);
	assert_int_equal(p.preempts, 12);
	site_close(&s);

	usual->build(&s, usual->small, usual->plan);
	assert_true(engine_plan(s.engine, SITE_NOW) >= 0);
	for (int i = 0; i < 10; i++) {
		assert_true(usual->sample(&s) >= 0);
		assert_non_null(s.latest);
	}
	site_close(&s);
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
	assert_true(sample_submit(&s) < 0);
	assert_true(sample_events(&s) < 0);
	assert_true(sample_reclaimable(&s) < 0);
	site_close(&s);
}

TESTS(cmocka_unit_test(test_promises), cmocka_unit_test(test_measured),
      cmocka_unit_test(test_repeatable), cmocka_unit_test(test_failed))
