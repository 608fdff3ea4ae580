/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test ask.c - jobs that are alike store once what they ask for
 */
#include <stdio.h>

#include "sim/sim_state.h"
#include "sim_world.h"

#define WORLD "queue p cpu@f=8 gpu@f=8 cpu@g=8 gpu@g=8\nqueue q cpu@f=8\n"

/* A description, with the memory that it points to */
struct told {
	struct sim_desc desc;
	struct podset_desc podsets[2];
	struct request requests[2];
	int64_t by_flavor[2];
	bool ineligible[2];
};

static void tell(struct told *t)
{
	*t = (struct told) {
		.desc = { .work = { .tasks = 1, .podsets = t->podsets,
				    .npodsets = 1 },
			  .duration = 60, .min_available = -1 },
		.requests = { { 0, 4 }, { 1, 2 } },
		.by_flavor = { 4, 5 },
	};
	for (size_t i = 0; i < COUNT(t->podsets); i++)
		t->podsets[i] = (struct podset_desc) {
			.name = "main", .count = 1, .group = -1,
			.requests = t->requests, .nrequests = 1 };
}

static struct sim_job *submit(struct sim *sim, struct told *t)
{
	struct sim_job *job = sim_submit(sim, 100, &t->desc);

	assert_non_null(job);
	t->desc.work.tiebreak += 2;
	return job;
}

/* Jobs of several people, times and time limits */
static void test_shared(void **state)
{
	struct sim_world *sw = sim_world_create(WORLD, "", 0);
	struct sim_job *first, *last;
	struct told t;

	(void) state;
	tell(&t);
	first = last = submit(sw->sim, &t);
	for (int i = 1; i < 100; i++) {
		t.desc.work.owner = &sw->log[i];
		t.desc.work.local_queue = i % 7;
		t.desc.work.queue_order_at = i;
		t.desc.work.tasks = 1 + i % 3;
		t.desc.duration = 60 * i;
		t.desc.work.evictions = i % 2;
		t.desc.no_nodes = i % 5 == 0;
		last = submit(sw->sim, &t);
	}
	assert_int_equal(sw->sim->asks.n, 1);
	assert_ptr_equal(first->ask, last->ask);
	assert_int_equal(first->ask->users, 100);
	sim_world_destroy(sw);
}

/* An array's tasks ask for what the array does. */
static void test_tasks(void **state)
{
	struct sim_world *sw = sim_world_create("queue q cpu@f=8\n"
		"wait x in q cpu=4 tasks=3\n", "x=10,array=7,limit=1", 0);

	(void) state;
	assert_string_equal(sim_world_play(sw, 1), "0 start x");
	assert_int_equal(sw->sim->asks.n, 1);
	assert_int_equal(sim_world_job(sw, "x")->ask->users, 2);
	sim_world_destroy(sw);
}

/* Each of these changes makes it another one. */
static void change(struct told *t, int which)
{
	static const struct request both[] = { { 0, 4 }, { 1, 2 } };
	struct workload_desc *w = &t->desc.work;
	struct podset_desc *p = t->podsets;

	switch (which) {
	case 0: w->queue = 1; break;
	case 1: w->priority = 1; break;
	case 2: w->follower = true; break;
	case 3: w->nonpreemptible = true; break;
	case 4: w->nonpreemptible = true; w->group = 1; break;
	case 5: w->fixed_members = 1; break;
	case 6: w->npodsets = 2; break;
	case 7: t->desc.checkpoint = 1; break;
	case 8: t->desc.restart_cost = 1; break;
	case 9: t->desc.evict_time = 1; break;
	case 10: t->desc.exempt_time = 1; break;
	case 11: t->desc.cancels = true; break;
	case 12: t->desc.min_available = 1; break;
	case 13: p->name = "other"; break;
	case 14: p->count = 2; break;
	case 15: p->min_count = 1; p->count = 3; break;
	case 16: p->group = 0; break;
	case 17: p->requests = both; p->nrequests = 2; break;
	case 18: t->requests[0].amount = 5; break;
	case 19: t->requests[0].resource = 1; break;
	case 20: p->by_flavor = t->by_flavor; break;
	case 21: p->ineligible = t->ineligible; t->ineligible[1] = true; break;
	default: fail();
	}
}

#define CHANGES 22

static void test_different(void **state)
{
	struct sim_world *sw = sim_world_create(WORLD, "", 0);
	struct told t;

	(void) state;
	for (int again = 0; again < 2; again++) {
		tell(&t);
		submit(sw->sim, &t);
		for (int i = 0; i < CHANGES; i++) {
			tell(&t);
			change(&t, i);
			submit(sw->sim, &t);
			if (!again)
				assert_int_equal(sw->sim->asks.n, i + 2);
		}
	}
	assert_int_equal(sw->sim->asks.n, CHANGES + 1);
	sim_world_destroy(sw);
}

/* The same in other words */
static void test_same(void **state)
{
	struct sim_world *sw = sim_world_create(WORLD, "", 0);
	struct told t;

	(void) state;
	tell(&t);
	t.podsets->name = NULL;
	submit(sw->sim, &t);
	t.podsets->name = "";
	t.podsets->ineligible = t.ineligible;
	submit(sw->sim, &t);
	assert_int_equal(sw->sim->asks.n, 1);
	sim_world_destroy(sw);
}

/* A job that may start in another queue as well asks for two things. */
static void test_also(void **state)
{
	struct sim_world *sw = sim_world_create(WORLD, "", 0);
	struct told t;

	(void) state;
	tell(&t);
	t.desc.also = 2;
	for (int i = 0; i < 10; i++)
		submit(sw->sim, &t);
	assert_int_equal(sw->sim->asks.n, 2);
	sim_world_destroy(sw);
}

/* The last job that is forgotten takes it along; a copy has its own. */
static void test_freed(void **state)
{
	struct sim_options options = { .forget = true };
	struct sim_world *sw = sim_world_create(WORLD, "", 0);
	struct sim *copy;
	struct told t;

	(void) state;
	tell(&t);
	submit(sw->sim, &t);
	submit(sw->sim, &t);
	copy = sim_copy(sw->world->spec, sw->sim, &options);
	assert_non_null(copy);
	sim_destroy(sw->sim);
	sw->sim = copy;
	assert_int_equal(copy->asks.n, 1);
	sim_world_play(sw, 9);
	assert_int_equal(sim_unstarted(copy), 0);
	assert_null(copy->jobs);
	assert_int_equal(copy->asks.n, 0);
	sim_world_destroy(sw);
}

/* What a waiting job costs by itself: with what malloc() adds, 208 bytes */
static void test_small(void **state)
{
	(void) state;
	assert_in_range(sizeof(struct sim_job), 1, 192);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_different),
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_also),
		cmocka_unit_test(test_freed),
		cmocka_unit_test(test_small),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
