/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test victims without memory - each allocation of a search fails once: no wrong
 * victims then, and the next search finds the right ones
 */
#include "query.h"
#include "holding/holding.h"
#include "world.h"

#include "failing.h"

/* The first pass finds none but b1; the second one has a retry list. */
static const char told[] = "site fair\ncohort org\ncohort left in org\n"
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
		assert_string_equal(world_victims(world, victims, found), "b1/InCohortFairSharing");
	return failed;
}

/* Each time it is a new engine, which keeps no memory yet. */
static void test_search(void **state)
{
	bool failed = true;
	size_t n;

	for (n = 0; failed; n++) {
		struct world *world = world_create(told);
		uint64_t digest = engine_digest(world->engine);

		failed = search_poor(world, n + 1);
		assert_true(engine_digest(world->engine) == digest);
		assert_string_equal(world_targets(world, "x", "cpu@f=2", 0),
				    "b1/InCohortFairSharing");
		world_destroy(world);
	}
	/* streams, targets, uses */
	assert_true(n > 3);
}

/* ---- a cycle ---- */

static const char flat[] = "cohort org\ncohort sub in org\n"
	"queue a in sub within=lower reclaim=any cpu@f=4\n"
	"queue b in org within=lower reclaim=any cpu@f=4\n"
	"queue c in org cpu@f=0\nqueue d in sub cpu@f=0\n"
	"run c1 in c cpu@f=2\nrun c2 in c cpu@f=2\nrun d1 in d cpu@f=2\n"
	"run d2 in d cpu@f=2\nwait x in a cpu=2 at=1\n"
	"wait y in b cpu=2 at=2\n";

/* No cycle, and no trace of it; the next one is right. */
static void test_cycle(void **state)
{
	static const char right[] = "x:preempting(c1/InCohortReclamation) "
				    "y:preempting(c2/InCohortReclamation)";
	bool failed = true;
	size_t n;

	for (n = 0; failed; n++) {
		struct world *world = world_create(flat);
		uint64_t digest = engine_digest(world->engine);
		const struct head *heads;
		size_t nheads;
		int rc;

		failing_begin(n + 1);
		rc = engine_cycle(world->engine, 0, &heads, &nheads);
		failed = failing_end();
		assert_int_equal(rc, failed ? -1 : 0);
		assert_true(engine_digest(world->engine) == digest);
		for (size_t i = 0; i < world->nworkloads; i++) {
			const struct holding *h = holding_of(world->workloads[i]);

			assert_false(h && (h->gone || h->taken));
		}
		assert_string_equal(world_cycle(world, 0), right);
		world_destroy(world);
	}
	assert_true(n > 5);
}

TESTS(cmocka_unit_test(test_search), cmocka_unit_test(test_cycle))
