/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test least.c - what all holdings of a queue use, at the least
 */
#include <stdio.h>

#include "holding/least.h"
#include "world.h"

/* "pair=amount ..." */
static const char *least_say(struct world *w)
{
	static char text[64];
	size_t n, length = 0;
	const struct use *least = queue_least(&w->engine->queues[0], &n);

	*text = '\0';
	for (size_t i = 0; i < n; i++)
		length += (size_t) snprintf(text + length, sizeof(text) - length,
					    "%s%d=%d", i ? " " : "",
					    least[i].pair,
					    (int) least[i].amount);
	return text;
}

static void test_least(void **state)
{
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n");

	(void) state;
	assert_string_equal(least_say(w), "");
	world_tell(w, "run a in q cpu@f=5 mem@f=2");
	assert_string_equal(least_say(w), "0=5 1=2");
	world_tell(w, "run b in q cpu@f=3 mem@f=4");
	assert_string_equal(least_say(w), "0=3 1=2");
	/* it is remembered until a holding goes or changes */
	assert_true(w->engine->queues[0].least_known);
	world_tell(w, "start b cpu@f=7 mem@f=1");
	assert_string_equal(least_say(w), "0=5 1=1");
	world_tell(w, "run c in q cpu@f=1");
	assert_string_equal(least_say(w), "0=1");
	world_tell(w, "run d in q mem@f=1");
	assert_string_equal(least_say(w), "");
	world_tell(w, "remove d\nremove c\nremove a");
	assert_string_equal(least_say(w), "0=7 1=1");
	world_destroy(w);
}

/* No pair twice, whatever a job was charged */
static void test_merged(void **state)
{
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n");
	struct charge charges[] = { { 0, 0, 2 }, { 0, 1, 1 }, { 0, 0, 3 } };

	(void) state;
	world_tell(w, "run a in q cpu@f=5");
	assert_int_equal(engine_start(w->engine, world_workload(w, "a"),
				      charges, 3, 0), 0);
	assert_string_equal(least_say(w), "0=5 1=1");
	world_tell(w, "run b in q cpu@f=4 mem@f=4");
	assert_string_equal(least_say(w), "0=4 1=1");
	world_destroy(w);
}

/* A plan starts one job after the other: it looks at no other holding for that. */
static void test_started(void **state)
{
	struct use use = { 0, 2 };
	struct world *w = world_create("queue q cpu@f=9 mem@f=9\n"
				       "wait x in q cpu=2\n");
	struct queue *q = &w->engine->queues[0];
	struct holding h = { .w = world_workload(w, "x"), .uses = &use,
			     .nuses = 1, .reserved_at = 1 };

	(void) state;
	/* what none uses says nothing of the first one */
	assert_string_equal(least_say(w), "");
	holding_list(&h, q);
	assert_string_equal(least_say(w), "0=2");
	holding_unlist(&h);
	world_tell(w, "run a in q cpu@f=5 mem@f=2");
	assert_string_equal(least_say(w), "0=5 1=2");
	holding_list(&h, q);
	assert_true(q->least_known);
	assert_string_equal(least_say(w), "0=2");
	holding_unlist(&h);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_started),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
