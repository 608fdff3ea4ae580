/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test the gate without memory - a question that cannot be undone is answered
 * with no, and changes nothing for those that follow
 */
#include "query.h"
#include "world.h"

#include "failing.h"

/* y waits until r may go, and its quota is kept from x and z meanwhile. */
static const char told[] =
	"site reclaim=50\ncohort org\nqueue a in org reclaim=any cpu@f=4 mem@f=9\n"
	"queue b in org cpu@f=4 mem@f=9\nqueue c in org cpu@f=1 mem@f=9\n"
	"run r in b cpu@f=6 mem@f=1 since=90\nwait y in a cpu=4\n"
	"wait x in c cpu=1\nwait z in b cpu=1\nwait o in c mem=1\nown o mem@f=1\n";

struct answers {
	char fits[3];			/* of x, z, o */
	size_t candidates;		/* of y at 200, when r may go */
	size_t allowed;
};

static bool is_fit(struct world *world, const char *name, int64_t cpu, int64_t mem)
{
	const struct charge charges[] = { { 0, 0, cpu }, { 0, 1, mem } };

	return engine_fits(world->engine, world_workload(world, name), charges, 2, NULL, 0);
}

static struct answers ask(struct world *world)
{
	const struct charge four[] = { { 0, 0, 4 } };
	const struct candidates_query query = { .charges = four, .ncharges = 1 };
	struct workload *y = world_workload(world, "y");
	struct victim r = { .workload = world_workload(world, "r") };
	struct candidates found;
	struct answers a = {
		.fits = { is_fit(world, "x", 2, 0), is_fit(world, "z", 1, 0),
			  is_fit(world, "o", 0, 1) },
	};

	if (engine_candidates(world->engine, y, 200, &query, &found) == 0)
		a.candidates = found.n;
	a.allowed = engine_allowed(world->engine, y, 200, four, 1, &r, 1);
	return a;
}

/* Asks while the n-th allocation fails, and the log has room for `room`
 * entries: true, and no answer that should be no is yes. */
static bool ask_poor(const struct answers *right, size_t room, size_t n)
{
	struct world *world = world_create(told);
	struct engine *e = world->engine;
	struct answers poor, after;
	uint64_t digest;
	bool failed;

	world_plan(world, 100);
	digest = engine_digest(e);
	failing_shorten_log(e->books, room);
	failing_begin(n);
	poor = ask(world);
	failed = failing_end();
	for (size_t i = 0; i < COUNT(poor.fits); i++)
		assert_true(poor.fits[i] <= right->fits[i]);
	assert_true(poor.candidates <= right->candidates);
	assert_true(poor.allowed <= right->allowed);
	assert_true(engine_digest(e) == digest);
	/* what is kept from others is known again with the next plan */
	world_plan(world, 100);
	after = ask(world);
	assert_memory_equal(&after, right, sizeof(after));
	world_destroy(world);
	return failed;
}

static void test_answers(void **state)
{
	struct world *sure = world_create(told);
	struct answers right;

	world_plan(sure, 100);
	right = ask(sure);
	assert_int_equal(right.candidates, 1);
	assert_int_equal(right.allowed, 1);
	assert_false(right.fits[0]);
	assert_true(right.fits[2]);
	for (size_t room = 0; room < 80; room++) {
		failing_lasts = room % 2;
		for (size_t n = 1; ask_poor(&right, room / 2, n); n++)
			;
	}
	world_destroy(sure);
}

TESTS(cmocka_unit_test(test_answers))
