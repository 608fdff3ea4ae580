/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test forest.c - nodes, pairs, and the quota that follows from the spec
 */
#include "quota/share.h"
#include "world.h"

static int node_of(const struct world *world, const char *name)
{
	int queue = spec_find_queue(world->spec, name);

	if (queue == SPEC_NONE)
		return spec_find_cohort(world->spec, name);
	return queue + (int) world->spec->ncohorts;
}

static const struct quota *quota_of(const struct world *world, const char *name, int pair)
{
	return books_quota(world->engine->books, node_of(world, name), pair);
}

#define DEEP "cohort org cpu@f=1\ncohort ml in org cpu@f=2+3-4\ncohort lone\n" \
	"queue a in ml cpu@f=10-6\nqueue b in ml cpu@f=5+2\n" \
	"queue c in org cpu@f=3+1-2\nqueue d cpu@f=7+1-3\n"

/* Quota in a tree of three levels */
static void test_quota(void **state)
{
	static const struct {
		const char *node;
		int64_t subtree, local, potential;
	} cases[] = {
		{ "a", 10, 4, 4 + 16 },		/* local, and what ml has */
		{ "b", 5, 0, 7 },		/* + borrowing limit */
		{ "ml", 2 + 6 + 5, 9, 16 },	/* lends 4, borrows 3 */
		{ "c", 3, 1, 4 },
		{ "org", 1 + 4 + 2, 0, 7 },
		/* limits of a root do not change what it has */
		{ "d", 7, 4, 7 },
		{ "lone", 0, 0, 0 },
	};
	struct world *world = world_create(DEEP);

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct quota *q = quota_of(world, cases[i].node, 0);

		assert_int_equal(q->subtree, cases[i].subtree);
		assert_int_equal(q->local, cases[i].local);
		assert_int_equal(q->potential, cases[i].potential);
	}
	world_destroy(world);
}

static void test_unlimited(void **state)
{
	struct world *world = world_create("cohort org\nqueue a in org cpu@f=9223372036854775807\n"
		"queue b in org cpu@f=1\n");

	assert_int_equal(quota_of(world, "org", 0)->subtree, SPEC_UNLIMITED);
	assert_int_equal(quota_of(world, "b", 0)->potential, SPEC_UNLIMITED);
	world_tell(world, "run r in b cpu@f=1000000\n");
	assert_int_equal(books_available(world->engine->books, node_of(world, "b"), 0),
			 SPEC_UNLIMITED);
	world_destroy(world);
}

/* Resources together, flavors in order; only pairs for which there is quota */
static void test_pairs(void **state)
{
	struct world *world = world_create("queue a cpu@f=1 mem@f=1 cpu@g=1\nqueue b gpu@g=1\n");
	const struct books *b = world->engine->books;

	/* a's group covers mem@g too, with nothing */
	assert_int_equal(b->npairs, 5);
	for (size_t p = 0; p < b->npairs; p++)
		assert_int_equal(books_pair(b, b->pairs[p].flavor, b->pairs[p].resource), p);
	for (size_t p = 1; p < b->npairs; p++)
		assert_true(b->pairs[p - 1].resource <= b->pairs[p].resource);
	assert_int_equal(books_pair(b, spec_find_flavor(world->spec, "f"),
				    spec_find_resource(world->spec, "gpu")), SPEC_NONE);
	assert_true(quota_of(world, "b", books_pair(b, 1, 2))->present);
	assert_false(quota_of(world, "b", books_pair(b, 0, 0))->present);
	world_destroy(world);
}

static void test_heights(void **state)
{
	static const struct {
		const char *node, *root;
		int height;
	} cases[] = {
		{ "org", "org", 2 }, { "ml", "org", 1 }, { "lone", "lone", 0 },
		{ "a", "org", 0 }, { "d", "d", 0 }, { "empty", "org2", 0 },
		{ "org2", "org2", 1 },
	};
	/* queues that are stopped add no height */
	struct world *world = world_create("cohort org2\ncohort empty in org2\n" DEEP
		"queue e in empty hold cpu@f=1\n");
	const struct books *b = world->engine->books;

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct node *n = &b->nodes[node_of(world, cases[i].node)];

		assert_int_equal(n->height, cases[i].height);
		assert_int_equal(n->root, node_of(world, cases[i].root));
	}
	world_destroy(world);
}

static void test_children(void **state)
{
	struct world *world = world_create(DEEP);
	const struct node *nodes = world->engine->books->nodes;
	int k = nodes[node_of(world, "org")].first_child;

	/* by name, not by their order in the spec */
	assert_int_equal(k, node_of(world, "c"));
	assert_int_equal(nodes[k].first_child, SPEC_NONE);
	k = nodes[k].next_sibling;
	assert_int_equal(k, node_of(world, "ml"));
	assert_int_equal(nodes[k].next_sibling, SPEC_NONE);
	world_destroy(world);
}

/* Summed over the flavors of the tree */
static void test_lendable(void **state)
{
	struct world *world = world_create("cohort org\nqueue a in org cpu@f=4 cpu@g=2\n"
		"queue b in org cpu@f=4\nqueue c cpu@h=50\n");
	const struct books *b = world->engine->books;

	assert_int_equal(lendable_of(b, node_of(world, "org"), 0), 10);
	assert_int_equal(lendable_of(b, node_of(world, "c"), 0), 50);
	world_destroy(world);
}

static bool is_below_plain(const struct books *b, int node, int ancestor)
{
	while (node != SPEC_NONE && node != ancestor)
		node = b->nodes[node].parent;
	return node == ancestor;
}

static void test_below(void **state)
{
	static const char *const worlds[] = {
		DEEP,
		("cohort c in b\ncohort b in a\ncohort a\n"
		 "queue x in c\nqueue y in a\nqueue z\nqueue v in b\n"),
		"queue only cpu@f=1\n",
	};

	for (size_t i = 0; i < COUNT(worlds); i++) {
		struct world *world = world_create(worlds[i]);
		const struct books *b = world->engine->books;

		for (int n = 0; n < (int) b->nnodes; n++) {
			int parent = b->nodes[n].parent;

			for (int a = 0; a < (int) b->nnodes; a++)
				assert_int_equal(books_is_below(b, n, a), is_below_plain(b, n, a));
			assert_int_equal(b->nodes[n].depth, parent == SPEC_NONE ? 0
					 : b->nodes[parent].depth + 1);
		}
		world_destroy(world);
	}
}

TESTS(cmocka_unit_test(test_quota), cmocka_unit_test(test_unlimited), cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_heights), cmocka_unit_test(test_children),
      cmocka_unit_test(test_lendable), cmocka_unit_test(test_below))
