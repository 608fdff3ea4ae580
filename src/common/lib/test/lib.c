/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test lib - arenas, budgets, hashes, heaps, numberings
 */
#include "lib/arena.h"
#include "lib/budget.h"
#include "lib/hash.h"
#include "lib/heap.h"
#include "lib/numbering.h"
#include "world.h"
#include "lib/test/hash_spread.h"

/* ---- arena ---- */

static void test_arena_too_much(void **state)
{
	struct arena a = { 0 };

	assert_null(arena_alloc(&a, SIZE_MAX / 2, 3));
	assert_true(a.failed);
	assert_null(arena_alloc(&a, 1, SIZE_MAX - 8));
	assert_non_null(arena_alloc(&a, 1, 1));
	assert_true(a.failed);			/* until the reset */
	arena_reset(&a);
	assert_false(a.failed);
	arena_destroy(&a);
}

static void test_arena_zeroed_and_aligned(void **state)
{
	static const size_t sizes[] = { 0, 1, 3, 8, 17, 1000, 5000, 100000, 7 };
	static const char zeroes[100000];
	struct arena a = { 0 };

	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < COUNT(sizes); i++) {
			char *p = arena_alloc(&a, 1, sizes[i]);

			assert_non_null(p);
			assert_int_equal((uintptr_t) p % _Alignof(max_align_t), 0);
			assert_memory_equal(p, zeroes, sizes[i]);
			memset(p, 0xff, sizes[i]);
		}
		arena_reset(&a);
	}
	arena_destroy(&a);
}

/* All are distinct, and after a reset the same again. */
static void test_arena_reuse(void **state)
{
	struct arena a = { 0 };
	int *first[20];

	for (int i = 0; i < 20; i++)
		*(first[i] = arena_alloc(&a, 1, 400)) = i;
	for (int i = 0; i < 20; i++)
		assert_int_equal(*first[i], i);
	for (int round = 0; round < 3; round++) {
		arena_reset(&a);
		for (int i = 0; i < 20; i++)
			assert_ptr_equal(arena_alloc(&a, 1, 400), first[i]);
	}
	arena_destroy(&a);
	arena_destroy(&a);			/* nothing left is fine */
}

/* ---- budget ---- */

static struct budget a_tenth(void)
{
	return (struct budget) { .parts = 10, .most = SPEC_SEC };
}

static void test_budget_saved(void **state)
{
	struct budget b = a_tenth();

	assert_false(budget_has(&b, 0));
	assert_true(budget_has(&b, 1000 * SPEC_SEC));
	assert_int_equal(b.left, SPEC_SEC);		/* and no more */
	budget_spend(&b, 3 * SPEC_SEC);		/* 2 too many: 20 to wait */
	assert_false(budget_has(&b, 1020 * SPEC_SEC));
	assert_false(budget_has(&b, 1020 * SPEC_SEC + 9));
	assert_true(budget_has(&b, 1020 * SPEC_SEC + 10));
}

/* A user that asks as often as it can, whatever each costs, gets a tenth. */
static void test_budget_flood(void **state)
{
	static const int64_t costs[] = { 1, 999, SPEC_SEC / 1000, SPEC_SEC / 5, 2 * SPEC_SEC };

	for (size_t i = 0; i < COUNT(costs); i++) {
		struct budget b = a_tenth();
		int64_t spent = 0, begin = 1000 * SPEC_SEC, now = begin;

		for (int k = 0; k < 100000; k++) {
			/* asked every 7 us at least, or when it is done */
			now += 7001;
			if (!budget_has(&b, now))
				continue;
			budget_spend(&b, costs[i]);
			spent += costs[i];
			now += costs[i];
			assert_true(spent <= SPEC_SEC + (now - begin) / 10 + costs[i]);
		}
		assert_true(spent > 0);
	}
}

/* Questions that come often lose nothing of what is earned. */
static void test_budget_often(void **state)
{
	struct budget b = a_tenth();
	int64_t now = 1000 * SPEC_SEC;

	assert_true(budget_has(&b, now));
	budget_spend(&b, 2 * SPEC_SEC);
	for (int i = 0; i < 1000000; i++)
		(void) budget_has(&b, now += 19);
	assert_int_equal(b.left, -SPEC_SEC + 19 * 100000);
}

/* ---- hash ---- */

#define MEMBERS 1000

static void test_hash_values(void **state)
{
	/* FNV-1a's published numbers */
	assert_true(hash_bytes(HASH_INIT, "", 0) == HASH_INIT);
	assert_true(hash_bytes(HASH_INIT, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(hash_bytes(HASH_INIT, "foobar", 6) == UINT64_C(0x85944171f73967e8));
	assert_true(hash_u64(HASH_INIT, 1) != hash_u64(HASH_INIT, 256));
	assert_true(hash_u64(hash_u64(HASH_INIT, 1), 2) != hash_u64(hash_u64(HASH_INIT, 2), 1));
}

/* Every third member shares its hash with others */
static uint64_t hash_of(int i)
{
	return i % 3 ? hash_u64(HASH_INIT, i) : 42;
}

static bool is_member(const struct hash *h, const struct hash_link *member, uint64_t hash)
{
	struct hash_link *link = hash_first(h, hash);

	while (link && link != member)
		link = hash_next(link);
	return link;
}

static void test_hash_members(void **state)
{
	static struct hash_link links[MEMBERS];
	struct hash h = { 0 };

	assert_null(hash_first(&h, 0));
	hash_destroy(&h);
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

static void test_hash_spread(void **state)
{
	for (int shift = 0; shift <= 54; shift++) {
		numbers_are_spread(shift, false);
		numbers_are_spread(shift, true);
	}
}

/* ---- heap ---- */

#define HEAP_MANY 257

static bool key_before(const void *x, const void *y)
{
	return *(const int *) x < *(const int *) y;
}

/* Every key below HEAP_MANY once, in an order that depends on the step */
static void heap_fill(void **heap, int *keys, int step)
{
	for (int i = 0; i < HEAP_MANY; i++) {
		keys[i] = i * step % HEAP_MANY;
		heap[i] = &keys[i];
	}
	heap_build(heap, HEAP_MANY, key_before);
}

/* Takes off all, whose keys are first, first + 1, ... */
static void heap_take(void **heap, int first)
{
	for (size_t n = HEAP_MANY; n; n--, first++) {
		assert_int_equal(*(int *) heap[0], first);
		heap_drop_first(heap, n, key_before);
	}
}

static void test_heap_build(void **state)
{
	void *heap[HEAP_MANY];
	int keys[HEAP_MANY];

	for (int step = 1; step < HEAP_MANY; step += 17) {
		heap_fill(heap, keys, step);
		heap_take(heap, 0);
	}
	heap_build(heap, 0, key_before);
}

static void test_heap_sink(void **state)
{
	void *heap[HEAP_MANY];
	int keys[HEAP_MANY];

	heap_fill(heap, keys, 3);
	for (int i = 0; i < HEAP_MANY; i++) {	/* all of them, first to last */
		assert_int_equal(*(int *) heap[0], i);
		*(int *) heap[0] += HEAP_MANY;
		heap_sink(heap, HEAP_MANY, 0, key_before);
	}
	heap_take(heap, HEAP_MANY);
}

/* ---- numbering ---- */

#define NUMBERING_MANY 100000
#define AT_ONCE 1000

static void numbering_clear(struct numbering *n)
{
	for (size_t i = 0; i < n->size; i++)
		free(n->list[i]);
	hash_destroy(&n->texts);
	free(n->list);
}

static int number_take(struct numbering *n, int i)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", i);
	return numbering_take(n, text);
}

static void test_numbering_same(void **state)
{
	struct numbering n = { .size = 0 };
	int a = numbering_take(&n, "a"), b = numbering_take(&n, "b");

	numbering_put(&n, 0);
	assert_true(a > 0 && b > 0 && a != b);
	assert_int_equal(numbering_take(&n, "a"), a);
	numbering_put(&n, a);
	assert_int_equal(numbering_take(&n, "a"), a);
	numbering_put(&n, a);
	numbering_put(&n, a);
	assert_int_equal(numbering_count(&n), 1);
	assert_int_equal(numbering_take(&n, "b"), b);
	assert_true(numbering_take(&n, "") != b);
	numbering_clear(&n);
	assert_int_equal(numbering_count(&n), 0);
}

/* However many texts there have been: numbers, and memory, are those of the
 * texts that are in use at one time. */
static void test_numbering_reuse(void **state)
{
	static int numbers[AT_ONCE];
	struct numbering n = { .size = 0 };

	for (int i = 0; i < NUMBERING_MANY; i++) {
		int *mine = &numbers[i % AT_ONCE];

		numbering_put(&n, *mine);
		*mine = number_take(&n, i);
		assert_in_range(*mine, 1, AT_ONCE);
	}
	assert_int_equal(numbering_count(&n), AT_ONCE);
	assert_true(n.size <= 2 * AT_ONCE);
	assert_true(n.texts.nbuckets <= 2 * AT_ONCE);
	for (int i = 0; i < AT_ONCE; i++)
		assert_int_equal(number_take(&n, NUMBERING_MANY - AT_ONCE + i), numbers[i]);
	numbering_clear(&n);
}

TESTS(cmocka_unit_test(test_arena_too_much), cmocka_unit_test(test_arena_zeroed_and_aligned),
      cmocka_unit_test(test_arena_reuse), cmocka_unit_test(test_budget_saved),
      cmocka_unit_test(test_budget_flood), cmocka_unit_test(test_budget_often),
      cmocka_unit_test(test_hash_values), cmocka_unit_test(test_hash_members),
      cmocka_unit_test(test_hash_spread), cmocka_unit_test(test_heap_build),
      cmocka_unit_test(test_heap_sink), cmocka_unit_test(test_numbering_same),
      cmocka_unit_test(test_numbering_reuse))
