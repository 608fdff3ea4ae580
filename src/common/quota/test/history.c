/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test history.c - what was borrowed lately, and what it does to shares
 */
#include "query.h"
#include "quota/history.h"
#include "quota/share.h"
#include "world.h"

/* 16 that all queues may borrow */
#define LAB "cohort lab cpu@f=16\nqueue a in lab cpu@f=0\nqueue b in lab cpu@f=0\n"
#define WEIGHT "site fair half=3600\ncohort lab cpu@f=16\nqueue a in lab weight="
enum { LAB_NODE, A, B };

static double past_of(const struct world *world, int queue)
{
	struct usage_history h;

	assert_true(engine_history(world->engine, false, queue, 0, &h));
	return h.past;
}

/* Example 1: splitting an interval changes nothing */
static void test_fold(void **state)
{
	static const int64_t steps[] = { 1, 7, 59, 533, 3000 };
	struct world *world = world_create(
		"site fair half=3600\n" LAB "now 1000\nrun r in a cpu@f=8");
	int64_t now = 1000;

	for (size_t i = 0; i < COUNT(steps); i++) {
		now += steps[i];
		engine_advance(world->engine, now);
		history_fold(world->engine->books, A);
	}
	assert_true(is_near(past_of(world, 0), 4));
	world_tell(world, "remove r\nnow 11800");
	history_fold(world->engine->books, A);
	assert_true(is_near(past_of(world, 0), 1));
	world_tell(world, "run s in b cpu@f=8\nnow 15400\nremove s");
	assert_true(is_near(past_of(world, 1), 4));
	/* the clock goes back: no time has passed */
	world_tell(world, "now 5\nrun s in b cpu@f=8\nnow 15400\nremove s");
	assert_true(is_near(past_of(world, 1), 4));
	world_destroy(world);
}

/* Before the time was told no time passes. */
static void test_first_time(void **state)
{
	struct world *world = world_create(
		"site fair half=3600\n" LAB "run r in a cpu@f=8\nnow 99999");

	history_fold(world->engine->books, A);
	assert_true(past_of(world, 0) == 0);
	world_destroy(world);
}

/* A history of nearly nothing is nothing */
static void test_least(void **state)
{
	assert_true(history_moved(0x1p-29, 0, 0.5) == 0x1p-30);
	assert_true(history_moved(0x1p-30, 0, 0.5) == 0);
	assert_true(history_left(-5, 10) == 1);
	assert_true(history_left(10, 10) == 0.5);
	assert_true(history_rounded(0x1p-22) == 0);
	assert_true(history_rounded(1 + 0x1p-22) == 1);
}

/* Examples 2 and 3 */
static void test_share(void **state)
{
	static const struct {
		const char *told;
		double ratio, plain, share;
	} cases[] = {
		{ "site fair half=3600\n" LAB "run r in a cpu@f=4\npast a cpu=2", 375, 250, 375 },
		{ "site fair\n" LAB "run r in a cpu@f=4\npast a cpu=2", 250, 250, 250 },
		{ "site half=3600\n" LAB "run r in a cpu@f=4\npast a cpu=2", 250, 250, 250 },
		{ "site fair half=3600 k=0.5\n" LAB "run r in a cpu@f=4\n"
		  "past a cpu=2", 312.5, 250, 312.5 },
		{ "site fair half=3600 k=0\n" LAB "run r in a cpu@f=4\n"
		  "past a cpu=2", 250, 250, 250 },
		{ "site fair half=3600\n" LAB "past a cpu=100", 0, 0, 0 },
		{ "site fair half=3600\n" LAB "run r in a cpu@f=1\n"
		  "past a cpu=100", 6312.5, 62.5, 6312.5 },
		/* the largest of the resources, each with its history */
		{ "site fair half=3600\ncohort lab cpu@f=100 gpu@f=16\n"
		  "queue a in lab cpu@f=0 gpu@f=0\nrun r in a cpu@f=10 gpu@f=4\n"
		  "past a cpu=30 gpu=2", 400, 250, 400 },
		{ "site fair half=3600\ncohort lab cpu@f=100 gpu@f=16\n"
		  "queue a in lab cpu@f=0 gpu@f=0\nrun r in a cpu@f=0 gpu@f=4\n"
		  "past a cpu=300 gpu=2", 375, 250, 375 },
		/* divided by the weight; without weight beyond all, as long as something is
		 * borrowed */
		{ WEIGHT "2 cpu@f=0\nrun r in a cpu@f=4\npast a cpu=2", 375, 250, 187.5 },
		{ WEIGHT "0 cpu@f=0\nrun r in a cpu@f=4\npast a cpu=2", 375, 250, HUGE_VAL },
		{ WEIGHT "0 cpu@f=0\npast a cpu=2", 0, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct books *b = world->engine->books;

		if (b->history)
			history_see(b, LAB_NODE);
		assert_true(share_of(b, A)->ratio == cases[i].ratio);
		assert_true(share_less(b, A, NULL, 0, 0).ratio == cases[i].plain);
		assert_true(engine_share(world->engine, false, 0) == cases[i].share);
		world_destroy(world);
	}
}

/* Equal histories tie, however they came about; and a trial changes none. */
static void test_equal(void **state)
{
	struct world *world = world_create("site fair half=3600\n" LAB "now 5\nrun r in a cpu@f=4\n"
		"run s in b cpu@f=4");
	struct books *b = world->engine->books;
	size_t mark;

	for (int64_t now = 6; now < 3000; now += 7) {
		engine_advance(world->engine, now);
		history_fold(b, A);
	}
	history_see(b, LAB_NODE);
	assert_false(history_past(b, A, 0)->past == 0);
	assert_int_equal(share_compare(share_of(b, A), share_of(b, B)), 0);
	mark = books_try(b);
	engine_advance(world->engine, 9000);
	books_add(b, A, 0, 4);
	assert_true(b->history->at[A] < 3000);
	assert_true(share_less(b, A, NULL, 0, 0).ratio == 500);
	assert_true(books_undo(b, mark));
	assert_int_equal(share_compare(share_of(b, A), share_of(b, B)), 0);
	world_destroy(world);
}

/* Example 5: LessThanInitialShare, both with 8 */
static void test_may_take(void **state)
{
	static const struct {
		const char *past;
		bool may;
	} cases[] = {
		{ "past a cpu=2\npast b cpu=6", true },
		{ "past a cpu=3\npast b cpu=5", false },
		{ "past a cpu=4\npast b cpu=4", false },
		{ "past a cpu=2.6\npast b cpu=5.4", true },
		{ "past a cpu=6\npast b cpu=2", false },
	};
	struct taking t = { NULL, A, B, NULL, 0, false };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(
			"site fair half=3600\n" LAB "run r in a cpu@f=8\nrun s in b cpu@f=8");
		struct books *b = world->engine->books;

		world_tell(world, cases[i].past);
		history_see(b, LAB_NODE);
		t.books = b;
		assert_int_equal(share_may_take(&t, share_of(b, A), share_of(b, B)), cases[i].may);
		world_destroy(world);
	}
}

/* Example 6: the time of a crossing by bisection is that of the formula */
static void test_crossing(void **state)
{
	const int64_t second = SPEC_SEC, half_life = 3600 * second;
	struct world *world = world_create("site fair half=3600000000000\n" LAB "now 1000000000\n"
		"run s in b cpu@f=6\npast a cpu=8\nwait x in a cpu=4");
	struct books *b = world->engine->books;
	struct use less = { 0, 6 };
	struct taking t = { b, A, B, NULL, 0, false };
	int64_t now = second, at = 0;

	while (!at && now < 2 * half_life) {
		engine_advance(world->engine, now);
		history_see(b, LAB_NODE);
		books_try(b);
		books_add(b, A, 0, 4);
		at = crossing_at(&t, now);
		assert_true(books_undo(b, 0));
		if (!at)
			now = history_latest(now, half_life);
	}
	assert_int_equal(at, (1 + 2907) * second);
	/* a queue with nothing left is never worth it */
	t.less = &less;
	t.n = 1;
	t.or_equal = true;
	books_try(b);
	books_add(b, A, 0, 4);
	assert_int_equal(crossing_at(&t, now), 0);
	assert_true(books_undo(b, 0));
	assert_int_equal(history_latest(0, 60 * second), second);
	assert_int_equal(history_latest(7, 7 * 24 * half_life), 9450 * second);
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_fold), cmocka_unit_test(test_first_time), cmocka_unit_test(test_least),
      cmocka_unit_test(test_share), cmocka_unit_test(test_equal), cmocka_unit_test(test_may_take),
      cmocka_unit_test(test_crossing))
