/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test heap.c - arrays whose first element comes before all others
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/heap.h"

#define MANY 257

struct element {
	int key;
	int64_t filling[3];
};

static bool key_before(const void *x, const void *y)
{
	const struct element *a = x, *b = y;

	return a->key < b->key;
}

static const struct heap_order by_key = { sizeof(struct element), key_before };

/* Every key below MANY once, in an order that depends on the step */
static void elements_fill(struct element *elements, int step)
{
	for (int i = 0; i < MANY; i++)
		elements[i] = (struct element) { .key = i * step % MANY };
}

/* Takes off all n elements, whose keys are first, first + 1, ... */
static void elements_take(struct element *elements, size_t n, int first)
{
	for (; n; n--, first++) {
		assert_int_equal(elements[0].key, first);
		heap_drop_first(&by_key, elements, n);
		assert_int_equal(elements[n - 1].key, first);
	}
}

static void test_build(void **state)
{
	struct element elements[MANY];

	(void) state;
	for (int step = 1; step < MANY; step += 17) {
		elements_fill(elements, step);
		heap_build(&by_key, elements, MANY);
		elements_take(elements, MANY, 0);
	}
	heap_build(&by_key, elements, 0);
	heap_drop_first(&by_key, elements, 0);
}

static void test_raise(void **state)
{
	struct element elements[MANY];

	(void) state;
	elements_fill(elements, 100);
	for (size_t i = 0; i < MANY; i++)
		heap_raise(&by_key, elements, i);
	elements_take(elements, MANY, 0);
}

static void test_sink(void **state)
{
	struct element elements[MANY];

	(void) state;
	elements_fill(elements, 3);
	heap_build(&by_key, elements, MANY);
	for (int i = 0; i < MANY; i++) {	/* all of them, first to last */
		assert_int_equal(elements[0].key, i);
		elements[0].key += MANY;
		heap_sink(&by_key, elements, MANY, 0);
	}
	elements_take(elements, MANY, MANY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build),
		cmocka_unit_test(test_raise),
		cmocka_unit_test(test_sink),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
