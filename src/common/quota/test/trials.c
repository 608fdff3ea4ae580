/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test books.c, share.c - nested trials at random: they are undone bit for bit, and what
 * is remembered of a node is what is computed anew
 */
#include "quota/share.h"
#include "random/draw.h"
#include "world.h"

/* Two pairs; a chain, of which some levels limit something, and a side branch */
#define DEEP "cohort c0 cpu@f=9 mem@f=3\ncohort c1 in c0 weight=2 cpu@f=5-2\n" \
	"cohort c2 in c1\ncohort c3 in c2 mem@f=4+3\ncohort c4 in c3\n" \
	"cohort s in c1 cpu@f=2+1-1\n" \
	"queue q0 in c4 cpu@f=6-3 mem@f=5\nqueue q1 in c4 cpu@f=4+2 mem@f=2-1\n" \
	"queue q2 in c3 cpu@f=0 mem@f=1+9\nqueue q3 in c2 cpu@f=8 mem@f=0\n" \
	"queue q4 in s cpu@f=3-0 mem@f=6\nqueue q5 in c0 cpu@f=7+5-4 mem@f=2\n" \
	"queue alone cpu@f=3-1 mem@f=3\n"

static uint64_t seed;

static int draw(size_t n)
{
	return (int) random_below(&seed, n);
}

/* As it was computed, and once more */
static void nodes_check(struct books *b)
{
	for (int n = 0; n < (int) b->nnodes; n++) {
		struct share known = *share_of(b, n), again;

		b->nodes[n].share_known = false;
		again = *share_of(b, n);
		assert_true(known.ratio == again.ratio);
		assert_true(known.weight == again.weight);
		assert_int_equal(known.borrowing, again.borrowing);
	}
}

/* The share with less usage by share_less(), and with that usage taken out of the books */
static void less_check(struct books *b, int queue, int pair)
{
	struct use use = { pair, min64(max64(0, books_usage(b, queue, pair)), draw(9)) };

	for (int n = queue; n != SPEC_NONE && books_usage(b, n, pair) < INT64_MAX / 2;
	     n = b->nodes[n].parent) {
		struct use less = { pair, books_removable(b, queue, n, pair, use.amount) };
		int64_t usage = books_usage(b, n, pair);
		struct share share = share_less(b, n, &less, 1, 1);
		size_t mark = books_try(b);

		books_change(b, queue, &use, 1, -1);
		assert_int_equal(books_usage(b, n, pair), usage - less.amount);
		assert_true(share_of(b, n)->ratio == share.ratio);
		assert_int_equal(share_of(b, n)->borrowing, share.borrowing);
		assert_true(books_undo(b, mark));
	}
}

/* Adds, removes, and at times less than nothing, as queues above their borrowing limits
 * reserve; rarely amounts above all bounds */
static void step(struct books *b, __int128 *number)
{
	int queue = (int) b->ncohorts + draw(b->nnodes - b->ncohorts);
	int pair = draw(b->npairs);
	int64_t amount = draw(9);

	less_check(b, queue, pair);
	if (!draw(100))
		books_add(b, queue, pair, INT64_MAX);
	else if (draw(3))
		books_add(b, queue, pair, draw(30) ? amount : -amount);
	else if (books_usage(b, queue, pair) >= amount)
		books_remove(b, queue, pair, amount);
	books_write(b, number, draw(100));
	nodes_check(b);
}

/* Makes a trial of some steps and further trials, and undoes it */
static void trial(struct books *b, __int128 *number, int depth)
{
	size_t size = b->nnodes * b->npairs * sizeof(*b->cells);
	struct cell *before = malloc(size);
	size_t mark = books_try(b), nlog = b->nlog;
	__int128 was = *number;

	assert_non_null(before);
	memcpy(before, b->cells, size);
	for (int i = 0; i < 8; i++) {
		if (depth && !draw(4))
			trial(b, number, depth - 1);
		else
			step(b, number);
	}
	if (!draw(9)) {
		books_vacate(b, b->nodes[0].root);
		assert_false(books_is_over_any(b, 0));
	}
	assert_true(books_undo(b, mark));
	assert_memory_equal(before, b->cells, size);
	assert_true(*number == was);
	assert_int_equal(b->nlog, nlog);
	nodes_check(b);
	free(before);
}

static void test_random(void **state)
{
	struct world *world = world_create(DEEP);
	struct books *b = world_engine(world)->books;
	__int128 number = 5;

	for (seed = 1; seed < 200; seed++) {
		uint64_t first = seed;

		trial(b, &number, 4);
		step(b, &number);	/* outside of trials nothing is logged */
		assert_int_equal(b->nlog, 0);
		seed = first;
	}
	world_destroy(world);
}

TESTS(cmocka_unit_test(test_random))
