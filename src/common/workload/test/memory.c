/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test memory.c - whatever a workload remembers survives all that it has to
 *
 * Each thing of struct workload_memory by itself, in each way: then it is there, and nothing
 * else.
 */
#include "sim/sim_state.h"
#include "world.h"

/* x waits, r runs: they ask for the same. */
#define TELL "queue a usage cpu@f=9\nqueue b cpu@f=9\nwait x in a cpu=2 fixed at=5\n" \
	"run r in a cpu@f=2 cpu=2 fixed prio=9\n"

enum thing { BLOCKED, HAD_TURN, COULD_EVICT, OWNS, OWNED_SETTLED, OWNED_NONPREEMPTIBLE, SETTLED,
	     NONPREEMPTIBLE, NTHINGS };

/* Whoever adds to the struct adds to the things. */
_Static_assert(sizeof(struct workload_memory) == 56, "each thing is in memory_of()");

static const struct charge two = { 0, 0, 2 };

static struct workload_memory memory_of(enum thing thing)
{
	bool owns = thing >= OWNS && thing <= OWNED_NONPREEMPTIBLE;

	return (struct workload_memory) {
		.blocked = thing == BLOCKED,
		.had_turn = thing == HAD_TURN,
		.could_evict = thing == COULD_EVICT ? 6 : 0,
		.owns = owns, .owns_since = owns ? 7 : 0,
		.owned = owns ? &two : NULL, .nowned = owns,
		.owned_settled = thing == OWNED_SETTLED,
		.owned_nonpreemptible = thing == OWNED_NONPREEMPTIBLE,
		.settled = thing == SETTLED,
		.nonpreemptible = thing == NONPREEMPTIBLE,
	};
}

static bool is_of_run(enum thing thing)
{
	return thing >= SETTLED;
}

static void assert_remembers(const struct workload *w, enum thing thing)
{
	struct workload_memory m, is = memory_of(thing);

	workload_recall(w, &m);
	assert_int_equal(m.blocked, is.blocked);
	assert_int_equal(m.had_turn, is.had_turn);
	assert_int_equal(m.could_evict, is.could_evict);
	assert_int_equal(m.owns, is.owns);
	assert_int_equal(m.owns_since, is.owns_since);
	assert_int_equal(m.nowned, is.nowned);
	for (size_t i = 0; i < is.nowned; i++) {
		assert_int_equal(m.owned[i].flavor, two.flavor);
		assert_int_equal(m.owned[i].resource, two.resource);
		assert_int_equal(m.owned[i].amount, two.amount);
	}
	assert_int_equal(m.owned_settled, is.owned_settled);
	assert_int_equal(m.owned_nonpreemptible, is.owned_nonpreemptible);
	assert_int_equal(m.settled, is.settled);
	assert_int_equal(m.nonpreemptible, is.nonpreemptible);
}

static struct world *world_of(void)
{
	struct world *world = world_create(TELL);

	/* else nobody is passed over for having had a turn */
	for (size_t i = 0; i < world->engine->ntrees; i++)
		world->engine->trees[i].goes_on = true;
	return world;
}

/* The workload that remembers the thing, as far as it can */
static struct workload *remind(struct world *world, enum thing thing)
{
	struct workload *w = world_workload(world, is_of_run(thing) ? "r" : "x");
	struct workload_memory m = memory_of(thing);

	assert_int_equal(engine_remind(world->engine, w, &m), 0);
	return w;
}

static void test_recall(void **state)
{
	for (enum thing thing = 0; thing < NTHINGS; thing++) {
		struct world *world = world_of();

		assert_remembers(remind(world, thing), thing);
		/* twice is once */
		assert_remembers(remind(world, thing), thing);
		world_destroy(world);
	}
}

/* As when its priority changes; at the same time the shape is another one. */
static void test_update(void **state)
{
	for (enum thing thing = 0; thing < NTHINGS; thing++) {
		struct world *world = world_of();
		struct workload *w = remind(world, thing);
		struct workload_desc d;

		workload_describe(w, &d);
		d.nonpreemptible = true;
		d.priority++;
		assert_int_equal(engine_update(world->engine, w, &d), 0);
		assert_remembers(w, thing);
		world_destroy(world);
	}
}

/* A workload of the other engine that is the same, and waits or runs as it does */
static struct workload *workload_copy(struct engine *e, const struct workload *w)
{
	struct workload_memory m;
	struct workload_desc d;
	struct workload *copy;

	workload_describe(w, &d);
	copy = engine_submit(e, &d);
	assert_non_null(copy);
	if (workload_running(w))
		assert_int_equal(engine_start(e, copy, &two, 1, 1), 0);
	workload_recall(w, &m);
	assert_int_equal(engine_remind(e, copy, &m), 0);
	return copy;
}

/* As after a restart, and with another configuration */
static void test_engine_made_anew(void **state)
{
	for (enum thing thing = 0; thing < NTHINGS; thing++) {
		struct world *world = world_of();
		struct engine *e = engine_create(world->spec);

		for (size_t i = 0; i < e->ntrees; i++)
			e->trees[i].goes_on = true;
		assert_remembers(workload_copy(e, remind(world, thing)), thing);
		engine_destroy(e);
		world_destroy(world);
	}
}

/* A simulation makes its plans to the end: nobody has had a turn. */
static void test_simulation(void **state)
{
	for (enum thing thing = 0; thing < NTHINGS; thing++) {
		struct world *world = world_of();
		const struct workload *w = remind(world, thing);
		struct sim *sim = sim_create(world->spec, 10, &(struct sim_options) { .depth = 1 });
		struct sim_desc d = { .min_available = -1, .duration = 100 };
		struct workload_memory m;
		struct sim_job *job;

		workload_describe(w, &d.work);
		job = workload_running(w) ? sim_run(sim, &d, &two, 1, 1, 100)
					  : sim_submit(sim, 0, &d);
		assert_non_null(job);
		workload_recall(w, &m);
		assert_int_equal(sim_remind(sim, job, &m, 50), 0);
		assert_remembers(job->work, thing == HAD_TURN ? NTHINGS : thing);
		assert_int_equal(sim_queue_of(sim, job)->blocked, m.blocked);
		/* what it owns is its own for a time */
		if (m.owns)
			assert_int_equal(job->due.at, 50);
		sim_destroy(sim);
		world_destroy(world);
	}
}

/* The run is what was said of it when its quota was freed. After it nothing is left. */
static void test_start_and_eviction(void **state)
{
	for (enum thing thing = 0; !is_of_run(thing); thing++) {
		struct world *world = world_of();
		struct workload *w = remind(world, thing);
		struct workload_desc d, then;

		workload_describe(w, &d);
		d.evictions = 3, d.lost = 2, d.turns = 1;
		assert_int_equal(engine_update(world->engine, w, &d), 0);
		assert_int_equal(engine_start(world->engine, w, &two, 1, 1), 0);
		assert_int_equal(workload_settled(w), thing == OWNED_SETTLED);
		assert_int_equal(workload_is_nonpreemptible(w),
				 thing == OWNED_NONPREEMPTIBLE || thing < OWNS);
		assert_int_equal(engine_requeue(world->engine, w, 9), 0);
		assert_remembers(w, NTHINGS);
		workload_describe(w, &then);
		assert_int_equal(then.evictions, 3);
		assert_int_equal(then.lost, 2);
		assert_int_equal(then.turns, 1);
		assert_null(world->engine->trees[0].owners);
		assert_int_equal(world->engine->queues[0].nblocked, 0);
		world_destroy(world);
	}
}

/* What is for the queue or the request ends with it. */
static void test_what_does_not_survive(void **state)
{
	static const struct {
		const char *update;
		bool survives[SETTLED];
	} cases[] = {
		{ "update x in a cpu=2 fixed prio=3", { true, true, true, true, true, true } },
		{ "update x in a cpu=3 fixed", { true, true, true, false, false, false } },
		{ "update x in a cpu=2", { true, true, true, false, false, false } },
		{ "update x in a cpu=2 fixed members=2",
		  { true, true, true, false, false, false } },
		{ "update x in b cpu=2 fixed", { false, true, false, false, false, false } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		for (enum thing thing = 0; thing < SETTLED; thing++) {
			struct world *world = world_of();
			struct workload *w = remind(world, thing);

			world_tell(world, cases[i].update);
			/* to another tree it comes as a new one */
			assert_int_equal(w->shape->had_turn, thing == HAD_TURN || i == 4);
			w->shape->had_turn = thing == HAD_TURN;
			assert_remembers(w, cases[i].survives[thing] ? thing : NTHINGS);
			world_destroy(world);
		}
	}
}

/* Owners stand in the order in which they came to own, in whatever order they are told. */
static void test_order_of_owners(void **state)
{
	static const char told[] = "queue a cpu@f=9\nwait x in a cpu=2\nwait y in a cpu=2\n"
		"wait z in a cpu=2\nown z cpu@f=2\nown x cpu@f=2\nown y cpu@f=2\nown z cpu@f=2\n";
	struct world *world = world_create(told);
	struct engine *e = engine_create(world->spec);
	struct workload *x = workload_copy(e, world_workload(world, "x"));
	struct workload *y = workload_copy(e, world_workload(world, "y"));
	struct workload *z = workload_copy(e, world_workload(world, "z"));

	assert_ptr_equal(e->trees[0].owners, z);
	assert_ptr_equal(z->claim->next_owner, x);
	assert_ptr_equal(x->claim->next_owner, y);
	/* who comes to own later is the last one */
	engine_disown(e, z);
	assert_int_equal(engine_own(e, z, &two, 1), 0);
	assert_ptr_equal(e->trees[0].owners, x);
	assert_ptr_equal(y->claim->next_owner, z);
	engine_destroy(e);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_recall), cmocka_unit_test(test_update),
      cmocka_unit_test(test_engine_made_anew), cmocka_unit_test(test_simulation),
      cmocka_unit_test(test_start_and_eviction), cmocka_unit_test(test_what_does_not_survive),
      cmocka_unit_test(test_order_of_owners))
