/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test allow.c - what time keeps from being evicted, and when that ends
 */
#include "test/terms.h"
#include "world.h"

#define TURNS "queue a within=newer turn=60 pmin=100 cpu@f=4\n"

/* What x is told at 100, and when the plan has to be made again; then what it
 * is told just before that time, and at that time */
struct change {
	const char *told;
	const char *first;
	int64_t at;
	const char *before, *after;
};

static const struct change changes[] = {
	/* its turn ends while it is protected: nothing changes before that
	 * does */
	{ TURNS "run r in a cpu@f=4 since=90\nwait x in a cpu=4 at=9",
	  "x=protected(190)", 190, "x=protected(190)", "x=preempt#1(1)" },
	/* on its way out it is never protected, whatever the terms are */
	{ TURNS "run r in a cpu@f=4 since=90 evicting\n"
	  "wait x in a cpu=4 at=9", "x=protected(151)", 151,
	  "x=protected(151)", "x=preempt#1(1)" },
	{ TURNS "run r in a cpu@f=4 since=90 exempt=-1 evicting\n"
	  "wait x in a cpu=4 at=9", "x=protected(151)", 151,
	  "x=protected(151)", "x=preempt#1(1)" },
	{ "queue a within=newer turn=60 max=1 cpu@f=4\n"
	  "run r in a cpu@f=4 since=90 times=1 evicting\n"
	  "wait x in a cpu=4 at=9", "x=protected(151)", 151,
	  "x=protected(151)", "x=preempt#1(1)" },
	/* else it stays for good */
	{ TURNS "run r in a cpu@f=4 since=90 exempt=-1\n"
	  "wait x in a cpu=4 at=9", "x=quota(cpu@f,need=4,free=0)", 0, NULL,
	  NULL },
	/* a turn that ends gives a candidate another place: r is the one that
	 * has run for longest then */
	{ "queue a within=newer turn=60 cpu@f=4\n"
	  "run r in a cpu@f=2 at=5 since=70\nrun s in a cpu@f=2 at=6 since=90\n"
	  "wait x in a cpu=2 at=1", "x=preempt#1(1)", 131, "x=preempt#1(1)",
	  "x=preempt#1(1)" },
};

static void change_check(const struct change *c)
{
	struct world *w = world_create(c->told);

	assert_string_equal(world_plan(w, 100), c->first);
	assert_int_equal(engine_next_expiry(w->engine), c->at);
	if (c->at) {
		assert_false(engine_stale(w->engine, c->at - 1));
		assert_true(engine_stale(w->engine, c->at));
		assert_string_equal(world_plan(w, c->at - 1), c->before);
		assert_string_equal(world_plan(w, c->at), c->after);
	}
	world_destroy(w);
}

static void test_changes(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(changes); i++)
		change_check(&changes[i]);
}

/* A member of an elastic group may go while it is protected, once its turn is
 * over: that is an event. */
static void test_elastic(void **state)
{
	struct world *w = world_create(TURNS "run r in a cpu@f=2 since=90\n"
				       "run s in a cpu@f=2 since=91\n"
				       "wait x in a cpu=2 at=9");

	(void) state;
	assert_int_equal(terms_set_elastic(w->engine, world_workload(w, "r"), 1,
					1), 0);
	assert_int_equal(terms_set_elastic(w->engine, world_workload(w, "s"), 1,
					1), 0);
	assert_string_equal(world_plan(w, 100), "x=protected(190)");
	assert_int_equal(engine_next_expiry(w->engine), 151);
	assert_string_equal(world_plan(w, 150), "x=protected(190)");
	assert_string_equal(world_plan(w, 151), "x=preempt#1(1)");
	world_destroy(w);
}

/* The victim is another job when its turn has ended. */
static void test_order(void **state)
{
	struct world *w = world_create(changes[COUNT(changes) - 1].told);
	const struct verdict *v;

	(void) state;
	engine_plan(w->engine, 100);
	v = engine_verdict(w->engine, world_workload(w, "x"));
	assert_string_equal(world_victims(w, v->victims, v->nvictims),
			    "s/InClusterQueue");
	engine_plan(w->engine, 131);
	v = engine_verdict(w->engine, world_workload(w, "x"));
	assert_string_equal(world_victims(w, v->victims, v->nvictims),
			    "r/InClusterQueueTimeBased");
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_elastic),
		cmocka_unit_test(test_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
