/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test hash.c - an intrusive hash table
 */
#include "lib/hash.h"
#include "world.h"
#include "lib/test/hash_spread.h"

#define MEMBERS 1000

static void test_values(void **state)
{
	(void) state;
	/* FNV-1a's published numbers */
	assert_true(hash_bytes(HASH_INIT, "", 0) == HASH_INIT);
	assert_true(hash_bytes(HASH_INIT, "a", 1)
		    == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(hash_bytes(HASH_INIT, "foobar", 6)
		    == UINT64_C(0x85944171f73967e8));
	assert_true(hash_u64(HASH_INIT, 1) != hash_u64(HASH_INIT, 256));
	assert_true(hash_u64(hash_u64(HASH_INIT, 1), 2)
		    != hash_u64(hash_u64(HASH_INIT, 2), 1));
}

static void test_empty(void **state)
{
	struct hash h = { 0 };

	(void) state;
	assert_null(hash_first(&h, 0));
	hash_destroy(&h);
}

/* Every third member shares its hash with others */
static uint64_t hash_of(int i)
{
	return i % 3 ? hash_u64(HASH_INIT, i) : 42;
}

static bool is_member(const struct hash *h, const struct hash_link *member,
		      uint64_t hash)
{
	struct hash_link *link = hash_first(h, hash);

	while (link && link != member)
		link = hash_next(link);
	return link;
}

static void test_members(void **state)
{
	static struct hash_link links[MEMBERS];
	struct hash h = { 0 };

	(void) state;
	for (int i = 0; i < MEMBERS; i++) {
		assert_false(is_member(&h, &links[i], hash_of(i)));
		assert_int_equal(hash_insert(&h, &links[i], hash_of(i)), 0);
	}
	assert_int_equal(h.n, MEMBERS);
	for (int i = 0; i < MEMBERS; i += 2)
		hash_remove(&h, &links[i]);
	assert_int_equal(h.n, MEMBERS / 2);
	for (int i = 0; i < MEMBERS; i++)
		assert_int_equal(is_member(&h, &links[i], hash_of(i)), i % 2);
	hash_destroy(&h);
	assert_null(hash_first(&h, 42));
}

/* Numbers of which only some bits differ are all over the table, wherever these bits
 * are, and whether the number comes first or last. */
static void numbers_are_spread(int shift, bool first)
{
	static struct hash_link links[MEMBERS];
	struct hash h = { 0 };

	for (uint64_t i = 0; i < MEMBERS; i++) {
		uint64_t hash = hash_u64(HASH_INIT, first ? i << shift : 3);

		hash = hash_u64(hash, first ? 3 : i << shift);
		assert_int_equal(hash_insert(&h, &links[i], hash), 0);
	}
	hash_is_spread(&h);
	hash_destroy(&h);
}

static void test_spread(void **state)
{
	(void) state;
	for (int shift = 0; shift <= 54; shift++) {
		numbers_are_spread(shift, false);
		numbers_are_spread(shift, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_spread),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
