/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test workload.c - workloads come, change and go
 */
#include <errno.h>

#include "holding/holding.h"
#include "query.h"
#include "world.h"

#define A "queue a cpu@f=4\nqueue b cpu@f=4\n"

static struct world *world;
static struct request request;
static struct podset_desc podset;
static struct workload_desc desc;

static int setup(void **state)
{
	world = world_create(A);
	request = (struct request) { 0, 1 };
	podset = (struct podset_desc) {
		.count = 2, .group = -1, .requests = &request, .nrequests = 1,
	};
	desc = (struct workload_desc) {
		.queue = 0, .tiebreak = 1, .tasks = 1, .podsets = &podset,
		.npodsets = 1, .owner = &desc,
	};
	return 0;
}

static int teardown(void **state)
{
	world_destroy(world);
	return 0;
}

static void refused(void)
{
	errno = 0;
	assert_null(engine_submit(world->engine, &desc));
	assert_int_equal(errno, EINVAL);
	teardown(NULL);
	setup(NULL);
}

static void test_wrong_desc(void **state)
{
	desc.queue = -1;
	refused();
	desc.queue = 2;
	refused();
	desc.tasks = 0;
	refused();
	desc.tasks = ENGINE_MOST_TASKS + 1;
	refused();
	desc.tasks = UINT32_MAX;
	refused();
	desc.tasks = (int64_t) UINT32_MAX + 2;
	refused();
	desc.max_starts = -1;
	refused();
	desc.max_starts = (int64_t) UINT32_MAX + 1;
	refused();
	podset.count = 0;
	refused();
	podset.min_count = 3;
	refused();
	podset.min_count = -1;
	refused();
	request.resource = 1;
	refused();
	request.resource = -1;
	refused();
	request.amount = -1;
	refused();
}

/* Each task that may go is a start of a plan: there is an end to that. */
static void test_most_tasks(void **state)
{
	struct workload *w;

	desc.tasks = ENGINE_MOST_TASKS;
	w = engine_submit(world->engine, &desc);
	assert_non_null(w);
	desc.tasks++;
	errno = 0;
	assert_int_equal(engine_update(world->engine, w, &desc), -1);
	assert_int_equal(errno, EINVAL);
	workload_describe(w, &desc);
	assert_int_equal(desc.tasks, ENGINE_MOST_TASKS);
	engine_remove(world->engine, w);
}

/* A wrong update leaves the books unchanged. */
static void test_wrong_update(void **state)
{
	struct workload *w = engine_submit(world->engine, &desc);
	uint64_t digest = engine_digest(world->engine);

	desc.queue = 9;
	errno = 0;
	assert_int_equal(engine_update(world->engine, w, &desc), -1);
	assert_int_equal(errno, EINVAL);
	assert_true(engine_digest(world->engine) == digest);
	assert_int_equal(workload_queue(w), 0);
}

static void test_desc_is_copied(void **state)
{
	struct workload *w = engine_submit(world->engine, &desc);
	struct nomination nom;

	request.amount = 99;
	podset.count = 77;
	desc.queue = 1;
	assert_int_equal(engine_nominate(world->engine, w, 0, NULL, &nom), 0);
	assert_int_equal(nom.mode, MODE_FIT);
	assert_int_equal(nom.charges[0].amount, 1);
	assert_ptr_equal(workload_owner(w), &desc);
}

static void counts(int queue, int64_t waiting, int64_t running)
{
	int64_t w, r;

	engine_counts(world->engine, queue, &w, &r);
	assert_int_equal(w, waiting);
	assert_int_equal(r, running);
}

static void test_life(void **state)
{
	const struct charge charge = { 0, 0, 2 };
	uint64_t empty = engine_digest(world->engine), waiting;
	struct workload *w = engine_submit(world->engine, &desc);
	size_t n;

	waiting = engine_digest(world->engine);
	assert_true(waiting != empty);
	counts(0, 1, 0);
	assert_false(workload_running(w));
	assert_null(workload_charges(w, &n));
	assert_int_equal(engine_start(world->engine, w, &charge, 1, 5), 0);
	counts(0, 0, 1);
	assert_true(workload_running(w));
	assert_int_equal(workload_charges(w, &n)->amount, 2);
	assert_int_equal(n, 1);
	assert_int_equal(engine_requeue(world->engine, w, 0), 0);
	counts(0, 1, 0);
	assert_true(engine_digest(world->engine) == waiting);
	engine_remove(world->engine, w);
	counts(0, 0, 0);
	assert_true(engine_digest(world->engine) == empty);
}

static void test_update(void **state)
{
	struct workload *w = engine_submit(world->engine, &desc);

	desc.queue = 1;
	desc.tasks = 5;
	desc.priority = 3;
	request.amount = 5;
	assert_int_equal(engine_update(world->engine, w, &desc), 0);
	counts(0, 0, 0);
	counts(1, 5, 0);
	assert_int_equal(workload_queue(w), 1);
	engine_plan(world->engine, 0);
	assert_int_equal(engine_verdict(world->engine, w)->reason, WAIT_IS_NEVER);
}

/* A running workload takes its charges along */
static void test_update_running(void **state)
{
	const struct charge charge = { 0, 0, 3 };
	struct workload *w = engine_submit(world->engine, &desc);

	assert_int_equal(engine_start(world->engine, w, &charge, 1, 5), 0);
	desc.queue = 1;
	desc.priority = 7;
	assert_int_equal(engine_update(world->engine, w, &desc), 0);
	counts(0, 0, 0);
	counts(1, 0, 1);
	assert_int_equal(world_used(world, false, 0, 0, 0), 0);
	assert_int_equal(world_used(world, false, 1, 0, 0), 3);
	assert_int_equal(w->held->priority, 7);
}

/* What it owns stays with queue and request, and is given up if either changes */
static void test_update_owner(void **state)
{
	const struct charge charge = { 0, 0, 1 };
	struct workload *w = engine_submit(world->engine, &desc);

	assert_int_equal(engine_own(world->engine, w, &charge, 1), 0);
	desc.priority = 9;
	assert_int_equal(engine_update(world->engine, w, &desc), 0);
	assert_true(workload_owns(w));
	request.amount = 2;
	assert_int_equal(engine_update(world->engine, w, &desc), 0);
	assert_false(workload_owns(w));
	assert_int_equal(engine_own(world->engine, w, &charge, 1), 0);
	desc.queue = 1;
	assert_int_equal(engine_update(world->engine, w, &desc), 0);
	assert_false(workload_owns(w));
}

/* Each waiting job has a workload, and where priorities differ a shape, too: what is
 * added has to be worth it. */
static void test_size(void **state)
{
	if (sizeof(void *) != 8)
		return;
	assert_in_range(sizeof(struct workload), 1, 216);
	assert_in_range(sizeof(struct rank_node), 1, 40);
	assert_in_range(sizeof(struct shape), 1, 328);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

TESTS(cmocka_unit_test(test_size), IN_WORLD(test_wrong_desc), IN_WORLD(test_most_tasks),
      IN_WORLD(test_wrong_update), IN_WORLD(test_desc_is_copied), IN_WORLD(test_life),
      IN_WORLD(test_update), IN_WORLD(test_update_running), IN_WORLD(test_update_owner))
