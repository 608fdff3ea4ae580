/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derive.c - what follows from nominal quotas and limits alone
 */
#include "quota/derive.h"

/* The quota of a subtree, and the part of it that is never lent, children first */
static void subtrees_derive(const struct books *b, struct quota *quotas, int root,
			    size_t pair)
{
	int first = b->nodes[root].number, last = b->nodes[root].last_below;

	for (int i = first; i <= last; i++) {
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];

		q->subtree = q->nominal;
	}
	for (int i = last; i >= first; i--) {
		int parent = b->nodes[b->order[i]].parent;
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];
		struct quota *above;

		q->local = q->lending_limit == SPEC_NO_LIMIT ? 0
			: max64(0, sat_sub(q->subtree, q->lending_limit));
		if (parent == SPEC_NONE)
			continue;
		above = &quotas[(size_t) parent * b->npairs + pair];
		above->subtree = sat_add(above->subtree,
					 sat_sub(q->subtree, q->local));
		above->present |= q->present;
	}
}

/* Parents first */
static void potentials_derive(const struct books *b, struct quota *quotas, int root,
			      size_t pair)
{
	for (int i = b->nodes[root].number; i <= b->nodes[root].last_below; i++) {
		int parent = b->nodes[b->order[i]].parent;
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];

		q->potential = q->subtree;
		if (parent == SPEC_NONE)
			continue;
		q->potential = sat_add(q->local, quotas[(size_t) parent * b->npairs
							 + pair].potential);
		if (q->borrowing_limit != SPEC_NO_LIMIT)
			q->potential = min64(q->potential,
					     sat_add(q->subtree,
						     q->borrowing_limit));
	}
}

void derive_quotas(const struct books *b, struct quota *quotas, int root,
		   struct span pairs)
{
	for (size_t p = pairs.first; p < pairs.end; p++) {
		subtrees_derive(b, quotas, root, p);
		potentials_derive(b, quotas, root, p);
	}
}

/* What a child of the node could get of each resource, over all flavors */
static void lendable_derive(struct books *b, int node, struct span pairs)
{
	int64_t *lendable = &b->lendable[(size_t) node * b->nresources];
	int root = b->nodes[node].root;

	for (size_t p = pairs.first; p < pairs.end; p++)
		lendable[b->pairs[p].resource] = 0;
	for (size_t p = pairs.first; p < pairs.end; p++) {
		int64_t *sum = &lendable[b->pairs[p].resource];

		if (books_quota(b, root, (int) p)->present)
			*sum = sat_add(*sum, books_quota(b, node, (int) p)->potential);
	}
}

void derive_tree(struct books *b, int root, struct span pairs)
{
	derive_quotas(b, b->quotas, root, pairs);
	for (int i = b->nodes[root].number; i <= b->nodes[root].last_below; i++)
		lendable_derive(b, b->order[i], pairs);
}
