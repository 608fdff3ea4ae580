/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rankset.c - an intrusive ordered set that knows the place of each member
 */
#include "lib/rankset.h"

/* splitmix64: spreads neighbouring seeds evenly */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static int64_t sum_of(const struct rank_node *node)
{
	return node ? node->sum : 0;
}

int64_t rankset_weight(const struct rank_node *node)
{
	return node->sum - sum_of(node->left) - sum_of(node->right);
}

/* Puts `child` where `old` hung below `parent` (NULL: at the root) */
static void node_replace(struct rankset *set, struct rank_node *parent,
			 const struct rank_node *old, struct rank_node *child)
{
	if (!parent)
		set->root = child;
	else if (parent->left == old)
		parent->left = child;
	else
		parent->right = child;
	if (child)
		child->parent = parent;
}

/* Lifts node above its parent */
static void node_rotate(struct rankset *set, struct rank_node *node)
{
	struct rank_node *parent = node->parent;
	struct rank_node *inner;
	int64_t sum = parent->sum;

	node_replace(set, parent->parent, parent, node);
	if (parent->left == node) {
		inner = node->right;
		parent->left = inner;
		node->right = parent;
	} else {
		inner = node->left;
		parent->right = inner;
		node->left = parent;
	}
	if (inner)
		inner->parent = parent;
	parent->parent = node;
	parent->sum += sum_of(inner) - node->sum;
	node->sum = sum;
	if (set->order->renew)
		(void) set->order->renew(parent);
}

void rankset_init(struct rankset *set, const struct rank_order *order)
{
	*set = (struct rankset) { .order = order };
}

/* From a node up to the first one that stays as it was; the lowest `moved` of them stand elsewhere
 * than before, so those above must be asked whatever these say. */
static void path_renew(const struct rankset *set, struct rank_node *node, size_t moved)
{
	bool changed = true;

	for (; set->order->renew && node && (changed || moved); node = node->parent) {
		changed = set->order->renew(node) || moved;
		moved -= moved > 0;
	}
}

void rankset_renew(const struct rankset *set, struct rank_node *node)
{
	path_renew(set, node, 0);
}

void rankset_insert(struct rankset *set, struct rank_node *node, int64_t weight)
{
	struct rank_node **link = &set->root;
	struct rank_node *parent = NULL;
	bool first = true;

	while (*link) {
		bool less = set->order->less(node, *link);

		parent = *link;
		parent->sum += weight;
		link = less ? &parent->left : &parent->right;
		first &= less;
	}
	if (first)
		set->first = node;
	*node = (struct rank_node) {
		.parent = parent,
		.priority = mix(set->inserts++),
		.sum = weight,
	};
	*link = node;
	while (node->parent && node->parent->priority < node->priority)
		node_rotate(set, node);
	path_renew(set, node, 1);
}

void rankset_remove(struct rankset *set, struct rank_node *node)
{
	int64_t weight = rankset_weight(node);
	size_t lifted = 0;

	if (set->first == node)
		set->first = rankset_next(node);
	for (; node->left && node->right; lifted++)
		node_rotate(set, node->left->priority > node->right->priority
					 ? node->left : node->right);
	node_replace(set, node->parent, node, node->left ? node->left : node->right);
	for (struct rank_node *n = node->parent; n; n = n->parent)
		n->sum -= weight;
	path_renew(set, node->parent, lifted);
	node->parent = node->left = node->right = NULL;
}

/* Siblings are not read: every node is a cache miss. */
int64_t rankset_before(const struct rank_node *node)
{
	int64_t before = sum_of(node->left);

	for (; node->parent; node = node->parent) {
		if (node == node->parent->right)
			before += node->parent->sum - node->sum;
	}
	return before;
}

int64_t rankset_total(const struct rankset *set)
{
	return sum_of(set->root);
}

struct rank_node *rankset_first(const struct rankset *set)
{
	return set->first;
}

struct rank_node *rankset_next(const struct rank_node *node)
{
	struct rank_node *next = node->right;

	while (next && next->left)
		next = next->left;
	if (next)
		return next;
	while (node->parent && node == node->parent->right)
		node = node->parent;
	return node->parent;
}
