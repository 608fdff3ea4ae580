/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test books without memory - the log of a trial cannot grow: the books say so,
 * and count right which queues borrow, then and after they are made anew
 */
#include "world.h"

#include "failing.h"

#define TREE "cohort org\ncohort ml in org\nqueue a in ml cpu@f=4\n" \
	"queue b in ml cpu@f=4\nqueue c in org cpu@f=4\n"
enum { ORG, ML, A, B, C, NODES };

static void borrowed_check(const struct books *b)
{
	for (int n = 0; n < NODES; n++) {
		assert_int_equal(b->nodes[n].borrowed, books_is_over_nominal(b, n, 0, 0));
	}
}

/* The first room of the log fails, or the second */
static void test_log(void **state)
{
	for (size_t nth = 1; nth <= 2; nth++) {
		struct world *world = world_create(TREE);
		struct books *b = world->engine->books;
		size_t mark;

		books_add(b, B, 0, 3);
		mark = books_try(b);
		failing_begin(nth);
		for (int i = 0; i < 200; i++) {
			books_add(b, i % 2 ? A : C, 0, 3);
			borrowed_check(b);
			books_remove(b, i % 2 ? A : C, 0, i % 3);
			borrowed_check(b);
		}
		assert_true(failing_end());
		assert_true(b->nodes[ORG].borrowed);
		assert_false(books_undo(b, mark));
		borrowed_check(b);
		/* as the owner of the books does it */
		books_clear(b);
		borrowed_check(b);
		books_add(b, B, 0, 3);
		for (int n = 0; n < NODES; n++)
			assert_int_equal(b->nodes[n].borrowed, 0);
		books_add(b, B, 0, 10);
		assert_int_equal(b->nodes[B].borrowed, 1);
		assert_int_equal(b->nodes[ML].borrowed, 1);
		assert_int_equal(b->nodes[ORG].borrowed, 1);
		assert_int_equal(b->nodes[A].borrowed, 0);
		world_destroy(world);
	}
}

TESTS(cmocka_unit_test(test_log))
