/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test flavor.c - the flavor that a resource group gets
 */
#include "world.h"

/* a may borrow b's 4 of each flavor, and evict jobs of lower priority */
#define QUEUE(options) "cohort org\nqueue a in org within=lower reclaim=any " \
	options " cpu@f=4 cpu@g=4\nqueue b in org cpu@f=4 cpu@g=4\n"
#define F_FULL "run r in a cpu@f=4 prio=-1\nrun s in b cpu@f=4\n"
#define G_FULL "run t in a cpu@g=4 prio=-1\nrun u in b cpu@g=4\n"
#define F_TAKEN "run r in a cpu@f=4\nrun s in b cpu@f=4\n"

static const struct world_case cases[] = {
	/* more than there can ever be, in both flavors */
	{ QUEUE("") "wait x in a cpu=9", 0, "nofit [-]" },
	/* the first one that is good enough */
	{ QUEUE("") "wait x in a cpu=4", 0, "fit [cpu@f#0]" },
	{ QUEUE("") "wait x in a cpu=4 not=f", 0, "fit [cpu@g#-1]" },
	{ QUEUE("") "wait x in a cpu=4 not=f not=g", 0, "nofit [-]" },
	/* one that borrows is good enough, or is not */
	{ QUEUE("") "wait x in a cpu=5", 0, "fit+1 [cpu@f#0+1]" },
	{ QUEUE("canborrow=next") "wait x in a cpu=5", 0,
	  "fit+1 [cpu@f#-1+1]" },
	{ QUEUE("canborrow=next") "run r in a cpu@f=1\nwait x in a cpu=4", 0,
	  "fit [cpu@g#-1]" },
	/* one that has to preempt is good enough, or is not */
	{ QUEUE("canpreempt=stop") F_FULL "wait x in a cpu=2", 0,
	  "preempt [cpu@f!#0]" },
	{ QUEUE("") F_FULL "wait x in a cpu=2", 0, "fit [cpu@g#-1]" },
	{ QUEUE("") F_FULL G_FULL "wait x in a cpu=2", 0,
	  "preempt [cpu@f!#-1]" },
	/* a flavor where no job may be evicted is the last resort */
	{ QUEUE("canpreempt=stop") F_TAKEN "wait x in a cpu=2", 0,
	  "fit [cpu@g#-1]" },
	{ QUEUE("canpreempt=stop") F_TAKEN G_FULL "wait x in a cpu=2", 0,
	  "preempt [cpu@g!#-1]" },
	{ "queue a cpu@f=4 cpu@g=3\nrun r in a cpu@f=4\nrun s in a cpu@g=3\n"
	  "wait x in a cpu=4", 0, "preempt [cpu@f!#-1]" },
	/* the choice: borrow in one flavor or preempt in the other */
	{ QUEUE("canborrow=next") "run r in a cpu@f=4\n"
	  "run s in a cpu@g=4 prio=-1\nrun t in b cpu@g=4\nwait x in a cpu=2",
	  0, "fit+1 [cpu@f#-1+1]" },
	{ QUEUE("canborrow=next prefer=preempt") "run r in a cpu@f=4\n"
	  "run s in a cpu@g=4 prio=-1\nrun t in b cpu@g=4\nwait x in a cpu=2",
	  0, "preempt [cpu@g!#-1]" },
	/* to reclaim is better than to evict a job of the own queue */
	{ QUEUE("") "run r in a cpu@f=4 prio=-1\nrun s in b cpu@f=4\n"
	  "run t in b cpu@g=8\nwait x in a cpu=2", 0, "preempt [cpu@g!#-1]" },
	/* all resources of the group together */
	{ "queue a cpu@f=4 mem@f=1 cpu@g=4 mem@g=4\nwait x in a cpu=2 mem=2",
	  0, "fit [cpu@g#-1 mem@g#-1]" },
	{ "queue a cpu@f=4 cpu@g=4 | mem@h=4\nwait x in a cpu=2 mem=2", 0,
	  "fit [cpu@f#0 mem@h#-1]" },
	/* one resource borrows, another needs eviction: that is no fit,
	 * whatever the preference */
	{ "cohort org\nqueue a in org within=lower reclaim=any canborrow=next "
	  "prefer=preempt cpu@f=2 mem@f=2\nqueue b in org cpu@f=2 mem@f=0\n"
	  "run r in a mem@f=2 prio=-1\nwait x in a cpu=3 mem=1", 0,
	  "preempt+1 [cpu@f#-1+1 mem@f!#-1]" },
};

static void test_flavors(void **state)
{
	(void) state;
	world_cases(cases, COUNT(cases), world_assign);
}

/* The answer of a scenario, in place of a search */
struct canned {
	enum suit suit;
	int borrow;
	int asked;
};

static void canned_ask(void *arg, int flavor, int resource, int64_t amount,
		       enum suit *suit, int *borrow)
{
	struct canned *canned = arg;

	assert_int_equal(flavor, 0);
	assert_int_equal(resource, 0);
	assert_int_equal(amount, 2);
	*suit = canned->suit;
	*borrow = canned->borrow;
	canned->asked++;
}

static void test_oracle(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\n"
					   "wait x in a cpu=2\n");
	struct canned canned = { SUIT_RECLAIM, 3, 0 };
	const struct oracle oracle = { canned_ask, &canned };
	struct workload *x = world_workload(world, "x");
	const struct assignment *a;
	const struct charge usage = { 0, 0, 3 };

	(void) state;
	a = engine_assign(world->engine, x, 0, &oracle);
	assert_int_equal(a->mode, MODE_FIT);
	assert_int_equal(canned.asked, 0);
	assert_int_equal(engine_charge_queue(world->engine, 0, &usage, 1), 0);
	a = engine_assign(world->engine, x, 0, &oracle);
	assert_int_equal(a->mode, MODE_PREEMPT);
	assert_int_equal(a->borrow, 3);
	assert_true(a->needs[0]);
	assert_int_equal(canned.asked, 1);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flavors),
		cmocka_unit_test(test_oracle),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
