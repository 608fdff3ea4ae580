/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test queue_heads.c - the head of a queue while a plan is made
 */
#include "cycle/cycle.h"
#include "workload/workload.h"
#include "world.h"

#define WAITING "wait x in a cpu=1 at=1\nwait y in a cpu=2 at=2\n" \
	"wait z in a cpu=1 at=3\nwait v in a cpu=2 at=4\n"

static void begin(struct engine *e, struct queue *q)
{
	assert_int_equal(heads_begin(e, q->tree, ++e->plans), 0);
}

/* Takes heads until there is none; a letter in `drop` drops its shape. */
static void heads_are(const char *told, const char *drop, const char *names)
{
	struct world *world = world_create(told);
	struct queue *q = &world->engine->queues[0];
	char seen[16] = "";

	begin(world->engine, q);
	for (struct workload *w; (w = heads_get(q)); ) {
		const char *name = world_name(world, w);

		assert_ptr_equal(heads_get(q), w);	/* it stays */
		strcat(seen, name);
		workload_renew(w);
		if (strpbrk(name, drop))
			heads_drop_shape(q, w->shape);
		else
			w->done = true;
	}
	assert_string_equal(seen, names);
	world_destroy(world);
}

static void test_order(void **state)
{
	heads_are("queue a cpu@f=4\n", "", "");
	heads_are("queue a cpu@f=4\n" WAITING, "", "xyzv");
	heads_are("queue a strict cpu@f=4\n" WAITING, "", "xyzv");
	heads_are("queue a hold cpu@f=4\n" WAITING, "", "");
	/* owners have been dealt with */
	heads_are("queue a cpu@f=4\n" WAITING "own y cpu@f=1\n", "", "xzv");
	heads_are("queue a strict cpu@f=4\n" WAITING "own x cpu@f=1\n", "", "yzv");
}

/* The rest of its shape is dropped with it */
static void test_drop(void **state)
{
	heads_are("queue a cpu@f=4\n" WAITING, "x", "xyv");
	heads_are("queue a cpu@f=4\n" WAITING, "y", "xyz");
	heads_are("queue a cpu@f=4\n" WAITING, "xy", "xy");
	heads_are("queue a cpu@f=4\n" WAITING, "z", "xyzv");
}

static void test_revive(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\n" WAITING);
	struct queue *q = &world->engine->queues[0];
	struct workload *x = world_workload(world, "x");

	begin(world->engine, q);
	assert_false(shape_is_inadmissible(x->shape));
	heads_drop_shape(q, x->shape);
	assert_true(shape_is_inadmissible(x->shape));
	assert_ptr_equal(heads_get(q), world_workload(world, "y"));
	heads_revive_shape(q, x->shape);
	assert_false(shape_is_inadmissible(x->shape));
	assert_ptr_equal(heads_get(q), x);
	heads_stop(q);
	assert_null(heads_get(q));
	/* a new plan starts from the beginning */
	begin(world->engine, q);
	assert_ptr_equal(heads_get(q), x);
	world_destroy(world);
}

/* While its shape was dropped one is undecided again: when the shape has another
 * chance it comes before those behind it. */
static void test_return_dropped(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\n" WAITING);
	struct queue *q = &world->engine->queues[0];
	struct workload *x = world_workload(world, "x");
	struct workload *y = world_workload(world, "y");

	begin(world->engine, q);
	workload_renew(x);
	x->done = true;
	assert_ptr_equal(heads_get(q), y);
	heads_drop_shape(q, y->shape);
	assert_ptr_equal(heads_get(q), world_workload(world, "z"));
	heads_drop_shape(q, x->shape);
	x->done = false;
	heads_return(x);
	assert_null(heads_get(q));
	heads_revive_shape(q, x->shape);
	assert_ptr_equal(heads_get(q), x);
	heads_revive_shape(q, y->shape);
	assert_ptr_equal(heads_get(q), x);
	world_destroy(world);
}

/* In one cycle other heads may take the last workload of a shape, and ask for
 * the head of the queue, before the result for the shape is known: */
static void test_drop_late(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\n" WAITING);
	struct queue *q = &world->engine->queues[0];
	struct workload *x = world_workload(world, "x");
	struct workload *y = world_workload(world, "y");
	struct workload *z = world_workload(world, "z");
	struct workload *v = world_workload(world, "v");

	/* none of it is left */
	begin(world->engine, q);
	workload_renew(x);
	workload_renew(y);
	workload_renew(z);
	x->done = y->done = z->done = true;
	assert_ptr_equal(heads_get(q), v);
	heads_drop_shape(q, z->shape);
	heads_revive_shape(q, z->shape);
	assert_false(shape_is_inadmissible(z->shape));
	assert_ptr_equal(heads_get(q), v);
	/* it is in line behind others: dropped with all of it, and revived once */
	begin(world->engine, q);
	workload_renew(x);
	x->done = true;
	assert_ptr_equal(heads_get(q), y);
	heads_drop_shape(q, z->shape);
	heads_revive_shape(q, z->shape);
	assert_ptr_equal(heads_get(q), y);
	world_destroy(world);
}

static void test_renew(void **state)
{
	struct world *world = world_create("queue a cpu@f=4\n" WAITING);
	struct queue *q = &world->engine->queues[0];
	struct workload *x = world_workload(world, "x");
	struct decision d = { .starts = 3 };

	begin(world->engine, q);
	assert_null(workload_decision(x));
	workload_renew(x);
	x->done = true;
	x->decision = &d;
	workload_renew(x);			/* the same plan: kept */
	assert_ptr_equal(workload_decision(x), &d);
	assert_false(workload_is_undecided(x));
	begin(world->engine, q);
	assert_true(workload_is_undecided(x));
	assert_null(workload_decision(x));
	workload_renew(x);
	assert_null(x->decision);
	world_tell(world, "own x cpu@f=1\n");
	assert_false(workload_is_undecided(x));
	d = (struct decision) { .claim_void = true };
	x->decision = &d;
	assert_true(workload_is_undecided(x));
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_order), cmocka_unit_test(test_drop), cmocka_unit_test(test_revive),
      cmocka_unit_test(test_return_dropped), cmocka_unit_test(test_drop_late),
      cmocka_unit_test(test_renew))
