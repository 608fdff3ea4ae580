/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test books without memory - the log of a trial cannot grow: the books say so,
 * and are as before in the end
 */
#include "world.h"

#include "failing.h"

#define TREE "cohort org\ncohort ml in org\nqueue a in ml cpu@f=4\n" \
	"queue b in ml cpu@f=4\nqueue c in org cpu@f=4\n"
enum { ORG, ML, A, B, C, NODES };

/* The first room of the log fails, or the second */
static void test_log(void **state)
{
	for (size_t nth = 1; nth <= 2; nth++) {
		struct world *world = world_create(TREE);
		struct books *b = world->engine->books;
		struct cell before[NODES];
		size_t mark;

		books_add(b, B, 0, 3);
		memcpy(before, b->cells, sizeof(before));
		mark = books_try(b);
		failing_begin(nth);
		for (int i = 0; i < 200; i++) {
			books_add(b, i % 2 ? A : C, 0, 3);
			books_remove(b, i % 2 ? A : C, 0, i % 3);
		}
		assert_true(failing_end());
		assert_false(books_undo(b, mark));
		assert_memory_equal(before, b->cells, sizeof(before));
		/* the next trial is one like any other */
		mark = books_try(b);
		books_add(b, B, 0, 10);
		assert_int_equal(books_usage(b, B, 0), 13);
		assert_true(books_undo(b, mark));
		assert_memory_equal(before, b->cells, sizeof(before));
		world_destroy(world);
	}
}

TESTS(cmocka_unit_test(test_log))
