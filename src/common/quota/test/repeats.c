/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test repeats.c - how often the same uses fit, one after the other
 */
#include "world.h"

/* nodes: org 0, ml 1, queues a 2, b 3, c 4 */
#define TREE "cohort org\ncohort ml in org\n" \
	"queue a in ml cpu@f=10-6\nqueue b in ml cpu@f=5+2\n" \
	"queue c in org cpu@f=3\n"
enum { A = 2, B, C };

/* So often 2 more for A fit, and come from as far away as the first time */
static void test_repeats(void **state)
{
	static const struct {
		int64_t a, b, c;	/* in use */
		int64_t amount, most, repeats;
	} cases[] = {
		{ 0, 0, 0, 2, 99, 5 },	/* its own 10 */
		{ 1, 0, 0, 2, 99, 4 },	/* the next one would borrow 1 of ml */
		{ 9, 0, 0, 2, 99, 3 },	/* borrowed of ml's 15; then of org's */
		{ 10, 0, 0, 2, 99, 2 },
		{ 15, 0, 0, 2, 99, 1 },	/* one of org's 3, and no more */
		{ 17, 0, 0, 2, 99, 0 },
		{ 0, 0, 14, 2, 99, 2 },	/* what it does not lend */
		{ 0, 0, 0, 2, 3, 3 },
		{ 0, 0, 0, 2, 0, 0 },
		{ 0, 0, 0, 0, 99, 99 },
		{ 0, 0, 0, INT64_MAX, 99, 0 },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(TREE);
		const struct use use = { 0, cases[i].amount };
		struct books *b = world->engine->books;
		size_t mark;

		books_add(b, A, 0, cases[i].a);
		books_add(b, B, 0, cases[i].b);
		books_add(b, C, 0, cases[i].c);
		mark = books_try(b);
		assert_int_equal(books_repeats(b, A, &use, 1, cases[i].most),
				 cases[i].repeats);
		assert_int_equal(books_cell(b, A, 0)->usage, cases[i].a);
		assert_true(books_undo(b, mark));
		world_destroy(world);
	}
}

/* Two resources: each of them counts */
static void test_repeats_both(void **state)
{
	struct world *world = world_create("cohort org\n"
					   "queue a in org cpu@f=9 mem@f=40\n"
					   "queue b in org cpu@f=9 mem@f=20\n"
					   "wait x in a");
	const struct use uses[] = { { 0, 1 }, { 1, 10 } };
	struct books *b = world_engine(world)->books;

	(void) state;
	assert_int_equal(books_repeats(b, 1, uses, 2, 99), 4);
	books_add(b, 1, 1, 40);
	assert_int_equal(books_repeats(b, 1, uses, 2, 99), 2);
	books_add(b, 1, 1, 20);
	assert_int_equal(books_repeats(b, 1, uses, 2, 99), 0);
	assert_int_equal(books_repeats(b, 1, uses, 1, 99), 9);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_repeats_both),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
