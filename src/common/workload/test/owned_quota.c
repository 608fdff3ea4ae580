/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test owned_quota.c - freed quota that belongs to its preemptor, and trouble with
 * nodes
 */
#include <errno.h>

#include "query.h"
#include "holding/holding.h"
#include "workload/workload.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

#define TELL "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\n" \
	"run r in a cpu@f=1\nwait x in a cpu=1 at=5\nwait y in b cpu=1\nwait z in a cpu=1 at=1\n"

static void test_running_cannot_own(void **state)
{
	struct world *world = world_create(TELL);
	const struct charge charge = { 0, 0, 1 };

	errno = 0;
	assert_int_equal(engine_own(world->engine, world_workload(world, "r"), &charge, 1), -1);
	assert_int_equal(errno, EINVAL);
	world_destroy(world);
}

static void test_own(void **state)
{
	struct world *world = world_create(TELL);
	uint64_t digest = engine_digest(world->engine);

	world_tell(world, "own x cpu@f=3\n");
	assert_true(workload_owns(world_workload(world, "x")));
	assert_int_equal(world_used(world, false, 0, 0, 0), 4);
	assert_int_equal(world_used(world, true, 0, 0, 0), 4);
	world_tell(world, "own x cpu@f=2\n");		/* replaced */
	assert_int_equal(world_used(world, false, 0, 0, 0), 3);
	world_tell(world, "disown x\n");
	assert_false(workload_owns(world_workload(world, "x")));
	assert_true(engine_digest(world->engine) == digest);
	world_tell(world, "disown x\n");		/* nothing to give up */
	assert_true(engine_digest(world->engine) == digest);
	world_tell(world, "own x cpu@f=3\nremove x\n");
	assert_int_equal(world_used(world, true, 0, 0, 0), 1);
	world_destroy(world);
}

static void assert_owners(struct world *world, struct workload *const *first, const char *names)
{
	char found[32] = "";

	for (const struct workload *w = *first; w; w = w->claim->next_owner) {
		strcat(found, world_name(world, w));
		strcat(found, " ");
	}
	assert_string_equal(found, names);
}

/* In the order in which they came to own, a replaced claim keeps its place */
static void test_order(void **state)
{
	struct world *world = world_create(TELL "own y cpu@f=1\nown x cpu@f=1\nown z cpu@f=1\n"
					   "own y cpu@f=2\n");
	struct workload *const *first = &world->engine->trees[0].owners;

	assert_owners(world, first, "y x z ");
	world_tell(world, "disown x\n");
	assert_owners(world, first, "y z ");
	world_destroy(world);
}

/* Its own claim and those that came later */
static void test_lift(void **state)
{
	static const struct {
		const char *name;
		int64_t left;
	} cases[] = { { "y", 1 }, { "x", 1 + 1 }, { "z", 1 + 1 + 2 } };
	struct world *world = world_create(TELL "own y cpu@f=1\nown x cpu@f=2\nown z cpu@f=1\n");

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t mark = trial_begin(world->engine);

		owned_quota_lift(world->engine, world_workload(world, cases[i].name));
		assert_int_equal(world_used(world, true, 0, 0, 0), cases[i].left);
		trial_end(world->engine, mark);
		assert_int_equal(world_used(world, true, 0, 0, 0), 5);
	}
	world_destroy(world);
}

static void test_blocked(void **state)
{
	struct world *world = world_create(TELL "wait v in a cpu=1 at=9\n");
	struct workload *x = world_workload(world, "x");
	struct workload *z = world_workload(world, "z");

	world_tell(world, "blocked x\nblocked x\nblocked z\n");
	assert_true(x->blocked);
	assert_int_equal(world->engine->queues[0].nblocked, 2);
	world_tell(world, "blocked x no\n");
	assert_false(x->blocked);
	assert_true(z->blocked);
	world_tell(world, "remove z\n");
	assert_int_equal(world->engine->queues[0].nblocked, 0);
	/* a running one has nodes */
	world_tell(world, "blocked r\n");
	assert_false(world_workload(world, "r")->blocked);
	world_destroy(world);
}

/* Owners had their turn before: what they own is theirs, but no more than that */
static void test_owners_first(void **state)
{
	struct world *world = world_create(
		TWO "wait x in a cpu=2\nwait v in a cpu=2\nwait y in b cpu=6\n"
		"own y cpu@f=6\nblocked x\nblocked v");
	struct charge six = { 0, 0, 6 }, seven = { 0, 0, 7 };
	struct workload *y = world_workload(world, "y");

	assert_string_equal(world_plan(world, 0), "x=start#2 v=start#3 y=start#1+");
	assert_string_equal(world_nominate(world, "y", 0), "fit+1 cpu@f=6");
	assert_true(engine_fits(world->engine, y, &six, 1, NULL, 0));
	assert_false(engine_fits(world->engine, y, &seven, 1, NULL, 0));
	world_destroy(world);
}

/* In another queue it is not blocked any more. */
static void test_moved(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\nqueue b cpu@f=4\nwait x in a cpu=2\n"
					   "wait y in b cpu=2\nblocked x");
	struct workload *x = world_workload(world, "x");

	world_tell(world, "update x in a cpu=3");
	assert_true(x->blocked);
	world_tell(world, "update x in b cpu=2");
	assert_false(x->blocked);
	assert_int_equal(world->engine->queues[0].nblocked, 0);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_running_cannot_own), cmocka_unit_test(test_own),
      cmocka_unit_test(test_order), cmocka_unit_test(test_lift), cmocka_unit_test(test_blocked),
      cmocka_unit_test(test_owners_first), cmocka_unit_test(test_moved))
