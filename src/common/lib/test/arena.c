/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test arena.c - memory that is given back all at once
 */
#include <stdint.h>

#include "lib/arena.h"
#include "world.h"

static void test_too_much(void **state)
{
	struct arena a = { 0 };

	(void) state;
	assert_null(arena_alloc(&a, SIZE_MAX / 2, 3));
	assert_true(a.failed);
	assert_null(arena_alloc(&a, 1, SIZE_MAX - 8));
	assert_non_null(arena_alloc(&a, 1, 1));
	assert_true(a.failed);			/* until the reset */
	arena_reset(&a);
	assert_false(a.failed);
	arena_destroy(&a);
}

static void test_zeroed_and_aligned(void **state)
{
	static const size_t sizes[] = { 0, 1, 3, 8, 17, 1000, 5000, 100000, 7 };
	static const char zeroes[100000];
	struct arena a = { 0 };

	(void) state;
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			char *p = arena_alloc(&a, 1, sizes[i]);

			assert_non_null(p);
			assert_int_equal((uintptr_t) p
					 % _Alignof(max_align_t), 0);
			assert_memory_equal(p, zeroes, sizes[i]);
			memset(p, 0xff, sizes[i]);
		}
		arena_reset(&a);
	}
	arena_destroy(&a);
}

static void test_distinct(void **state)
{
	struct arena a = { 0 };
	int *p[500];

	(void) state;
	for (int i = 0; i < 500; i++) {
		p[i] = arena_alloc(&a, 1, sizeof(int));
		*p[i] = i;
	}
	for (int i = 0; i < 500; i++)
		assert_int_equal(*p[i], i);
	arena_destroy(&a);
}

static void test_reuse(void **state)
{
	struct arena a = { 0 };
	void *first[20];

	(void) state;
	for (int i = 0; i < 20; i++)
		first[i] = arena_alloc(&a, 1, 400);
	for (int round = 0; round < 3; round++) {
		arena_reset(&a);
		for (int i = 0; i < 20; i++)
			assert_ptr_equal(arena_alloc(&a, 1, 400), first[i]);
	}
	arena_destroy(&a);
	arena_destroy(&a);			/* nothing left is fine */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_zeroed_and_aligned),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_reuse),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
