/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test budget - a plan that uses up its budget, and the plans that go on behind it
 */
#include "candidates/candidate.h"
#include "query.h"
#include "world.h"

#define QUEUES 8
#define SHAPES 8

/* Each queue is full, and nobody may evict: all that waits has to be looked at, in vain. Only the
 * last job of the last queue fits. */
static struct world *world_of(char *text, const char *last)
{
	size_t n = (size_t) sprintf(text, "cohort c\n");

	for (int q = 0; q < QUEUES; q++)
		n += (size_t) sprintf(text + n, "queue q%d in c cpu@f=4 mem@f=9 within=lower\n", q);
	for (int q = 0; q < QUEUES; q++) {
		n += (size_t) sprintf(text + n, "run r%d in q%d cpu@f=4 prio=9\n", q, q);
		for (int s = 0; s < SHAPES; s++)
			n += (size_t) sprintf(text + n, "wait w%d_%d in q%d cpu=%d at=%d\n",
					      q, s, q, 1 + s, s);
	}
	sprintf(text + n, "%s", last);
	return world_create(text);
}

/* How many plans it takes until the job may start, each a second later */
static int plans_until_start(struct world *w, const char *job, int64_t *now)
{
	int plans = 0;

	while (world_verdict(w, job)->kind != VERDICT_START) {
		assert_true(++plans < 1000);
		*now += SPEC_SEC;
		engine_plan(w->engine, *now);
	}
	return plans;
}

static void test_everybody_has_a_turn(void **state)
{
	static char text[1 << 16];
	struct world *w = world_of(text, "wait last in q7 mem=1 at=99\n");
	int64_t now = 100 * SPEC_SEC;

	/* one plan without a bound */
	assert_int_equal(plans_until_start(w, "last", &now), 1);
	assert_int_equal(engine_cut_plans(w->engine), 0);
	assert_int_equal(engine_next_expiry(w->engine), 0);
	world_destroy(w);
	/* one head or so in each plan: at most as many plans as there are shapes */
	w = world_of(text, "wait last in q7 mem=1 at=99\n");
	engine_set_plan_budget(w->engine, 1);
	assert_in_range(plans_until_start(w, "last", &now), 2, QUEUES * (SHAPES + 1) + 1);
	assert_true(engine_cut_plans(w->engine) > 0);
	/* until then each asked for the next one, a second later */
	world_destroy(w);
}

/* All that wait have another priority: each has another shape */
static void priorities_change(struct world *w, int64_t priority)
{
	for (size_t i = 0; i < w->nworkloads; i++) {
		struct workload_desc d;

		if (workload_running(w->workloads[i]))
			continue;
		workload_describe(w->workloads[i], &d);
		d.priority = priority;
		assert_int_equal(engine_update(w->engine, w->workloads[i], &d), 0);
	}
}

/* Slurm's priorities change all the time: who has had a turn has had it all the same. */
static void test_turns_survive_updates(void **state)
{
	static char text[1 << 16];
	struct world *w = world_of(text, "wait last in q7 mem=1 at=99\n");
	int64_t now = 100 * SPEC_SEC;
	int plans = 0;

	engine_set_plan_budget(w->engine, 1);
	while (world_verdict(w, "last")->kind != VERDICT_START) {
		assert_true(++plans <= QUEUES * (SHAPES + 1) + 1);
		priorities_change(w, -plans);
		engine_plan(w->engine, now += SPEC_SEC);
	}
	world_destroy(w);
}

static void test_goes_on(void **state)
{
	static char text[1 << 16];
	struct world *w = world_of(text, "");
	int64_t now = 100 * SPEC_SEC;
	const struct verdict *v;

	engine_set_plan_budget(w->engine, 1);
	engine_plan(w->engine, now);
	assert_int_equal(engine_next_expiry(w->engine), now + SPEC_SEC);
	/* whom it did not come to waits for its turn */
	v = world_verdict(w, "w7_7");
	assert_int_equal(v->kind, VERDICT_WAIT);
	assert_int_equal(v->reason, WAIT_IS_ORDER);
	assert_false(engine_is_planned(w->engine, world_workload(w, "w7_7")));
	for (int i = 0; i < 2 * QUEUES * SHAPES; i++)
		engine_plan(w->engine, now += SPEC_SEC);
	/* in the end all know what they wait for */
	for (int q = 0; q < QUEUES; q++) {
		char name[16];

		sprintf(name, "w%d_7", q);
		v = world_verdict(w, name);
		assert_int_equal(v->reason, WAIT_IS_QUOTA);
	}
	/* with a budget for all it is over */
	engine_set_plan_budget(w->engine, 1000000);
	engine_plan(w->engine, now += SPEC_SEC);
	engine_plan(w->engine, now += SPEC_SEC);
	assert_int_equal(engine_next_expiry(w->engine), 0);
	assert_true(engine_is_planned(w->engine, world_workload(w, "w7_7")));
	world_destroy(w);
}

/* What starts in a plan that is cut off starts; that another job waits is no answer yet. */
static void test_answers_of_a_cut_plan(void **state)
{
	struct world *w = world_create("cohort c\nqueue a in c cpu@f=4\nqueue b in c cpu@f=4\n"
				       "queue h in c hold cpu@f=4\nwait x in a cpu=2\n"
				       "wait y in a cpu=1 at=1\nwait z in b cpu=5\n"
				       "wait n in b cpu=99\nwait s in h cpu=1\n");

	engine_set_plan_budget(w->engine, 1);
	engine_plan(w->engine, 100 * SPEC_SEC);
	assert_int_equal(engine_cut_plans(w->engine), 1);
	assert_int_equal(world_verdict(w, "x")->kind, VERDICT_START);
	assert_true(engine_is_planned(w->engine, world_workload(w, "x")));
	assert_false(engine_is_planned(w->engine, world_workload(w, "y")));
	assert_false(engine_is_planned(w->engine, world_workload(w, "z")));
	/* whatever the plan came to */
	assert_true(engine_is_planned(w->engine, world_workload(w, "s")));
	world_destroy(w);
}

/* The looks of a plan that tries so many flavors in vain */
static uint64_t looks_with(int flavors)
{
	char text[1024] = "queue a";
	struct world *w;
	uint64_t looks;

	for (int f = 0; f < flavors; f++)
		sprintf(text + strlen(text), " cpu@f%d=1", f);
	strcat(text, "\nwait x in a cpu=2\n");
	w = world_create(text);
	(void) world_plan(w, 0);
	looks = w->engine->searches->looks;
	world_destroy(w);
	return looks;
}

/* A head that finds no flavor takes time, too. */
static void test_flavors_count(void **state)
{
	assert_true(looks_with(1) >= 1);
	assert_true(looks_with(5) >= looks_with(1) + 4);
}

/* Queues that do not borrow come first. */
static void test_owners_first(void **state)
{
	static const char told[] =
		"cohort c\nqueue a in c cpu@f=0\nqueue b in c cpu@f=0\nqueue o in c cpu@f=4\n"
		"queue z in c cpu@f=4\nrun x in a cpu@f=2\nrun y in b cpu@f=2\n"
		"wait a1 in a cpu=2 at=1\nwait b1 in b cpu=2 at=1\nwait o1 in o cpu=2 at=9\n";
	struct world *w = world_create(told);

	/* for two heads: that of the queue with which it begins, and one more */
	engine_set_plan_budget(w->engine, 2);
	engine_plan(w->engine, 100 * SPEC_SEC);
	assert_int_equal(world_verdict(w, "o1")->kind, VERDICT_START);
	world_destroy(w);
}

/* The looks of a plan that evicts what borrows below so many cohorts */
static uint64_t looks_below(int depth)
{
	char text[4096];
	size_t n = (size_t) sprintf(text, "cohort c0\n");
	struct world *w;
	uint64_t looks;

	for (int i = 1; i < depth; i++)
		n += (size_t) sprintf(text + n, "cohort c%d in c%d\n", i, i - 1);
	n += (size_t) sprintf(text + n, "queue a in c0 reclaim=any cpu@f=8\n"
			      "queue b in c%d cpu@f=0\n", depth - 1);
	for (int i = 0; i < 8; i++)
		n += (size_t) sprintf(text + n, "run r%d in b cpu@f=1\n", i);
	sprintf(text + n, "wait x in a cpu=8\n");
	w = world_create(text);
	assert_string_equal(world_plan(w, 0), "x=preempt#1(8)");
	looks = w->engine->searches->looks;
	world_destroy(w);
	return looks;
}

/* What leaves a queue leaves all cohorts above it: that takes time, too. */
static void test_depth_counts(void **state)
{
	assert_true(looks_below(32) > looks_below(1));
}

/* The looks of a plan in which so many queues borrow, and no job may be evicted */
static uint64_t looks_beside(int queues)
{
	char text[1024];
	size_t n = (size_t) sprintf(text, "cohort c\nqueue a in c reclaim=lower cpu@f=4\n");
	struct world *w;
	uint64_t looks;

	for (int i = 0; i < queues; i++)
		n += (size_t) sprintf(text + n, "queue b%d in c cpu@f=0\n", i);
	for (int i = 0; i < queues; i++)
		n += (size_t) sprintf(text + n, "run r%d in b%d cpu@f=1 prio=9\n", i, i);
	sprintf(text + n, "wait x in a cpu=4\n");
	w = world_create(text);
	(void) world_plan(w, 0);
	assert_int_equal(engine_verdict(w->engine, world_workload(w, "x"))->reason, WAIT_IS_QUOTA);
	looks = w->engine->searches->looks;
	world_destroy(w);
	return looks;
}

/* A queue in which there is nothing to find takes time, too. */
static void test_queues_count(void **state)
{
	assert_true(looks_beside(4) >= looks_beside(1) + 3);
}

TESTS(cmocka_unit_test(test_everybody_has_a_turn), cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_turns_survive_updates), cmocka_unit_test(test_answers_of_a_cut_plan),
      cmocka_unit_test(test_flavors_count),
      cmocka_unit_test(test_owners_first), cmocka_unit_test(test_depth_counts),
      cmocka_unit_test(test_queues_count))
