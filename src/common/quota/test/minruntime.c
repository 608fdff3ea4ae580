/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test minruntime.c - how long a running workload may not be evicted
 */
#include "quota/minruntime.h"
#include "world.h"

#define NO SPEC_NO_TIME
#define DEFAULT 7

/*
 *   0 -- 1 -- 2       5
 *    `-- 3 -- 4
 *
 * Queues 2, 4 and 5 may reclaim.
 */
static const struct minruntime_node declared[] = {
	{ SPEC_NONE, NO, 10, 2 },
	{ 0, 11, NO, 1 },
	{ 1, NO, 12, 1 },
	{ 0, NO, 13, 1 },
	{ 3, 0, 14, 1 },
	{ SPEC_NONE, -5, NO, 1 },
};

static struct minruntime_node tree[8];

static void inherit(struct minruntime_node *nodes, const struct minruntime_node *from, size_t n)
{
	memcpy(nodes, from, n * sizeof(*nodes));
	minruntime_inherit(nodes, n, DEFAULT, DEFAULT);
}

static void test_preempt(void **state)
{
	static const struct {
		int victim;
		int64_t owed;
	} cases[] = {
		{ 0, DEFAULT }, { 1, 11 }, { 2, 11 }, { 3, DEFAULT },
		{ 4, 0 },		/* a set 0 ends the walk */
		{ 5, -5 },
	};

	inherit(tree, declared, COUNT(declared));
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(tree[cases[i].victim].preempt, cases[i].owed);
}

static void test_reclaim(void **state)
{
	static const struct {
		int preemptor, victim;
		int64_t lca, queue;
	} cases[] = {
		/* from the branch that the preemptor is not in: 1 and 3 */
		{ 4, 2, 10, 12 },
		{ 2, 4, 13, 14 },
		{ 3, 2, 10, 12 },
		{ 1, 2, 12, 12 },	/* the branch is the victim itself */
		/* no common root: the victim's root */
		{ 5, 4, 10, 14 },
		{ 5, 2, 10, 12 },
		{ 2, 5, DEFAULT, DEFAULT },
		/* the victim is above, or it is the same one */
		{ 2, 1, 10, 10 },
		{ 2, 2, 12, 12 },
		{ 4, 4, 14, 14 },
	};

	inherit(tree, declared, COUNT(declared));
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(minruntime_reclaim(tree, cases[i].preemptor, cases[i].victim,
						    RESOLVE_LCA), cases[i].lca);
		assert_int_equal(minruntime_reclaim(tree, cases[i].preemptor, cases[i].victim,
						    RESOLVE_QUEUE), cases[i].queue);
	}
}

static void test_shortest(void **state)
{
	/* 3 may reclaim, and two below 4, which is a cohort */
	static const struct minruntime_node three[] = {
		{ SPEC_NONE, NO, 10, 3 }, { 0, NO, NO, 1 }, { 1, NO, NO, 0 },
		{ 1, NO, 13, 1 }, { 0, NO, 8, 2 },
	};
	struct minruntime_node small[COUNT(three)];
	static const struct {
		int victim;
		int64_t lca, queue;
	} cases[] = {
		{ 2, 10, 12 },		/* 4 from branch 1 */
		{ 4, 13, 14 },
		{ 5, 0, 0 },		/* nobody else */
	};

	inherit(tree, declared, COUNT(declared));
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(minruntime_shortest(tree, cases[i].victim, RESOLVE_LCA),
				 cases[i].lca);
		assert_int_equal(minruntime_shortest(tree, cases[i].victim, RESOLVE_QUEUE),
				 cases[i].queue);
	}
	inherit(small, three, COUNT(three));
	assert_int_equal(minruntime_shortest(small, 2, RESOLVE_LCA), 10);
	/* 3 has only others in the way: below 1 nobody, below 0 queue 4 */
	assert_int_equal(minruntime_shortest(small, 3, RESOLVE_LCA), 10);
	assert_int_equal(minruntime_shortest(small, 3, RESOLVE_QUEUE), 13);
}

TESTS(cmocka_unit_test(test_preempt), cmocka_unit_test(test_reclaim),
      cmocka_unit_test(test_shortest))
