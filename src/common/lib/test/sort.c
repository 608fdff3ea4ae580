/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test sort - keys in order, and those that are the same as they were
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lib/sort.h"
#include "test/random/draw.h"

#define MOST 300

static struct sort_key keys[MOST], room[MOST], before[MOST];

static int words_compare(const struct sort_key *a, const struct sort_key *b)
{
	for (int i = 0; i < 3; i++) {
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	}
	return 0;
}

/* Each index is there once, and the words are its own. */
static void check(size_t n)
{
	bool seen[MOST] = { 0 };

	for (size_t i = 0; i < n; i++) {
		int order = i ? words_compare(&keys[i - 1], &keys[i]) : -1;

		assert_true(keys[i].index < n);
		assert_false(seen[keys[i].index]);
		seen[keys[i].index] = true;
		assert_int_equal(words_compare(&keys[i], &before[keys[i].index]), 0);
		assert_true(order < 0
			    || (!order && keys[i - 1].index < keys[i].index));
	}
}

static void test_random(void **state)
{
	uint64_t random = 1;

	(void) state;
	for (int round = 0; round < 2000; round++) {
		size_t n = random_below(&random, MOST + 1);
		uint64_t range = 1 + random_below(&random, 9);
		bool large = random_below(&random, 2);

		for (size_t i = 0; i < n; i++) {
			keys[i].index = i;
			for (int k = 0; k < 3; k++)
				keys[i].words[k] = random_below(&random, range)
					<< (large ? 61 : 0);
			before[i] = keys[i];
		}
		sort_keys(keys, room, n);
		check(n);
	}
}

/* In order, but for some that were put elsewhere: few and near, or many and far */
static void test_nearly(void **state)
{
	uint64_t random = 2;

	(void) state;
	for (int round = 0; round < 2000; round++) {
		size_t n = 2 + random_below(&random, MOST - 1);
		size_t moves = random_below(&random, 1 + random_below(&random, 40));
		size_t far = 1 + random_below(&random, n);
		uint64_t same = 1 + random_below(&random, 3);

		for (size_t i = 0; i < n; i++)
			keys[i] = (struct sort_key) { .words = { 0, i / same, 1 } };
		for (; moves; moves--) {
			size_t from = random_below(&random, n);
			size_t to = (from + random_below(&random, far)) % n;
			struct sort_key key = keys[from];

			keys[from] = keys[to];
			keys[to] = key;
		}
		for (size_t i = 0; i < n; i++) {
			keys[i].index = i;
			before[i] = keys[i];
		}
		sort_keys(keys, room, n);
		check(n);
	}
}

/* In order, the other way round, and in order but for one */
static void test_orders(void **state)
{
	(void) state;
	for (size_t n = 0; n <= 70; n++) {
		for (int way = 0; way < 3; way++) {
			for (size_t i = 0; i < n; i++) {
				keys[i] = (struct sort_key) {
					.words = { 0, way == 1 ? n - i : i + 1 },
					.index = i,
				};
				if (way == 2 && i == n / 2)
					keys[i].words[1] = 0;
				before[i] = keys[i];
			}
			sort_keys(keys, room, n);
			check(n);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_nearly),
		cmocka_unit_test(test_orders),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
