/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test steps.c - the engine seen from inside
 */
#include <errno.h>

#include "query.h"
#include "world.h"

static const char *const names[] = { "admitted", "preempting", "noCandidates",
				     "nofit", "skipped", "deferredFit" };

static void test_names(void **state)
{
	for (size_t i = 0; i < COUNT(names); i++)
		assert_string_equal(outcome_name(i), names[i]);
}

static void each_name(void *arg, struct workload *w)
{
	struct world *world = arg;

	strcat(world->text, world_name(world, w));
}

/* "active/inadmissible" of queue a after a cycle */
static const char *ask_lists(struct world *world, int64_t now)
{
	world_cycle(world, now);
	world->text[0] = '\0';
	engine_queue_list(world->engine, 0, LIST_ACTIVE, each_name, world);
	strcat(world->text, "/");
	engine_queue_list(world->engine, 0, LIST_INADMISSIBLE, each_name, world);
	return world->text;
}

#define PAIR "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

static const struct world_case lists[] = {
	{ PAIR, 0, "/" },
	{ PAIR "wait x in a cpu=1\nwait y in a cpu=1", 0, "y/" },
	/* no chance: all of its shape are set aside, others stay */
	{ PAIR "wait x in a cpu=9 at=1\nwait y in a cpu=1 at=2\n"
	  "wait z in a cpu=9 at=3\nwait v in a cpu=9 prio=-1", 0, "yv/xz" },
	{ PAIR "run r in a cpu@f=8\nwait x in a cpu=1 at=1\nwait z in a cpu=1 at=2", 0, "/xz" },
	/* StrictFIFO sets nothing aside */
	{ "queue a strict cpu@f=4\nwait x in a cpu=9 at=1\nwait y in a cpu=1 at=2", 0, "xy/" },
	/* a job that evicts, or was skipped, comes back */
	{ PAIR "run r in b cpu@f=8\nwait x in a cpu=2\nwait y in a cpu=2", 0, "xy/" },
	{ PAIR "wait x in a cpu=6\nwait y in b cpu=3", 0, "x/" },
	/* flavors that were not tried yet: it comes back too */
	{ "queue a cpu@f=4 cpu@g=4 | mem@h=4\nrun r in a mem@h=4\n"
	  "wait x in a cpu=1 mem=1", 0, "x/" },
	{ "queue a hold cpu@f=4\nwait x in a cpu=1", 0, "x/" },
};

static void test_lists(void **state)
{
	world_cases(lists, COUNT(lists), ask_lists);
}

static void test_heads(void **state)
{
	struct world *world = world_create("queue lone cpu@f=4\n" PAIR "run r in b cpu@f=4\n"
		"run s in b cpu@f=4 since=1\nwait x in lone cpu=1\n"
		"wait y in a cpu=4 prio=1\nwait z in b cpu=4 prio=1\n");
	const struct head *heads;
	size_t n;

	assert_int_equal(engine_cycle(world->engine, 5, &heads, &n), 0);
	assert_int_equal(n, 3);
	assert_true(heads[0].root_is_cohort);
	assert_int_equal(heads[0].root, 0);
	assert_string_equal(world_name(world, heads[0].workload), "y");
	assert_int_equal(heads[0].outcome, OUTCOME_PREEMPTING);
	assert_int_equal(heads[0].nvictims, 1);
	assert_false(heads[0].recomputed);
	/* z would have evicted the same job; now there is another one */
	assert_int_equal(heads[1].order, 1);
	assert_int_equal(heads[1].n_nominated_victims, 1);
	assert_true(heads[1].recomputed);
	assert_ptr_not_equal(heads[1].nominated, heads[1].final);
	/* a queue without a cohort is a root of its own */
	assert_false(heads[2].root_is_cohort);
	assert_int_equal(heads[2].root, 0);
	assert_int_equal(heads[2].order, 0);
	assert_int_equal(heads[2].outcome, OUTCOME_ADMITTED);
	/* nothing has happened: the next plan says the same */
	assert_string_equal(world_plan(world, 5), "x=start#2 y=preempt#1(1) z=preempt#3(1)");
	world_destroy(world);
}

static void test_charge_queue(void **state)
{
	struct world *world = world_create(PAIR "wait x in a cpu=4\n");
	const struct charge charge = { 0, 0, 3 }, wrong = { 0, 7, 3 };

	errno = 0;
	assert_int_equal(engine_charge_queue(world->engine, 0, &wrong, 1), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(engine_charge_queue(world->engine, 0, &charge, 1), 0);
	assert_int_equal(engine_charge_queue(world->engine, 0, &charge, 1), 0);
	assert_int_equal(world_used(world, true, 0, 0, 0), 6);
	assert_string_equal(world_plan(world, 0), "x=quota(cpu@f,need=4,free=2)");
	world_destroy(world);
}

static void test_targets(void **state)
{
	struct world *world = world_create("queue a within=lower cpu@f=4 mem@f=4\n"
		"run r in a cpu@f=4 prio=-2\nrun s in a mem@f=4 prio=-1\n"
		"wait x in a cpu=1 mem=1\n");
	const struct charge demand[] = { { 0, 0, 1 }, { 0, 1, 1 } };
	const struct victim *victims;
	struct workload *x = world_workload(world, "x");

	/* candidates are only jobs that use what has to be preempted in */
	assert_int_equal(engine_targets(world->engine, x, 0, demand, 2, demand, 1, &victims), 0);
	assert_int_equal(engine_targets(world->engine, x, 0, demand, 1, demand, 1, &victims), 1);
	assert_ptr_equal(victims[0].workload, world_workload(world, "r"));
	assert_int_equal(engine_targets(world->engine, x, 0, demand, 2, demand, 2, &victims), 2);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_names), cmocka_unit_test(test_lists), cmocka_unit_test(test_heads),
      cmocka_unit_test(test_charge_queue), cmocka_unit_test(test_targets))
