/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test books.c - usage in the quota tree
 */
#include "quota/books.h"
#include "world.h"

/* nodes: org 0, ml 1, queues a 2, b 3, c 4 */
#define TREE "cohort org\ncohort ml in org\nqueue a in ml cpu@f=10-6\nqueue b in ml cpu@f=5+2\n" \
	"queue c in org cpu@f=3\n"
enum { ORG, ML, A, B, C, NODES };

static void test_saturation(void **state)
{
	assert_int_equal(sat_add(INT64_MAX, -5), INT64_MAX);
	assert_int_equal(sat_add(INT64_MAX - 1, 5), INT64_MAX);
	assert_int_equal(sat_add(INT64_MIN, -5), INT64_MIN);
	assert_int_equal(sat_add(-3, 5), 2);
	assert_int_equal(sat_sub(INT64_MAX, INT64_MAX), INT64_MAX);
	assert_int_equal(sat_sub(INT64_MIN, 1), INT64_MIN);
	assert_int_equal(sat_sub(5, INT64_MIN), INT64_MAX);
	assert_int_equal(sat_sub(3, 5), -2);
	assert_int_equal(sat_mul(INT64_MAX, 2), INT64_MAX);
	assert_int_equal(sat_mul(INT64_MAX, -2), INT64_MIN);
	assert_int_equal(sat_mul(-3, 5), -15);
}

struct step {
	int node;
	int64_t amount;			/* < 0: removed */
	int64_t usage[NODES];
	int64_t available[3];		/* of the queues */
};

static const struct step steps[] = {
	/* of a's 10, 4 are not lent: they do not count above */
	{ A, 3, { 0, 0, 3, 0, 0 }, { 1 + 14, 7, 14 } },
	{ A, 3, { 2, 2, 6, 0, 0 }, { 12, 7, 12 } },
	{ B, 6, { 8, 8, 6, 6, 0 }, { 6, 1, 6 } },
	{ C, 9, { 17, 8, 6, 6, 9 }, { -3, -3, -3 } },
	{ C, -5, { 12, 8, 6, 6, 4 }, { 2, 1, 2 } },
	{ A, -4, { 10, 6, 2, 6, 4 }, { 6, 1, 4 } },
	{ B, -6, { 4, 0, 2, 0, 4 }, { 12, 7, 10 } },
};

static void test_usage(void **state)
{
	struct world *world = world_create(TREE);
	struct books *b = world->engine->books;

	for (size_t i = 0; i < COUNT(steps); i++) {
		const struct step *s = &steps[i];

		if (s->amount > 0)
			books_add(b, s->node, 0, s->amount);
		else
			books_remove(b, s->node, 0, -s->amount);
		for (int n = 0; n < NODES; n++)
			assert_int_equal(books_usage(b, n, 0), s->usage[n]);
		for (int q = 0; q < 3; q++)
			assert_int_equal(books_available(b, A + q, 0), s->available[q]);
	}
	world_destroy(world);
}

static void test_borrowing(void **state)
{
	static const struct {
		int queue;
		int64_t amount;
		int level;
		bool may_reclaim;
	} cases[] = {
		{ A, 10, 0, true },		/* within nominal */
		{ A, 11, 1, true },		/* the rest is in ml */
		{ A, 15, 1, true },
		{ A, 16, 2, false },		/* c's, by way of org */
		{ A, 99, 2, false },
		{ B, 5, 0, true }, { B, 6, 1, true }, { B, 12, 2, false },
		{ C, 3, 0, true }, { C, 4, 2, false },
	};
	struct world *world = world_create(TREE "queue d cpu@f=4\n");
	struct books *b = world->engine->books;
	bool may_reclaim;

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(books_borrow_level(b, cases[i].queue, 0, cases[i].amount,
						    &may_reclaim), cases[i].level);
		assert_int_equal(may_reclaim, cases[i].may_reclaim);
	}
	/* without a cohort there is nothing to borrow or to reclaim */
	assert_int_equal(books_borrow_level(b, C + 1, 0, 99, &may_reclaim), 0);
	assert_false(may_reclaim);
	assert_int_equal(books_over_nominal(b, A, 0, 10), 0);
	assert_int_equal(books_over_nominal(b, A, 0, 11), 1);
	assert_false(books_is_over_nominal(b, A, 0, 10));
	assert_true(books_is_over_nominal(b, A, 0, 11));
	/* nothing is over a quota without bound */
	books_quota(b, A, 0)->subtree = SPEC_UNLIMITED;
	assert_false(books_is_over_nominal(b, A, 0, SPEC_UNLIMITED));
	assert_int_equal(books_borrow_level(b, A, 0, SPEC_UNLIMITED, &may_reclaim), 0);
	world_destroy(world);
}

static void test_fit(void **state)
{
	struct world *world = world_create("queue a cpu@f=4 mem@f=2\nrun r in a cpu@f=3 mem@f=3\n");
	const struct books *b = world->engine->books;
	struct use uses[] = { { 0, 1 }, { 1, 0 } };

	/* nothing is requested of mem, though less than nothing is left */
	assert_true(books_fit(b, 0, uses, 2));
	uses[0].amount = 2;
	assert_false(books_fit(b, 0, uses, 2));
	uses[0].amount = 1;
	uses[1].amount = 1;
	assert_false(books_fit(b, 0, uses, 2));
	assert_true(books_fit(b, 0, uses, 0));
	world_destroy(world);
}

/* Charges larger than all that exists: after they are removed, usage is what it
 * was before, in all nodes and in any order */
static void test_absurd(void **state)
{
	static const char *const worlds[] = {
		TREE,
		"cohort org\ncohort ml in org\n"	/* without limit */
		"queue a in ml cpu@f=9223372036854775807-6\n"
		"queue b in ml cpu@f=5+2\nqueue c in org cpu@f=3\n",
	};
	static const int64_t amounts[] = { INT64_MAX / 2 + 1, INT64_MAX,
					   INT64_MAX / 2 + 1, 3, INT64_MAX };

	for (size_t i = 0; i < COUNT(worlds) * 3; i++) {
		struct world *world = world_create(worlds[i / 3]);
		struct books *b = world_engine(world)->books;
		int queue = A + i % 3;

		books_add(b, A, 0, 4);
		books_add(b, B, 0, 6);
		for (size_t k = 0; k < COUNT(amounts); k++)
			books_add(b, queue, 0, amounts[k]);
		assert_int_equal(books_usage(b, queue, 0), INT64_MAX);
		for (size_t k = 0; k < COUNT(amounts); k++)
			books_remove(b, queue, 0, amounts[k]);
		books_remove(b, A, 0, 4);
		books_remove(b, B, 0, 6);
		for (int n = 0; n < NODES; n++)
			assert_int_equal(books_usage(b, n, 0), 0);
		world_destroy(world);
	}
}

TESTS(cmocka_unit_test(test_saturation), cmocka_unit_test(test_usage),
      cmocka_unit_test(test_borrowing), cmocka_unit_test(test_fit), cmocka_unit_test(test_absurd))
