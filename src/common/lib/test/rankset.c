/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test rankset.c - an ordered set that knows the place of each member
 */
#include "lib/container.h"
#include "lib/rankset.h"
#include "world.h"

#define MEMBERS 500

struct member {
	struct rank_node node;
	int key;
	int64_t weight;
	int64_t value;
	int64_t most;		/* the largest value at or below it */
	bool in;
};

static struct member members[MEMBERS];

static struct member *member_of(const struct rank_node *node)
{
	return container_of(node, struct member, node);
}

static bool less(const struct rank_node *a, const struct rank_node *b)
{
	return member_of(a)->key < member_of(b)->key;
}

/* Keys are the indexes: compares the answers of the set with counting */
static void check(const struct rankset *set)
{
	const struct rank_node *node = rankset_first(set);
	int64_t before = 0;

	for (int i = 0; i < MEMBERS; i++) {
		if (!members[i].in)
			continue;
		assert_ptr_equal(node, &members[i].node);
		assert_int_equal(rankset_before(node), before);
		before += members[i].weight;
		node = rankset_next(node);
	}
	assert_null(node);
	assert_int_equal(rankset_total(set), before);
}

static int64_t most_of(const struct rank_node *node)
{
	return node ? member_of(node)->most : -1;
}

static bool renew(struct rank_node *node)
{
	struct member *m = member_of(node);
	int64_t most = m->value, before = m->most;

	if (most < most_of(node->left))
		most = most_of(node->left);
	if (most < most_of(node->right))
		most = most_of(node->right);
	m->most = most;
	return most != before;
}

static const struct rank_order order = { .less = less, .renew = renew };

/* Computes it again, down to the last member */
static int64_t most_check(const struct rank_node *node)
{
	int64_t most, below;

	if (!node)
		return -1;
	most = member_of(node)->value;
	below = most_check(node->left);
	most = below > most ? below : most;
	below = most_check(node->right);
	most = below > most ? below : most;
	assert_int_equal(member_of(node)->most, most);
	return most;
}

static int depth_of(const struct rank_node *node)
{
	int left, right;

	if (!node)
		return 0;
	left = depth_of(node->left);
	right = depth_of(node->right);
	return 1 + (left > right ? left : right);
}

static void test_random(void **state)
{
	struct rankset set;
	uint32_t random = 1;

	rankset_init(&set, &order);
	check(&set);
	for (int i = 0; i < 4000; i++) {
		struct member *m;

		random = random * 1664525 + 1013904223;
		m = &members[(random >> 8) % MEMBERS];
		m->key = m - members;
		if (!m->in) {
			m->weight = (random >> 20) % 5;
			rankset_insert(&set, &m->node, m->weight);
			m->in = true;
		} else if (random % 2) {
			rankset_remove(&set, &m->node);
			m->in = false;
		} else {
			m->value = (random >> 21) % 9;
			rankset_renew(&set, &m->node);
		}
		(void) most_check(set.root);
		if (i % 97 == 0)
			check(&set);
	}
	check(&set);
}

/* Ascending keys do not turn it into a list. Priorities have few bits. Those near the root, which
 * have most below them, are told apart all the same, and what many weigh is counted. */
static void test_many(void **state)
{
	enum { MANY = 1 << 17 };
	struct member *all = calloc(MANY, sizeof(*all));
	struct rankset set;

	assert_non_null(all);
	rankset_init(&set, &order);
	for (int i = 0; i < MANY; i++) {
		all[i].key = i;
		rankset_insert(&set, &all[i].node, UINT32_MAX / 8);
	}
	assert_true(depth_of(set.root) < 50);
	assert_int_equal(rankset_total(&set), MANY * (int64_t) (UINT32_MAX / 8));
	assert_int_equal(rankset_before(&all[MANY / 2].node),
			 MANY / 2 * (int64_t) (UINT32_MAX / 8));
	free(all);
}

TESTS(cmocka_unit_test(test_random), cmocka_unit_test(test_many))
