/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test victims without memory - each allocation of a search by fair share fails
 * once: no wrong victims then, and the next search finds the right ones
 */
#include "query.h"
#include "victims/givers.h"
#include "world.h"

#include "failing.h"

/* The first pass finds none but b1; the second one has a retry list. */
static const char told[] =
	"site fair\ncohort org\ncohort left in org\n"
	"queue a in org within=lower reclaim=any cpu@f=3\n"
	"queue b in left within=lower reclaim=any cpu@f=3\n"
	"queue c in org within=lower reclaim=any cpu@f=3\n"
	"run b1 in b cpu@f=6\nrun a1 in a cpu@f=3\nwait x in a cpu=2\n";

/* Makes the search while the n-th allocation fails: true. There is no victim
 * then, or, if the search did not depend on it, the right one. */
static bool search_poor(struct world *world, size_t n)
{
	static const struct charge ask[] = { { 0, 0, 2 } };
	const struct victim *victims;
	size_t found;
	bool failed;

	failing_begin(n);
	found = engine_targets(world->engine, world_workload(world, "x"), 0,
			       ask, 1, ask, 1, &victims);
	failed = failing_end();
	assert_in_range(found, !failed, 1);
	if (found)
		assert_string_equal(world_victims(world, victims, found),
				    "b1/InCohortFairSharing");
	return failed;
}

/* Each time it is a new engine, which keeps no memory yet. */
static void test_search(void **state)
{
	bool failed = true;
	size_t n;

	(void) state;
	for (n = 0; failed; n++) {
		struct world *world = world_create(told);
		uint64_t digest = engine_digest(world->engine);

		failed = search_poor(world, n + 1);
		assert_true(engine_digest(world->engine) == digest);
		assert_string_equal(world_targets(world, "x", "cpu@f=2", 0),
				    "b1/InCohortFairSharing");
		world_destroy(world);
	}
	/* streams, targets, givers, uses, the retry list */
	assert_true(n > 5);
}

/* Nothing is begun without the heaps; then it is as usual. */
static void test_begin(void **state)
{
	struct world *world = world_create(told);
	struct engine *e = world->engine;
	struct search s = { .e = e, .q = &e->queues[0], .now = 0 };
	struct givers givers = { 0 };

	(void) state;
	failing_begin(1);
	assert_false(givers_begin(&givers, &s));
	assert_true(failing_end());
	assert_true(e->no_memory);
	assert_true(givers_begin(&givers, &s));
	/* no streams are open */
	assert_int_equal(givers_next(&givers), SPEC_NONE);
	/* the memory is kept */
	failing_begin(1);
	assert_true(givers_begin(&givers, &s));
	assert_false(failing_end());
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_begin),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
