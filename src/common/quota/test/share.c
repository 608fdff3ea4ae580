/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test share.c - how far a node borrows, as one number
 */
#include "quota/share.h"
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
		{ TREE "run r in a cpu@f=15\nrun s in b cpu@f=15", ML, 10 * 1000.0 / 50, true },
		/* the resource where it borrows most, relatively */
		{ TREE "run r in a cpu@f=13 mem@f=12", A, 3 * 1000.0 / 50, true },
		{ TREE "run r in a cpu@f=12 mem@f=13", A, 3 * 1000.0 / 40, true },
		/* summed over flavors; own quota in one is no help in another */
		{ TREE "run r in c cpu@f=21 cpu@g=12", C, 3 * 1000.0 / 50, true },
		{ TREE "run r in c cpu@f=5 cpu@g=12", C, 2 * 1000.0 / 50, true },
		/* nothing is lendable: borrowing, but no share */
		{ "cohort org\nqueue a in org cpu@f=0\nrun r in a cpu@f=1", 1, 0, true },
	};

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
		/* weight 0: more than any share, except a larger one with weight 0 */
		{ { 1, 0, true }, { 1000, 1, true }, 1 },
		{ { 1, 0, true }, { 2, 0, true }, -1 },
		{ { 0, 0, true }, { 1, 1, true }, -1 },
		{ { 1, 0.5, true }, { 1.5, 1, true }, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(share_compare(&cases[i].a, &cases[i].b), cases[i].order);
		assert_int_equal(share_compare(&cases[i].b, &cases[i].a), -cases[i].order);
	}
}

TESTS(cmocka_unit_test(test_share), cmocka_unit_test(test_compare))
