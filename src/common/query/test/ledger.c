/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test ledger.c - ledgers
 */
#include <errno.h>

#include "query.h"
#include "quota/history.h"
#include "world.h"

#define TREE "cohort org\nqueue a in org cpu@f=10+5-6\nqueue b in org cpu@f=4\n"

static void test_wrong_ledger(void **state)
{
	static const struct {
		bool is_cohort;
		int node, flavor, resource;
	} wrong[] = {
		{ false, -1, 0, 0 }, { false, 2, 0, 0 }, { true, 1, 0, 0 },
		{ true, -1, 0, 0 }, { false, 0, -1, 0 }, { false, 0, 1, 0 },
		{ false, 0, 0, -1 }, { false, 0, 0, 1 },
	};
	struct world *world = world_create(TREE);
	struct ledger l;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		errno = 0;
		assert_int_equal(engine_ledger(world->engine, wrong[i].is_cohort,
					       wrong[i].node, wrong[i].flavor,
					       wrong[i].resource, &l), -1);
		assert_int_equal(errno, EINVAL);
		assert_false(!wrong[i].is_cohort
			     && engine_borrows(world->engine, wrong[i].node,
					       wrong[i].flavor, wrong[i].resource));
	}
	world_destroy(world);
}

static void test_ledger(void **state)
{
	static const struct {
		const char *told;
		bool is_cohort;
		int node;
		struct ledger l;
	} cases[] = {
		/* nominal, limits, subtree, used, borrowed, lent, available, potential */
		{ TREE, false, 0, { 10, 5, 6, 10, 0, 0, 0, 14, 14 } },
		{ TREE, false, 1, { 4, SPEC_NO_LIMIT, SPEC_NO_LIMIT, 4, 0, 0, 0, 10, 10 } },
		{ TREE, true, 0, { 0, SPEC_NO_LIMIT, SPEC_NO_LIMIT, 10, 0, 0, 0, 10, 10 } },
		/* b borrows 3 of a's 6 */
		{ TREE "run r in b cpu@f=7", false, 1,
		  { 4, SPEC_NO_LIMIT, SPEC_NO_LIMIT, 4, 7, 3, 0, 3, 10 } },
		{ TREE "run r in b cpu@f=7", false, 0, { 10, 5, 6, 10, 0, 0, 3, 7, 14 } },
		/* what is owned is used */
		{ TREE "run r in a cpu@f=11\nwait x in a cpu=1\nown x cpu@f=1", false, 0,
		  { 10, 5, 6, 10, 12, 2, 0, 2, 14 } },
		/* more than there is: nothing is available */
		{ TREE "run r in b cpu@f=40", false, 0, { 10, 5, 6, 10, 0, 0, 6, 0, 14 } },
		{ TREE "run r in b cpu@f=40", true, 0,
		  { 0, SPEC_NO_LIMIT, SPEC_NO_LIMIT, 10, 40, 30, 0, 0, 10 } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct ledger l;

		assert_int_equal(engine_ledger(world->engine, cases[i].is_cohort,
					       cases[i].node, 0, 0, &l), 0);
		assert_memory_equal(&l, &cases[i].l, sizeof(l));
		if (!cases[i].is_cohort)
			assert_int_equal(engine_borrows(world->engine, cases[i].node, 0, 0),
					 l.borrowed > 0);
		world_destroy(world);
	}
}

/* A history at the time of its last event has not changed since. */
static void test_history_of_now(void **state)
{
	struct world *world = world_create("site fair half=3600\ncohort org\n"
					   "queue a in org cpu@f=0\nqueue b in org cpu@f=9\n"
					   "now 1000\nrun r in a cpu@f=100000000000000000");
	const struct usage_history kept = { .past = 0.5, .amount = 1e17, .at = 1000 };
	struct usage_history h;
	double *past = &history_past(world->engine->books, 1, 0)->past;

	assert_int_equal(engine_restore_history(world->engine, false, 0, 0, &kept), 0);
	*past = 0.5;
	assert_true(engine_history(world->engine, false, 0, 0, &h));
	assert_int_equal(h.at, 1000);
	assert_true(h.past == 0.5);
	/* an hour later it has come half way */
	engine_advance(world->engine, 4600);
	assert_true(engine_history(world->engine, false, 0, 0, &h));
	assert_int_equal(h.at, 4600);
	assert_true(is_near(h.past, 0.5e17));
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_wrong_ledger), cmocka_unit_test(test_ledger),
      cmocka_unit_test(test_history_of_now))
