/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test world.c - a world made up for timing, and its events
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/world.h"
#include "query.h"

#define EVENTS 300

static const struct world_size size = {
	.queues = 20, .running = 400, .waiting = 600,
};

static void counts_agree(const struct world *w)
{
	for (size_t q = 0; q < size.queues; q++) {
		int64_t waiting, running, tasks = 0;

		engine_counts(w->engine, q, &waiting, &running);
		assert_int_equal(running, w->running[q].n);
		for (size_t i = 0; i < w->waiting[q].n; i++)
			tasks += w->waiting[q].jobs[i]->tasks;
		assert_int_equal(waiting, tasks);
	}
}

static void test_filled(void **state)
{
	struct world *w = world_create(&size, 1);
	size_t running = 0, waiting = 0;

	(void) state;
	assert_non_null(w);
	for (size_t q = 0; q < size.queues; q++) {
		running += w->running[q].n;
		waiting += w->waiting[q].n;
	}
	assert_int_equal(running, size.running);
	assert_int_equal(waiting, size.waiting);
	assert_non_null(world_waiting(w));
	counts_agree(w);
	world_destroy(w);
	world_destroy(NULL);
}

/* The same seed makes the same story, in which every kind of event happens */
static void test_events(void **state)
{
	struct world *a = world_create(&size, 7), *b = world_create(&size, 7);
	int happened[NEVENTS] = { 0 };

	(void) state;
	for (int i = 0; i < EVENTS; i++) {
		int kind = world_event(a);

		assert_in_range(kind, 0, NEVENTS - 1);
		happened[kind]++;
		assert_int_equal(world_event(b), kind);
		assert_true(engine_plan(a->engine, a->now));
		engine_plan(b->engine, b->now);
	}
	for (int k = 0; k < NEVENTS; k++)
		assert_true(happened[k] > 0);
	counts_agree(a);
	assert_true(engine_digest(a->engine) == engine_digest(b->engine));
	world_destroy(a);
	world_destroy(b);
}

/* No promise is left */
static void test_settle(void **state)
{
	struct world *w = world_create(&size, 3);

	(void) state;
	assert_int_equal(world_settle(w, 500), 0);
	for (size_t q = 0; q < size.queues; q++) {
		for (size_t i = 0; i < w->waiting[q].n; i++)
			assert_int_equal(engine_verdict(w->engine,
				w->waiting[q].jobs[i]->workload)->kind,
				VERDICT_WAIT);
	}
	counts_agree(w);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filled),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_settle),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
