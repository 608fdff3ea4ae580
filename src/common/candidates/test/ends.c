/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test ends.c - which queues could tell a search sooner when a protection ends
 *
 * In random trees each search knows as much as if it had looked at all queues.
 */
#include <stdio.h>

#include "holding/holding.h"
#include "holding/trial.h"
#include "random/draw.h"
#include "random/tree_world.h"
#include "candidates/ends.h"
#include "world.h"

#define WORLDS 500

static size_t looks, looks_at_all, protections;

/* What a search for w has to know, by the ends or by all queues */
static struct passed_over known(struct engine *e, struct workload *w, int64_t now,
				bool by_ends)
{
	static const int need[] = { 0 };
	struct search s = {
		.e = e, .q = w->shape->q, .now = now, .w = w, .need = need,
		.nneed = 1, .need_pairs = pair_bit(0),
		.number = ++e->searches->made,
	};
	const struct tree *tree = s.q->tree;
	uint64_t before = e->searches->looks;

	e->searches->need[0] = true;
	e->searches->passed = (struct passed_over) { 0 };
	assert_true(streams_begin(&s));
	if (by_ends)
		ends_survey(&s);
	for (size_t i = 0; i < tree->nqueues && !by_ends; i++) {
		struct queue *q = tree->queues[i];

		if (q != s.q && !search_is_within_nominal(&s, q->node))
			stream_survey(&s, q);
	}
	*(by_ends ? &looks : &looks_at_all) += e->searches->looks - before;
	e->searches->need[0] = false;
	return e->searches->passed;
}

static void world_check(struct text *t, uint64_t seed,
			void (*write)(struct text *t, uint64_t seed))
{
	struct world *world;
	struct engine *e;
	int64_t now = 100 + (int64_t) seed % 3 * 40;

	write(t, seed);
	world = world_create(t->bytes);
	e = world_engine(world);
	for (size_t i = 0; i < world->nworkloads; i++) {
		struct workload *w = world->workloads[i];
		struct passed_over a, b;

		if (w->runs)
			continue;
		for (size_t k = 0; k < w->shape->q->tree->nqueues; k++)
			holdings_renew(w->shape->q->tree->queues[k], now);
		ends_begin(e, w->shape->q->tree, now);
		a = known(e, w, now, true);
		b = known(e, w, now, false);
		ends_end(e);
		protections += b.protected;
		if (a.protected != b.protected || a.spent != b.spent
		    || a.protected_in_other_queue != b.protected_in_other_queue
		    || a.fixed != b.fixed || a.until != b.until)
			fail_msg("seed %d, %s: until %d, should be %d\n%s",
				 (int) seed, world_name(world, w),
				 (int) a.until, (int) b.until, t->bytes);
	}
	world_destroy(world);
}

static void test_same(void **state)
{
	static struct text t;
	uint64_t n = seeds_wanted(WORLDS);

	(void) state;
	for (uint64_t seed = 1; seed <= n; seed++)
		world_check(&t, seed, fair_world_write);
	assert_true(protections > n);
	assert_true(looks < looks_at_all);
}

static void units_queue_say(struct text *t, int i)
{
	say(t, "queue %c in top within=lower reclaim=%s cpu@f=%d", 'a' + i,
	    odds(t, 60) ? "any" : "lower", pick(t, 3));
	if (odds(t, 30))
		say(t, " rmin=%d", pick(t, 120));
	if (odds(t, 30))
		say(t, " pmin=%d", pick(t, 120));
	if (odds(t, 30))
		say(t, " turn=%d", pick(t, 120));
	say(t, "\n");
}

/* Units of two or three jobs, in one queue or in several; min-runtimes, turns and
 * exemptions */
static void units_world_write(struct text *t, uint64_t seed)
{
	int queues, jobs;

	text_begin(t, seed);
	if (odds(t, 50))
		say(t, "site reclaim=%d\n", 1 + pick(t, 90));
	if (odds(t, 50))
		say(t, "site preempt=%d\n", 1 + pick(t, 90));
	say(t, "cohort top cpu@f=%d\n", pick(t, 20));
	queues = 2 + pick(t, 5);
	for (int i = 0; i < queues; i++)
		units_queue_say(t, i);
	jobs = 4 + pick(t, 16);
	for (int i = 0; i < jobs; i++) {
		say(t, "run r%d in %c cpu@f=%d prio=%d since=%d", i,
		    'a' + pick(t, queues), 1 + pick(t, 3), pick(t, 2),
		    1 + pick(t, 120));
		say(t, odds(t, 15) ? " exempt=%d\n" : "\n", 80 + pick(t, 150));
	}
	for (int i = 0; i + 2 < jobs; i += 2) {
		if (odds(t, 70))
			say(t, "unit r%d r%d\n", i, i + 1);
		if (odds(t, 10))
			say(t, "unit r%d r%d\n", i, i + 2);
	}
	for (int i = 0; i < queues; i++)
		say(t, "wait w%d in %c cpu=1 prio=%d\n", i, 'a' + i, pick(t, 3));
}

static void test_units(void **state)
{
	static struct text t;
	uint64_t n = seeds_wanted(WORLDS);

	(void) state;
	protections = looks = looks_at_all = 0;
	for (uint64_t seed = 1; seed <= 5 * n; seed++)
		world_check(&t, seed, units_world_write);
	assert_true(protections > n);
	assert_true(looks < looks_at_all);
}

/* Many queues, in which everything is protected, by a min-runtime or by the caller: a
 * search looks at few. */
static void many_check(const char *site, bool exempt)
{
	char text[8192];
	size_t n = (size_t) snprintf(text, sizeof(text), "site fair%s\n"
				     "cohort top cpu@f=200\nqueue q0 in top"
				     " reclaim=any cpu@f=0\n", site);
	struct world *world;
	struct passed_over passed;

	for (int i = 1; i < 60; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "queue q%d in top cpu@f=0\n", i);
	for (int i = 1; i < 60; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "run r%d in q%d cpu@f=1 since=%d exempt=%d\n",
				       i, i, 1 + i * 37 % 60,
				       exempt ? 501 + i * 37 % 60 : 0);
	(void) snprintf(text + n, sizeof(text) - n, "wait x in q0 cpu=1\n");
	world = world_create(text);
	looks = 0;
	ends_begin(world->engine, world->engine->queues[0].tree, 100);
	assert_int_equal(world->engine->searches->nends, 59);
	passed = known(world->engine, world_workload(world, "x"), 100, true);
	assert_true(passed.protected && passed.protected_in_other_queue);
	assert_int_equal(passed.until, 502);
	assert_in_range(looks, 1, 2);
	ends_end(world->engine);
	assert_null(world->engine->searches->ends);
	world_destroy(world);
}

static void test_many(void **state)
{
	(void) state;
	many_check(" reclaim=500", false);
	many_check("", true);
	many_check(" reclaim=300", true);
}

/* In each of many queues a unit ends with its last member: a search looks at few. With turns
 * nothing ends, as these units are not in the queue of the one who asks. */
static void units_many_check(const char *site, const char *turn, int64_t until)
{
	char text[8192];
	size_t n = (size_t) snprintf(text, sizeof(text), "site fair%s\n"
				     "cohort top cpu@f=200\nqueue q0 in top"
				     " reclaim=any%s cpu@f=0\n", site, turn);
	struct world *world;
	struct passed_over passed;

	for (int i = 1; i < 30; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "queue q%d in top%s cpu@f=0\n", i, turn);
	for (int i = 1; i < 30; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "run r%d in q%d cpu@f=1 since=%d\n"
				       "run s%d in q%d cpu@f=1 since=%d\n"
				       "unit r%d s%d\n", i, i, 131 + i * 7 % 30,
				       i, i, 1 + i * 11 % 30, i, i);
	(void) snprintf(text + n, sizeof(text) - n, "wait x in q0 cpu=1\n");
	world = world_create(text);
	looks = 0;
	ends_begin(world->engine, world->engine->queues[0].tree, 600);
	passed = known(world->engine, world_workload(world, "x"), 600, true);
	assert_int_equal(passed.until, until);
	assert_in_range(looks, 0, 4);
	ends_end(world->engine);
	world_destroy(world);
}

static void test_units_many(void **state)
{
	(void) state;
	units_many_check(" reclaim=500", "", 632);
	units_many_check(" reclaim=500\nsite preempt=400", "", 632);
	units_many_check("", " turn=500", 0);
}

/* In each of many queues the exemption of a job that may not be evicted ends before that
 * of one that may: a search looks at few. */
static void test_priorities(void **state)
{
	char text[8192];
	size_t n = (size_t) snprintf(text, sizeof(text), "site fair\n"
				     "cohort top cpu@f=200\nqueue q0 in top"
				     " reclaim=lower cpu@f=0\n");
	struct world *world;
	struct passed_over passed;

	(void) state;
	for (int i = 1; i < 30; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "queue q%d in top cpu@f=0\n", i);
	for (int i = 1; i < 30; i++)
		n += (size_t) snprintf(text + n, sizeof(text) - n,
				       "run r%d in q%d cpu@f=1 prio=2 exempt=%d\n"
				       "run s%d in q%d cpu@f=1 prio=0 exempt=%d\n",
				       i, i, 401 + i * 7 % 30,
				       i, i, 501 + i * 11 % 30);
	(void) snprintf(text + n, sizeof(text) - n, "wait x in q0 cpu=1 prio=1\n"
			"wait y in q0 cpu=1 prio=3\nwait z in q0 cpu=1 prio=0\n");
	world = world_create(text);
	looks = 0;
	ends_begin(world->engine, world->engine->queues[0].tree, 100);
	assert_int_equal(world->engine->searches->nends, 2 * 29);
	passed = known(world->engine, world_workload(world, "x"), 100, true);
	assert_int_equal(passed.until, 502);
	passed = known(world->engine, world_workload(world, "y"), 100, true);
	assert_int_equal(passed.until, 402);
	passed = known(world->engine, world_workload(world, "z"), 100, true);
	assert_false(passed.protected);
	assert_in_range(looks, 1, 5);
	ends_end(world->engine);
	world_destroy(world);
}

/* A queue counts from when it borrows. */
static void test_borrows_later(void **state)
{
	struct world *world = world_create("site fair\ncohort top\n"
		"queue a in top reclaim=any cpu@f=9\nqueue b in top cpu@f=5\n"
		"run r in b cpu@f=1 exempt=500\nrun s in b cpu@f=1 exempt=400\n"
		"wait x in a cpu=1\n");
	struct workload *x = world_workload(world, "x");
	struct engine *e = world->engine;
	size_t mark = trial_begin(e);

	(void) state;
	ends_begin(e, e->queues[0].tree, 100);
	assert_int_equal(e->searches->nends, 1);
	assert_false(known(e, x, 100, true).protected);
	books_add(e->books, e->queues[1].node, 0, 4);
	ends_note(e, &e->queues[1]);
	assert_int_equal(known(e, x, 100, true).until, 400);
	ends_end(e);
	ends_note(e, &e->queues[1]);
	trial_end(e, mark);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_units_many),
		cmocka_unit_test(test_priorities),
		cmocka_unit_test(test_borrows_later),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
