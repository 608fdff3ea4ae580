/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test share.c - how far a node borrows, as one number
 */
#include "quota/share.h"
#include "random/draw.h"
#include "world.h"

#define TREE "cohort org\ncohort ml in org weight=2\n" \
	"queue a in ml cpu@f=10 mem@f=10\nqueue b in ml cpu@f=10 mem@f=10\n" \
	"queue c in org cpu@f=20 cpu@g=10 mem@f=20\n"
enum { ORG, ML, A, B, C };

static void test_share(void **state)
{
	static const struct {
		const char *told;
		int node;
		double ratio;
		bool borrowing;
	} cases[] = {
		{ TREE "run r in a cpu@f=99", ORG, 0, false },
		{ TREE "run r in a cpu@f=10", A, 0, false },
		/* 50 cpu in the tree, 10 of them of another flavor */
		{ TREE "run r in a cpu@f=15", A, 5 * 1000.0 / 50, true },
		{ TREE "run r in a cpu@f=15", ML, 0, false },
		{ TREE "run r in a cpu@f=15\nrun s in b cpu@f=15", ML,
		  10 * 1000.0 / 50, true },
		/* the resource where it borrows most, relatively */
		{ TREE "run r in a cpu@f=13 mem@f=12", A, 3 * 1000.0 / 50,
		  true },
		{ TREE "run r in a cpu@f=12 mem@f=13", A, 3 * 1000.0 / 40,
		  true },
		/* summed over flavors; own quota in one is no help in another */
		{ TREE "run r in c cpu@f=21 cpu@g=12", C, 3 * 1000.0 / 50,
		  true },
		{ TREE "run r in c cpu@f=5 cpu@g=12", C, 2 * 1000.0 / 50,
		  true },
		/* nothing is lendable: borrowing, but no share */
		{ "cohort org\nqueue a in org cpu@f=0\nrun r in a cpu@f=1", 1,
		  0, true },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct world *world = world_create(cases[i].told);
		struct share s = *share_of(world->engine->books, cases[i].node);

		assert_true(s.ratio == cases[i].ratio);
		assert_int_equal(s.borrowing, cases[i].borrowing);
		world_destroy(world);
	}
}

static void test_compare(void **state)
{
	static const struct {
		struct share a, b;
		int order;
	} cases[] = {
		{ { 10, 1, true }, { 10, 1, true }, 0 },
		{ { 10, 1, true }, { 20, 2, true }, 0 },
		{ { 10, 1, true }, { 10, 2, true }, 1 },
		{ { 0, 0, false }, { 0, 5, false }, 0 },
		/* weight 0: more than any share, except a larger one with
		 * weight 0 */
		{ { 1, 0, true }, { 1000, 1, true }, 1 },
		{ { 1, 0, true }, { 2, 0, true }, -1 },
		{ { 0, 0, true }, { 1, 1, true }, -1 },
		{ { 1, 0.5, true }, { 1.5, 1, true }, 1 },
	};

	(void) state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(share_compare(&cases[i].a, &cases[i].b),
				 cases[i].order);
		assert_int_equal(share_compare(&cases[i].b, &cases[i].a),
				 -cases[i].order);
	}
}

/* The share that is kept equals the one that is computed, whatever happened to
 * the books: random changes, nested trials */
static void shares_check(struct books *b)
{
	for (size_t i = 0; i < b->nnodes; i++) {
		struct share known = *share_of(b, i), again;

		b->nodes[i].share_known = false;
		again = *share_of(b, i);
		assert_true(known.ratio == again.ratio);
		assert_true(known.weight == again.weight);
		assert_int_equal(known.borrowing, again.borrowing);
	}
}

/* The share with less usage by share_less(), and with that usage taken out of
 * the books */
static void less_check(struct books *b, int queue, const struct use *use)
{
	for (int n = queue; n != SPEC_NONE; n = b->nodes[n].parent) {
		int64_t usage = books_usage(b, n, use->pair);
		struct use less = { use->pair,
				    books_removable(b, queue, n, use->pair,
						    use->amount) };
		struct share share = share_less(b, n, &less, 1);
		size_t mark = books_try(b);

		books_remove_all(b, queue, use, 1);
		assert_int_equal(books_usage(b, n, use->pair),
				 usage - less.amount);
		assert_true(share_of(b, n)->ratio == share.ratio);
		assert_int_equal(share_of(b, n)->borrowing, share.borrowing);
		assert_true(books_undo(b, mark));
	}
}

static void test_remembered(void **state)
{
	struct world *world = world_create(TREE "run r in a cpu@f=1");
	struct books *b = world->engine->books;
	struct use use;
	size_t marks[4], n = 0;
	uint64_t seed = 3;

	(void) state;
	for (size_t i = 0; i < 5000; i++) {
		int node, pair;	/* of a random queue */

		seed = seed * UINT64_C(6364136223846793005) + 1;
		node = b->ncohorts + (seed >> 33) % (b->nnodes - b->ncohorts);
		pair = (seed >> 40) % b->npairs;
		if ((seed >> 60) < 6)
			books_add(b, node, pair, (seed >> 50) % 9);
		else if ((seed >> 60) < 12)
			books_remove(b, node, pair,
				     min64(books_usage(b, node, pair),
					   (seed >> 50) % 9));
		else if ((seed >> 60) < 14 && n < COUNT(marks))
			marks[n++] = books_try(b);
		else if (n)
			assert_true(books_undo(b, marks[--n]));
		shares_check(b);
		use = (struct use) { pair, min64(books_usage(b, node, pair),
						(seed >> 45) % 9) };
		less_check(b, node, &use);
	}
	while (n)
		books_undo(b, marks[--n]);
	books_clear(b);
	shares_check(b);
	world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_remembered),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
