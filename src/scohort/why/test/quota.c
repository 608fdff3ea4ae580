/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test quota.c - what is said to be free, never and reclaimable is what then happens
 *
 * Of each queue and pair of a random world: a job of just so much, and one of one more.
 */
#include <inttypes.h>

#include "drawn_world.h"
#include "input/json_members.h"
#include "random/draw.h"
#include "test/tests.h"

struct asked {
	struct world *w;
	const char *told;		/* the world in words */
	int queue, flavor, resource;
};

static struct workload *job_submit(const struct asked *a, int64_t amount)
{
	struct request request = { a->resource, amount };
	bool ineligible[4] = { false };
	struct podset_desc podset = {
		.count = 1, .group = -1, .requests = &request, .nrequests = 1,
		.ineligible = ineligible,
	};
	const struct workload_desc desc = {
		.queue = a->queue, .priority = 9, .tiebreak = 1000, .tasks = 1,
		.podsets = &podset, .npodsets = 1,
	};
	struct workload *x;

	for (int f = 0; f < (int) a->w->spec->nflavors; f++)
		ineligible[f] = f != a->flavor;
	x = engine_submit(a->w->engine, &desc);
	assert_non_null(x);
	return x;
}

enum happens { WAITS, EVICTS, STARTS };

static enum happens happens_to(const struct asked *a, int64_t amount)
{
	struct workload *x = job_submit(a, amount);
	struct nomination nom;

	assert_int_equal(engine_nominate(a->w->engine, x, NOW, NULL, &nom), 0);
	engine_remove(a->w->engine, x);
	return nom.mode == MODE_FIT ? STARTS
	       : nom.mode == MODE_PREEMPT && nom.nvictims ? EVICTS : WAITS;
}

static bool is_never(const struct asked *a, int64_t amount)
{
	struct workload *x = job_submit(a, amount);
	const struct verdict *verdict;
	bool never;

	assert_int_not_equal(engine_plan(a->w->engine, NOW), -1);
	verdict = engine_verdict(a->w->engine, x);
	never = verdict->kind == VERDICT_WAIT && verdict->reason == WAIT_IS_NEVER;
	engine_remove(a->w->engine, x);
	return never;
}

/* Some can be reclaimed where some is said to be, and only there. How much depends on which
 * jobs go first, so it is said to be about that. Its queue may have more if own jobs go. */
static void reclaim_check(const struct asked *a, struct json_object *quota)
{
	int64_t free = json_number(quota, "free");
	int64_t told = json_number(quota, "reclaimable");
	int64_t left = json_number(quota, "nominal") - json_number(quota, "used");
	enum policy within = a->w->spec->queues[a->queue].within;
	bool some = false;

	if (!told && within != POLICY_NEVER && within != POLICY_EMPTY)
		return;
	for (int64_t amount = free + 1; amount <= left; amount++)
		some |= happens_to(a, amount) == EVICTS;
	if (some != (told > 0))
		fail_msg("%squeue %d, %d@%d: %"PRId64" can be reclaimed?", a->told,
			 a->queue, a->resource, a->flavor, told);
}

static void quota_check(const struct asked *a, struct json_object *quota)
{
	int64_t free = json_number(quota, "free");
	int64_t most = json_number(quota, "potential");

	if (free > 0)
		assert_int_equal(happens_to(a, free), STARTS);
	assert_int_not_equal(happens_to(a, free + 1), STARTS);
	if (most > 0)
		assert_false(is_never(a, most));
	assert_true(is_never(a, most + 1));
	reclaim_check(a, quota);
}

static void world_check(uint64_t seed)
{
	struct json_object *document;
	struct drawn d;
	struct world *w = world_draw(&d, seed, true);

	/* what can be reclaimed is told as if there was none */
	for (size_t i = 0; i < w->engine->nqueues; i++)
		w->engine->queues[i].spec.reclaim_delay = 0;

	document = world_publish(w, NOW);
	for (int i = 0; i < d.nqueues; i++) {
		struct json_object *queue = json_item(document, "clusterQueues", (size_t) i);

		for (size_t k = 0; !w->spec->queues[i].stop
		     && k < json_items(queue, "quota"); k++) {
			struct json_object *quota = json_item(queue, "quota", k);
			const struct asked a = {
				w, d.text, i,
				spec_find_flavor(w->spec, json_text(quota, "flavor")),
				spec_find_resource(w->spec, json_text(quota, "resource")),
			};

			quota_check(&a, quota);
		}
	}
	json_object_put(document);
	world_destroy(w);
}

static void test_worlds(void **state)
{
	size_t n = seeds_wanted(400);

	for (uint64_t seed = 1; seed <= n; seed++)
		world_check(seed);
}

TESTS(cmocka_unit_test(test_worlds))
