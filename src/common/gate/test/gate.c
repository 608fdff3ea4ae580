/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test gate.c - one workload against the books as they are now
 */
#include "query.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org within=lower reclaim=any cpu@f=4\n" \
	"queue b in org within=lower reclaim=any cpu@f=4\n"

static void test_fits(void **state)
{
	static const struct {
		const char *charges;
		const char *gone[2];
		bool fits;
	} cases[] = {
		{ "cpu@f=2", { NULL }, false },
		{ "cpu@f=1", { NULL }, true },
		{ "cpu@f=2", { "r" }, true },
		{ "cpu@f=4", { "r" }, true },
		{ "cpu@f=5", { "r" }, false },
		{ "cpu@f=4", { "r", "r" }, true },
		{ "cpu@f=5", { "r", "r" }, false },	/* it goes only once */
		{ "cpu@f=8", { "r", "s" }, true },
		{ "cpu@f=9", { "r", "s" }, false },
		{ "cpu@f=1", { "y" }, true },		/* never ran */
		{ "cpu@f=2", { "y" }, false },
	};
	struct world *world = world_create(TWO "run r in b cpu@f=3\nrun s in b cpu@f=4\n"
		"wait x in a cpu=1\nwait y in a cpu=1");
	uint64_t digest = engine_digest(world->engine);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct victim gone[2];
		struct charge charges[2];
		size_t n, ngone = 0;

		while (ngone < 2 && cases[i].gone[ngone]) {
			gone[ngone].workload = world_workload(world, cases[i].gone[ngone]);
			ngone++;
		}
		n = world_charges(world, cases[i].charges, charges);
		assert_int_equal(engine_fits(world->engine, world_workload(world, "x"),
					     charges, n, gone, ngone), cases[i].fits);
		assert_true(engine_digest(world->engine) == digest);
	}
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_fits))
