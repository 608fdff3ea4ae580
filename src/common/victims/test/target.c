/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test target.c - what both searches for victims share
 */
#include "holding/holding.h"
#include "victims/target.h"
#include "world.h"

#define TELL "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\n" \
	"run r in a cpu@f=1 since=3\nrun s in a cpu@f=2 since=2\n" \
	"run t in a cpu@f=4 since=1\nwait x in a cpu=1\n"

static struct search search_of(struct world *world, const struct use *demand)
{
	return (struct search) {
		.e = world->engine, .q = &world->engine->queues[0],
		.w = world_workload(world, "x"), .demand = demand,
		.ndemand = 1,
	};
}

static void test_fits(void **state)
{
	static const struct {
		int64_t amount;
		bool borrow, fits;
	} cases[] = {
		{ 0, true, true }, { 1, true, true }, { 2, true, false },
		{ 0, false, false },	/* a is above its 4 already */
	};
	struct world *world = world_create(TELL);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct use demand = { 0, cases[i].amount };
		struct search s = search_of(world, &demand);

		assert_int_equal(search_fits(&s, cases[i].borrow), cases[i].fits);
	}
	world_destroy(world);
}

/* Targets are removed one after the other; which are kept, for how much */
static void test_fill_back(void **state)
{
	static const struct {
		int64_t amount;
		bool borrow;
		const char *kept;
	} cases[] = {
		/* the last one is never put back, it was what made it fit */
		{ 1, true, "t" }, { 5, true, "t" },
		/* from the second last to the first */
		{ 6, true, "rt" }, { 7, true, "st" }, { 8, true, "rst" },
		{ 1, false, "t" }, { 2, false, "rt" }, { 4, false, "rst" },
	};
	struct world *world = world_create(TELL);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct use demand = { 0, cases[i].amount };
		struct search s = search_of(world, &demand);
		struct target targets[] = {
			{ world_workload(world, "r")->held, 0, LIST_PRIORITY },
			{ world_workload(world, "s")->held, 0, LIST_PRIORITY },
			{ world_workload(world, "t")->held, 0, LIST_PRIORITY },
		};
		size_t mark = trial_begin(world->engine), n;
		char kept[8] = "";

		for (size_t k = 0; k < 3; k++)
			target_remove(world->engine, targets[k].h);
		n = targets_fill_back(&s, targets, 3, cases[i].borrow);
		for (size_t k = 0; k < n; k++)
			strcat(kept, world_name(world, targets[k].h->w));
		assert_string_equal(kept, cases[i].kept);
		assert_true(search_fits(&s, cases[i].borrow));
		trial_end(world->engine, mark);
	}
	world_destroy(world);
}

static void test_restore(void **state)
{
	struct world *world = world_create(TELL);
	uint64_t digest = engine_digest(world->engine);
	struct holding *h = world_workload(world, "t")->held;

	target_remove(world->engine, h);
	assert_true(engine_digest(world->engine) != digest);
	target_restore(world->engine, h);
	assert_true(engine_digest(world->engine) == digest);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_fits), cmocka_unit_test(test_fill_back), cmocka_unit_test(test_restore))
