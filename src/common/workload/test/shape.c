/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test shape.c - waiting workloads that are alike
 */
#include "core/podsets.h"
#include "test/random/draw.h"
#include "workload/workload.h"
#include "world.h"
#include "lib/test/hash_spread.h"

#define QUEUES "queue a cpu@f=4 mem@f=4 cpu@g=4\nqueue b cpu@f=4\n"

/* Whether x and y have the same shape, and whether they ask for the same */
static const struct {
	const char *x, *y;
	bool same, asks_same;
} cases[] = {
	{ "in a cpu=1", "in a cpu=1", true, true },
	{ "in a cpu=1", "in a cpu=1 at=9 tasks=4 starts=2 local=3", true, true },
	{ "in a cpu=1", "in b cpu=1", false, true },
	{ "in a cpu=1", "in a cpu=1 prio=1", false, true },
	{ "in a cpu=1", "in a cpu=2", false, false },
	{ "in a cpu=1", "in a mem=1", false, false },
	{ "in a cpu=1", "in a cpu=1 mem=0", false, false },
	{ "in a cpu=2 count=2", "in a cpu=2 count=1", false, false },
	{ "in a cpu=2 count=2 min=1", "in a cpu=2 count=2", false, false },
	{ "in a cpu=1 not=g", "in a cpu=1", false, false },
	{ "in a cpu=1 not=g", "in a cpu=1 not=g", true, true },
	{ "in a cpu=1 | cpu=1", "in a cpu=1", false, false },
	{ "in a cpu=1 | cpu=2", "in a cpu=2 | cpu=1", false, false },
	{ "in a cpu=1 group=1 | cpu=2", "in a cpu=1 | cpu=2", false, false },
	{ "in a", "in a", true, true },
};

static void test_same(void **state)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(QUEUES);
		char text[128];
		struct shape *x, *y;

		strcat(strcpy(text, "wait x "), cases[i].x);
		world_tell(world, text);
		strcat(strcpy(text, "wait y "), cases[i].y);
		world_tell(world, text);
		x = world_workload(world, "x")->shape;
		y = world_workload(world, "y")->shape;
		assert_int_equal(x == y, cases[i].same);
		assert_int_equal(x->podsets == y->podsets, cases[i].asks_same);
		world_destroy(world);
	}
}

static void test_users(void **state)
{
	struct world *world = world_create(QUEUES "wait x in a cpu=1\nwait y in a cpu=1\n"
		"wait z in a cpu=2\n");
	struct queue *a = &world->engine->queues[0];

	assert_int_equal(world->engine->shapes.n, 2);
	assert_int_equal(a->nshapes, 2);
	assert_int_equal(world_workload(world, "x")->shape->users, 2);
	/* a running workload still uses it, but it has one waiting workload less */
	world_tell(world, "start x cpu@f=1\nstart z cpu@f=1\n");
	assert_int_equal(world->engine->shapes.n, 2);
	assert_int_equal(a->nshapes, 1);
	world_tell(world, "remove z\n");
	assert_int_equal(world->engine->shapes.n, 1);
	world_tell(world, "remove x\nremove y\n");
	assert_int_equal(world->engine->shapes.n, 0);
	assert_int_equal(a->nshapes, 0);
	assert_null(a->shapes);
	world_destroy(world);
}

/* Shapes that ask for the same have one copy of that, as long as one of them is left. */
static void test_shared(void **state)
{
	struct world *world = world_create(
		QUEUES "wait x in a cpu=1 prio=1\nwait y in a cpu=1 prio=2\n"
		"wait z in a cpu=2 prio=1\n");
	const struct shape *x = world_workload(world, "x")->shape;
	const struct shape *y = world_workload(world, "y")->shape;

	assert_ptr_not_equal(x, y);
	assert_ptr_equal(x->podsets, y->podsets);
	assert_int_equal(world->engine->asks.n, 2);
	world_tell(world, "remove x\nremove z\n");
	assert_int_equal(world->engine->asks.n, 1);
	assert_int_equal(y->podsets[0].requests[0].amount, 1);
	world_tell(world, "remove y\n");
	assert_int_equal(world->engine->asks.n, 0);
	world_destroy(world);
}

#define FLAVORS 70		/* more than a word has bits */
#define ASKS 4096
#define MB 1048576

/* What a job asks for: it is drawn here, and podsets[] point to it. */
struct ask {
	struct podset_desc podsets[2];
	struct request requests[2][2];
	int64_t by_flavor[2][2 * FLAVORS];
	bool ineligible[2][FLAVORS];
	size_t n;
};

/* The amounts are few, or differ in few of their bits, as those of jobs do. */
static void podset_draw(struct ask *ask, size_t i, uint64_t *random)
{
	struct podset_desc *ps = &ask->podsets[i];

	*ps = (struct podset_desc) {
		.count = 1 + (int64_t) random_below(random, 3),
		.min_count = (int64_t) random_below(random, 2),
		.group = (int) random_below(random, 2) - 1,
		.requests = ask->requests[i],
		.nrequests = random_below(random, 3),
		.by_flavor = random_below(random, 4) ? NULL : ask->by_flavor[i],
		.ineligible = random_below(random, 2) ? NULL : ask->ineligible[i],
	};
	for (size_t r = 0; r < ps->nrequests; r++) {
		int64_t amount = (int64_t) random_below(random, 8) * (r ? MB : 1);

		ask->requests[i][r] = (struct request) { (int) r, amount };
		for (size_t f = 0; f < FLAVORS; f++)
			ask->by_flavor[i][r * FLAVORS + f] =
				amount + (int64_t) random_below(random, 2);
	}
	for (size_t f = 0; f < FLAVORS; f++)
		ask->ineligible[i][f] = random_below(random, 4) == 0;
}

/* The same in other words: nothing, or what says nothing */
static void ask_say_otherwise(struct ask *ask)
{
	static const bool none[FLAVORS];
	static const int64_t nothing[1];

	for (size_t i = 0; i < ask->n; i++) {
		struct podset_desc *ps = &ask->podsets[i];

		ps->name = "";
		if (!ps->ineligible)
			ps->ineligible = none;
		if (!ps->nrequests)
			ps->by_flavor = ps->by_flavor ? NULL : nothing;
	}
}

/* The same has the same copy, however it is said; different copies have different hashes. */
static void test_hash(void **state)
{
	static struct ask ask;
	struct books books = { .nflavors = FLAVORS };
	struct engine e = { .books = &books };
	const struct podset_desc *copies[ASKS], *again;
	uint64_t random = 1;

	for (size_t i = 0; i < ASKS; i++) {
		ask.n = 1 + random_below(&random, 2);
		for (size_t k = 0; k < ask.n; k++)
			podset_draw(&ask, k, &random);
		copies[i] = podsets_get(&e, ask.podsets, ask.n);
		ask_say_otherwise(&ask);
		again = podsets_get(&e, ask.podsets, ask.n);
		assert_ptr_equal(again, copies[i]);
		podsets_put(&e, again);
		assert_null(hash_next(hash_first(&e.asks, podsets_hash(copies[i]))));
	}
	assert_in_range(e.asks.n, ASKS / 2, ASKS);
	hash_is_spread(&e.asks);
	for (size_t i = 0; i < ASKS; i++)
		podsets_put(&e, copies[i]);
	assert_int_equal(e.asks.n, 0);
	hash_destroy(&e.asks);
}

/* The hashes of two keys are the same by chance: the shape that is found is still not the
 * one that is sought. */
static void test_hashes_collide(void **state)
{
	static const char *const pairs[][2] = {
		{ "in a cpu=1", "in b cpu=1" }, { "in a cpu=1", "in a cpu=1 prio=1" },
		{ "in a cpu=1", "in a cpu=1 fixed" }, { "in a cpu=1", "in a cpu=2" },
		{ "in y cpu=1 times=9", "in y cpu=1" },
		{ "in a cpu=1 fixed members=1", "in a cpu=1 fixed" },
		{ "in u cpu=1 local=1", "in u cpu=1 local=2" },
	};

	for (size_t i = 0; i < 2 * COUNT(pairs); i++) {
		struct world *world = world_create(QUEUES "queue y yield=1 cpu@f=4\n"
						   "queue u usage cpu@f=4\n");
		struct engine *e = world_engine(world);
		char text[128];
		struct shape *x, *y;
		uint64_t hash;

		sprintf(text, "wait x %s\nwait y %s\n", pairs[i / 2][i % 2],
			pairs[i / 2][1 - i % 2]);
		world_tell(world, text);
		hash = world_workload(world, "y")->shape->link.hash;
		world_tell(world, "remove y");
		x = world_workload(world, "x")->shape;
		hash_remove(&e->shapes, &x->link);
		assert_int_equal(hash_insert(&e->shapes, &x->link, hash), 0);
		sprintf(text, "wait z %s\n", pairs[i / 2][1 - i % 2]);
		world_tell(world, text);
		y = world_workload(world, "z")->shape;
		assert_int_equal(y->link.hash, hash);
		assert_ptr_not_equal(x, y);
		world_destroy(world);
	}
}

/* Two groups of one queue */
static void test_groups_collide(void **state)
{
	struct world *world = world_create(QUEUES "wait x in a cpu=1 fixed members=1\n");
	struct engine *e = world->engine;
	struct shape *x = world_workload(world, "x")->shape, *y;
	struct workload_desc d;
	uint64_t hash;

	workload_describe(world_workload(world, "x"), &d);
	d.group++;
	y = shape_get(e, x->q, &d);
	hash = y->link.hash;
	assert_ptr_not_equal(x, y);
	shape_put(e, y);
	hash_remove(&e->shapes, &x->link);
	assert_int_equal(hash_insert(&e->shapes, &x->link, hash), 0);
	y = shape_get(e, x->q, &d);
	assert_ptr_not_equal(x, y);
	shape_put(e, y);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_same), cmocka_unit_test(test_users), cmocka_unit_test(test_shared),
      cmocka_unit_test(test_hash), cmocka_unit_test(test_hashes_collide),
      cmocka_unit_test(test_groups_collide))
