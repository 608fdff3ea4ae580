/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test clearing.c - who goes, in small worlds
 */
#include <errno.h>
#include <string.h>

#include "clearing/test/worlds.h"

/* Two nodes of 4: on the first items 0 (3 CPUs) and 1 (1), on the second item 2
 * (4); the first queue's are the even ones */
static void small_make(struct world *w)
{
	static const int64_t held[] = { 3, 1, 4 };

	world_make_few(w, COUNT(held), held, 4);
}

static void expect(const struct world *w, const char *who)
{
	bool gone[MAX_ITEMS] = { false };
	char found[4] = "---";

	if (!clearing_find(&w->c, gone)) {
		assert_int_equal(errno, 0);
		assert_string_equal(who, "none");
		return;
	}
	for (size_t i = 0; i < 3; i++)
		found[i] = gone[i] ? '0' + (char) i : '-';
	assert_string_equal(found, who);
}

static void test_small(void **state)
{
	static struct world w;

	small_make(&w);
	expect(&w, "--2");		/* as much as the others, and fewer */
	w.items[2].loss = 5;
	expect(&w, "01-");
	w.items[1].level = 1;		/* it stays, whatever others lose */
	expect(&w, "--2");
	w.need[1] = INT64_MAX;		/* but this node can't do */
	expect(&w, "01-");
	w.lent[1] = 0;			/* and its queue does not borrow */
	expect(&w, "none");
	small_make(&w);
	w.need[0] = w.need[1] = 1;
	expect(&w, "-1-");
	w.lacks = 2;			/* quota needs more: that is enough by itself */
	expect(&w, "0--");
	w.c.min_nodes = w.c.max_nodes = 2;
	w.need[0] = 5;			/* more than there is */
	expect(&w, "none");
	small_make(&w);
	w.c.max_questions = 0;
	expect(&w, "none");
}

static void test_better(void **state)
{
	static struct world w;
	const bool first[] = { true, true, false }, last[] = { false, false, true };

	small_make(&w);
	assert_true(clearing_is_better(&w.c, last, first));
	assert_false(clearing_is_better(&w.c, first, last));
	assert_false(clearing_is_better(&w.c, last, last));
}

/* Refused ones are not the end, and nobody is not an answer. */
static bool refused[3];

static enum clearing_answer refuse_some(const bool *gone, void *arg)
{
	if (!memcmp(gone, refused, sizeof(refused)))
		return CLEARING_REFUSED;
	return world_judge(gone, arg);
}

/* Losses are equal: less of what breaks ties, on the highest level first; then fewer */
static void test_ties(void **state)
{
	static struct world w;
	static const bool one[] = { true, true, false },
		other[] = { false, false, true };

	small_make(&w);
	for (size_t i = 0; i < 3; i++)
		w.items[i].loss = 0;
	expect(&w, "--2");		/* fewer */
	w.items[0].tie = w.items[1].tie = 3;
	w.items[2].tie = 7;
	expect(&w, "01-");
	assert_true(clearing_is_better(&w.c, one, other));
	assert_true(clearing_compare_items(&w.items[0], &w.items[2]) < 0);
	w.items[2].tie = 6;
	expect(&w, "--2");
	w.items[2].tie = 1;
	w.items[2].loss = 0.5;		/* a loss counts more */
	expect(&w, "01-");
	assert_true(clearing_compare_items(&w.items[0], &w.items[2]) < 0);
	w.items[1].level = 1;		/* a level counts more, also without losses */
	expect(&w, "--2");
	assert_true(clearing_is_better(&w.c, other, one));
}

static void test_refused(void **state)
{
	static struct world w;

	small_make(&w);
	w.c.judge = refuse_some;
	refused[2] = true;
	expect(&w, "01-");
	small_make(&w);
	w.idle[0] = 4;			/* there is room, but it is asked for */
	expect(&w, "--2");
	w.lacks = 1;			/* as quota is missing */
	expect(&w, "-1-");
}

/* What is not needed may be missing; a rest that is no multiple doesn't count. */
static void test_amounts(void **state)
{
	static struct world w;
	static const int64_t unit = 2;

	small_make(&w);
	w.need[0] = w.need[1] = 0;
	w.idle[0] = w.idle[1] = -1;
	w.total = 4;
	w.c.max_nodes = 2;
	w.items[2].loss = 9;
	expect(&w, "0-2");
	w.idle[0] = 1;
	expect(&w, "0--");
	w.idle[0] = 2;
	w.c.unit = &unit;		/* 2 + 3 count as 4 */
	expect(&w, "0--");
	w.total = 5;
	expect(&w, "01-");
}

/* How many are useful to lose less than `now`, and which: "+", "-" for each item */
static void assert_useful(const struct world *w, const bool *now, size_t n, const char *which)
{
	bool useful[MAX_ITEMS];

	assert_int_equal(clearing_find_useful(&w->c, now, useful), n);
	assert_int_equal(clearing_find_useful(&w->c, now, NULL), n);
	for (size_t i = 0; i < w->c.nitems; i++)
		assert_int_equal(useful[i], which[i] == '+');
}

/* Losses of 3, 1 and 4 */
static void test_useful(void **state)
{
	const bool none[MAX_ITEMS] = { false };
	const bool three[MAX_ITEMS] = { true }, one[MAX_ITEMS] = { false, true };
	const bool four[MAX_ITEMS] = { false, false, true };
	static struct world w;

	small_make(&w);
	assert_useful(&w, three, 1, "-+-");
	assert_useful(&w, one, 0, "---");
	assert_useful(&w, none, 0, "---");
	w.items[1].leaving = true;
	assert_useful(&w, three, 0, "-+-");
	assert_useful(&w, four, 1, "++-");
	w.items[0].leaving = w.items[2].leaving = true;
	assert_useful(&w, four, 0, "+++");
}

/* The best set has useful items only: whatever `now` is */
static void test_best_is_useful(void **state)
{
	bool best[MAX_ITEMS], now[MAX_ITEMS];
	static struct world w;

	for (unsigned set = 1; set < 8; set++) {
		small_make(&w);
		for (size_t i = 0; i < w.c.nitems; i++)
			now[i] = set & 1U << i;
		assert_true(clearing_find(&w.c, best));
		if (!clearing_is_better(&w.c, best, now))
			continue;
		assert_true(world_finds_useful(&w, best, now));
	}
}

TESTS(cmocka_unit_test(test_small), cmocka_unit_test(test_better), cmocka_unit_test(test_ties),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_amounts), cmocka_unit_test(test_useful),
      cmocka_unit_test(test_best_is_useful))
