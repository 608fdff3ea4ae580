/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test orders - searches that follow the order of their pairs find the same
 *
 * Random worlds are played twice: each search has the queues in the order of what uses
 * the pairs that it needs, and none has (fronts_choose() is replaced at link time). All
 * turns, verdicts and victims must be the same. COHORT_SEEDS=N tries N worlds.
 */
#include "candidates/fronts.h"
#include "random/draw.h"
#include "random/twice.h"
#include "random/unit_world.h"

static bool plain;			/* all follow the order of all pairs */
static size_t followed;			/* searches that follow another one */

typeof(fronts_choose) __real_fronts_choose, __wrap_fronts_choose;
typeof(fronts_begin) __real_fronts_begin, __wrap_fronts_begin;

void __wrap_fronts_choose(struct search *s)
{
	struct searches *all = s->e->searches;

	if (plain)
		return;
	__real_fronts_choose(s);
	followed += s->fronts != all->fronts;
	all->astray = UINT64_MAX / 2;
}

void __wrap_fronts_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	__real_fronts_begin(e, tree, now);
	e->searches->astray = UINT64_MAX / 2;
}

static void play(void (*write)(struct text *t, uint64_t seed))
{
	uint64_t worlds;

	followed = 0;
	worlds = twice_play_worlds(200, write, &plain);
	print_message("# %zu searches followed an order of their own\n",
		      followed);
	assert_true(followed > worlds);
}

static void test_same(void **state)
{
	(void) state;
	play(tree_world_write);
}

static void test_same_in_long_queues(void **state)
{
	(void) state;
	play(long_world_write);
}

static void test_same_with_units(void **state)
{
	(void) state;
	play(unit_world_write);
}

/* Each victim uses only one of the pairs that are needed. */
static void apart_write(struct text *t, uint64_t seed)
{
	text_begin(t, seed);
	say(t, "cohort top\nqueue a in top reclaim=any cpu@f=4 mem@f=4\n"
	    "queue b in top cpu@f=4 mem@f=4\nqueue c in top cpu@f=4 mem@f=4\n"
	    "run r in b mem@f=12\nrun s in c cpu@f=12\n"
	    "wait w in a cpu=4 mem=4\n");
}

static void test_same_apart(void **state)
{
	static struct text t;

	(void) state;
	for (uint64_t seed = 1; seed <= 10; seed++)
		twice_play(&t, seed, apart_write, &plain);
}

/* More pairs than there are orders: the first ones have one. */
static void test_most(void **state)
{
	struct text t = { 0 };
	struct world *w;

	(void) state;
	text_begin(&t, 1);
	say(&t, "cohort c\nqueue a in c reclaim=any");
	for (int i = 0; i < FRONT_ORDERS + 4; i++)
		say(&t, " cpu@f%d=4", i);
	say(&t, "\nqueue b in c");
	for (int i = 0; i < FRONT_ORDERS + 4; i++)
		say(&t, " cpu@f%d=4", i);
	say(&t, "\n");
	for (int i = 0; i < FRONT_ORDERS + 4; i++)
		say(&t, "run r%d in b cpu@f%d=8\n", i, i);
	say(&t, "wait w in a cpu=1\n");
	w = world_create(t.bytes);
	followed = 0;
	world_plan(w, 100);
	assert_int_equal(followed, FRONT_ORDERS + 1);
	assert_int_equal(w->engine->searches->norders, 0);
	world_destroy(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_same_in_long_queues),
		cmocka_unit_test(test_same_with_units),
		cmocka_unit_test(test_same_apart),
		cmocka_unit_test(test_most),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
