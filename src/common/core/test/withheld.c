/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test withheld.c - quota that a plan keeps out of reach of other queues
 */
#include "query.h"
#include "core/withheld.h"
#include "world.h"

#define TWO "cohort org\nqueue a in org cpu@f=4\nqueue b in org cpu@f=4\n"

/* What is free for b while quota is kept for a */
static void test_book(void **state)
{
	static const struct {
		const char *told;
		int64_t wanted;
		int64_t free;
	} cases[] = {
		{ TWO, 0, 8 },
		{ TWO, 3, 5 },
		{ TWO, 9, 4 },				/* nominal, no more */
		{ TWO "run r in a cpu@f=2", 3, 4 },
		{ TWO "run r in a cpu@f=5", 3, 3 },	/* nothing of its own */
		{ TWO "run r in b cpu@f=6", 3, -1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct engine *e = world->engine;
		struct use use = { 0, cases[i].wanted };
		uint64_t digest = engine_digest(e);
		size_t mark = trial_begin(e);

		withheld_want(e, &e->queues[0], &use, 1);
		withheld_book(e, &e->queues[0]);
		assert_int_equal(books_available(e->books, 2, 0), cases[i].free);
		withheld_book(e, &e->queues[0]);		/* once is enough */
		assert_int_equal(books_available(e->books, 2, 0), cases[i].free);
		withheld_lift(e, &e->queues[0]);
		assert_true(engine_digest(e) == digest);
		withheld_book(e, &e->queues[0]);
		trial_end(e, mark);
		assert_true(engine_digest(e) == digest);
		assert_int_equal(e->queues[0].withheld[0].booked, 0);
		world_destroy(world);
	}
}

/* What is kept follows the usage. */
static void test_change(void **state)
{
	struct world *world = world_create(TWO);
	struct engine *e = world->engine;
	struct queue *a = &e->queues[0];
	struct use two = { 0, 2 };
	size_t mark = trial_begin(e);

	withheld_want(e, a, &two, 1);
	withheld_book(e, a);
	assert_int_equal(books_usage(e->books, a->node, 0), 2);
	withheld_lift(e, a);
	books_add(e->books, a->node, 0, 3);
	withheld_book(e, a);
	assert_int_equal(books_usage(e->books, a->node, 0), 4);
	trial_end(e, mark);
	world_destroy(world);
}

/* First what b asks for is kept, as s is protected; then nothing is, as s is exempt. What was kept
 * for the plan before is gone: the memory has other contents. */
static void test_again(void **state)
{
	struct world *world = world_create("site reclaim=3600\ncohort lab\n"
		"queue v in lab reclaim=any cpu@f=8 mem@f=8\n"
		"queue p in lab reclaim=any cpu@f=8 mem@f=8\nrun s in v cpu@f=12 since=1\n"
		"wait b in p at=6 cpu=8\nwait z in v at=1 mem=1 cpu=0\n");
	const struct shape *b = world_workload(world, "b")->shape;

	world_plan(world, 10);
	assert_true(b->keeper.n);
	world_tell(world, "remove s\nrun s in v cpu@f=12 since=1 exempt=-1\n"
		   "remove z\nwait x in v at=1\nwait y in v at=2 mem=1");
	world_plan(world, 20);
	assert_string_equal(world_nominate(world, "x", 22), "fit");
	assert_false(b->keeper.n);
	world_destroy(world);
}

static const char *const stories[] = {
	/* a never fits: nothing is kept for it, although some job is protected */
	"site reclaim=3600\ncohort lab\nqueue v in lab cpu@f=8 mem@f=8\n"
	"queue p in lab reclaim=any cpu@f=8 mem@f=8\nrun r in v cpu@f=12 since=1\n"
	"wait a in p cpu=8 | mem=100\nwait x in v at=1 cpu=2\n"
	"plan 10 a=never(mem@f,need=100,max=16) x=start#1+\nnominate x 10 fit+1 cpu@f=2",
	/* what is kept for the second task of j is not kept any more when j is gone */
	"site reclaim=3600\ncohort lab\nqueue v in lab cpu@f=8\n"
	"queue p in lab reclaim=any cpu@f=8\nrun r in v cpu@f=10 since=1\n"
	"wait j in p cpu=4 tasks=2\nwait x in v at=1 cpu=2\n"
	"plan 10 j=start#1 x=start#2+\nnominate x 10 fit+1 cpu@f=2\n"
	"start j cpu@f=4 since=10\nnominate x 10 fit+1 cpu@f=2",
};

static void test_stories(void **state)
{
	world_stories(stories, COUNT(stories));
}

TESTS(cmocka_unit_test(test_stories), cmocka_unit_test(test_book), cmocka_unit_test(test_change),
      cmocka_unit_test(test_again))
