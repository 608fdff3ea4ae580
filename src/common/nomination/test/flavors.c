/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test flavors.c - which flavors the pod sets of a workload would get
 */
#include "nomination/nomination.h"
#include "world.h"

#define SMALL "queue a cpu@f=4 mem@f=4 cpu@g=4 mem@g=4\n"

/* The members of a group are listed at the place of the first one */
static void test_group_order(void **state)
{
	struct world *world = world_create(
		SMALL "wait x in a cpu=1 group=1 | cpu=3 | cpu=1 group=1");
	const struct assignment *a
		= engine_assign(world->engine, world_workload(world, "x"), 0, NULL);

	assert_int_equal(a->npodsets, 3);
	assert_int_equal(a->podsets[0].index, 0);
	assert_int_equal(a->podsets[1].index, 2);
	assert_int_equal(a->podsets[2].index, 1);
	world_destroy(world);
}

static void test_usage(void **state)
{
	struct world *world = world_create(SMALL "run r in a cpu@f=2 mem@f=1\n"
		"wait x in a cpu=1 mem=1 | cpu=1 mem=3 | mem=1");
	const struct assignment *a
		= engine_assign(world->engine, world_workload(world, "x"), 0, NULL);
	static const struct charge expected[] = {
		{ 0, 0, 1 }, { 0, 1, 2 }, { 1, 0, 1 }, { 1, 1, 3 },
	};

	assert_int_equal(a->mode, MODE_FIT);
	assert_int_equal(a->nusage, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_int_equal(a->usage[i].flavor, expected[i].flavor);
		assert_int_equal(a->usage[i].resource, expected[i].resource);
		assert_int_equal(a->usage[i].amount, expected[i].amount);
		assert_false(a->needs[i]);
	}
	world_destroy(world);
}

/* ---- the flavor of a resource group ---- */

/* a may borrow b's 4 of each flavor, and evict jobs of lower priority */
#define QUEUE(options) "cohort org\nqueue a in org within=lower reclaim=any " \
	options " cpu@f=4 cpu@g=4\nqueue b in org cpu@f=4 cpu@g=4\n"
#define F_FULL "run r in a cpu@f=4 prio=-1\nrun s in b cpu@f=4\n"
#define G_FULL "run t in a cpu@g=4 prio=-1\nrun u in b cpu@g=4\n"
#define F_TAKEN "run r in a cpu@f=4\nrun s in b cpu@f=4\n"

static const struct world_case cases[] = {
	/* a resource that is not covered: only with a request of 0 */
	{ "queue a cpu@f=4\nqueue b gpu@f=1\nwait x in a cpu=1 gpu=1", 0, "nofit [-]" },
	{ "queue a cpu@f=4\nqueue b gpu@f=1\nwait x in a cpu=1 gpu=0", 0, "fit [cpu@f#-1]" },
	/* a request of 0 for a covered one gets a flavor all the same */
	{ SMALL "wait x in a cpu=1 mem=0", 0, "fit [cpu@f#0 mem@f#0]" },
	{ SMALL "wait x in a", 0, "fit []" },
	/* pod sets one after the other; those behind a failure are not tried */
	{ SMALL "wait x in a cpu=4 | cpu=3", 0, "fit [cpu@f#0] [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=3 | cpu=1", 0, "fit [cpu@f#0] [cpu@f#0]" },
	{ SMALL "wait x in a cpu=3 | cpu=5 | cpu=1", 0, "nofit [cpu@f#0] [-]" },
	{ SMALL "wait x in a cpu=3 | cpu=3 not=f | cpu=2", 0, "nofit [cpu@f#0] [cpu@g#-1] [-]" },
	/* pod sets of a group get theirs together */
	{ SMALL "wait x in a cpu=2 group=1 | mem=2 group=1", 0, "fit [cpu@f#0] [mem@f#0]" },
	{ SMALL "wait x in a cpu=2 group=1 | mem=2 group=1 not=f", 0, "fit [cpu@g#-1] [mem@g#-1]" },
	{ SMALL "wait x in a cpu=3 group=1 | cpu=3 group=1", 0, "nofit [-] [-]" },
	/* amounts that differ by flavor: too much for the first one */
	{ SMALL "wait x in a cpu=2 cpu@f=5", 0, "fit [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 cpu@g=5", 0, "fit [cpu@f#0]" },
	{ SMALL "wait x in a cpu=5 cpu@g=4", 0, "fit [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 mem=2 mem@f=5", 0, "fit [cpu@g#-1 mem@g#-1]" },
	/* also where pod sets get theirs together, or add up */
	{ SMALL "wait x in a cpu=2 cpu@f=3 group=1 | cpu=2 group=1", 0,
	  "fit [cpu@g#-1] [cpu@g#-1]" },
	{ SMALL "wait x in a cpu=2 cpu@f=3 | cpu=2", 0, "fit [cpu@f#0] [cpu@g#-1]" },
	/* more than there can ever be, in both flavors */
	{ QUEUE("") "wait x in a cpu=9", 0, "nofit [-]" },
	/* the first one that is good enough */
	{ QUEUE("") "wait x in a cpu=4", 0, "fit [cpu@f#0]" },
	{ QUEUE("") "wait x in a cpu=4 not=f", 0, "fit [cpu@g#-1]" },
	{ QUEUE("") "wait x in a cpu=4 not=f not=g", 0, "nofit [-]" },
	/* one that borrows is good enough, or is not */
	{ QUEUE("") "wait x in a cpu=5", 0, "fit+1 [cpu@f#0+1]" },
	{ QUEUE("canborrow=next") "wait x in a cpu=5", 0, "fit+1 [cpu@f#-1+1]" },
	{ QUEUE("canborrow=next") "run r in a cpu@f=1\nwait x in a cpu=4", 0, "fit [cpu@g#-1]" },
	/* one that has to preempt is good enough, or is not */
	{ QUEUE("canpreempt=stop") F_FULL "wait x in a cpu=2", 0, "preempt [cpu@f!#0]" },
	{ QUEUE("") F_FULL "wait x in a cpu=2", 0, "fit [cpu@g#-1]" },
	{ QUEUE("") F_FULL G_FULL "wait x in a cpu=2", 0, "preempt [cpu@f!#-1]" },
	/* a flavor where no job may be evicted is the last resort */
	{ QUEUE("canpreempt=stop") F_TAKEN "wait x in a cpu=2", 0, "fit [cpu@g#-1]" },
	{ QUEUE("canpreempt=stop") F_TAKEN G_FULL "wait x in a cpu=2", 0, "preempt [cpu@g!#-1]" },
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
	/* one resource borrows, another needs eviction: that is no fit, whatever the preference */
	{ "cohort org\nqueue a in org within=lower reclaim=any canborrow=next "
	  "prefer=preempt cpu@f=2 mem@f=2\nqueue b in org cpu@f=2 mem@f=0\n"
	  "run r in a mem@f=2 prio=-1\nwait x in a cpu=3 mem=1", 0,
	  "preempt+1 [cpu@f#-1+1 mem@f!#-1]" },
};

static void test_cases(void **state)
{
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
	struct world *world = world_create("queue a cpu@f=4\nwait x in a cpu=2\n");
	struct canned canned = { SUIT_RECLAIM, 3, 0 };
	const struct oracle oracle = { canned_ask, &canned };
	struct workload *x = world_workload(world, "x");
	const struct assignment *a;
	const struct charge usage = { 0, 0, 3 };

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

/* ---- how much a pod set asks for ---- */

static void test_scale(void **state)
{
	struct request request = { .amount = 10 };
	struct podset_desc ps = { .count = 3, .requests = &request };

	assert_int_equal(request_least(&ps, 0, 3), 10);
	assert_int_equal(request_least(&ps, 0, 2), 6);	/* (10 / 3) * 2 */
	assert_int_equal(request_least(&ps, 0, 1), 3);
	assert_int_equal(request_least(&ps, 0, 0), 0);
	ps.count = 1;
	request.amount = INT64_MAX / 2;
	assert_int_equal(request_least(&ps, 0, 3), INT64_MAX);
}

static void test_by_flavor(void **state)
{
	const int64_t by_flavor[] = { 4, 8 };
	struct request request = { .amount = 4 };
	struct podset_desc ps = { .count = 2, .requests = &request,
				  .by_flavor = by_flavor };
	struct books books = { .nflavors = 2 };
	struct engine e = { .books = &books };

	assert_int_equal(request_in(&e, &ps, 0, 1, 2), 8);
	assert_int_equal(request_in(&e, &ps, 0, 1, 1), 4);
	assert_int_equal(request_least(&ps, 0, 2), 4);
	ps.by_flavor = NULL;
	assert_int_equal(request_in(&e, &ps, 0, 1, 2), 4);
}

static void test_least_count(void **state)
{
	struct podset_desc ps = { .count = 5, .min_count = 2 };
	struct engine e = { .no_partial = false };

	assert_int_equal(request_least_count(&e, &ps), 2);
	e.no_partial = true;
	assert_int_equal(request_least_count(&e, &ps), 5);
	e.no_partial = false;
	ps.min_count = 0;
	assert_int_equal(request_least_count(&e, &ps), 5);
}

TESTS(cmocka_unit_test(test_group_order), cmocka_unit_test(test_usage),
      cmocka_unit_test(test_cases), cmocka_unit_test(test_oracle), cmocka_unit_test(test_scale),
      cmocka_unit_test(test_by_flavor), cmocka_unit_test(test_least_count))
