/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * derive.c - what follows from nominal quotas and limits alone
 */
#include "quota/derive.h"

void derive_quota(struct books *b, int node, struct span pairs)
{
	for (size_t p = pairs.first; p < pairs.end; p++)
		quota_to_set(b, node, p)->subtree
			= books_quota(b, node, p)->nominal;
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		for (size_t p = pairs.first; p < pairs.end; p++) {
			struct quota *q = quota_to_set(b, node, p);
			const struct quota *child = books_quota(b, k, p);

			q->subtree = sat_add(q->subtree,
					     sat_sub(child->subtree,
						     child->local));
			q->present |= child->present;
		}
	}
	for (size_t p = pairs.first; p < pairs.end; p++) {
		struct quota *q = quota_to_set(b, node, p);

		if (q->lending_limit != SPEC_NO_LIMIT)
			q->local = max64(0, sat_sub(q->subtree,
						    q->lending_limit));
	}
}

/* Children first */
static void quotas_derive(struct books *b, int node, struct span pairs)
{
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		quotas_derive(b, k, pairs);
	derive_quota(b, node, pairs);
}

static bool cell_limits(const struct books *b, const struct cell *c)
{
	const struct quota *q = cell_quota(b, c);

	return q->local > 0 || q->borrowing_limit != SPEC_NO_LIMIT
	       || c->limiter == SPEC_NONE;
}

/* Potential, and which node limits what is available, parents first */
static void potential_derive(struct books *b, int node, struct span pairs)
{
	struct node *n = &b->nodes[node];

	for (size_t p = pairs.first; p < pairs.end; p++) {
		struct cell *c = books_cell(b, node, p);
		struct quota *q = quota_to_set(b, node, p);
		const struct cell *above;

		q->potential = q->subtree;
		c->limiter = SPEC_NONE;
		if (n->parent == SPEC_NONE)
			continue;
		above = books_cell(b, n->parent, p);
		c->limiter = cell_limits(b, above) ? n->parent : above->limiter;
		q->potential = sat_add(q->local,
				       cell_quota(b, above)->potential);
		if (q->borrowing_limit != SPEC_NO_LIMIT)
			q->potential = min64(q->potential,
					     sat_add(q->subtree,
						     q->borrowing_limit));
	}
	for (int k = n->first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		potential_derive(b, k, pairs);
}

/* What a child of the node could get of each resource, over all flavors. pairs:
 * all of a resource, or of several */
static void lendable_derive(struct books *b, int node, struct span pairs)
{
	int64_t *lendable = &b->lendable[(size_t) node * b->nresources];
	int root = b->nodes[node].root;

	for (size_t p = pairs.first; p < pairs.end; p++)
		lendable[b->pairs[p].resource] = 0;
	for (size_t p = pairs.first; p < pairs.end; p++) {
		int64_t *sum = &lendable[b->pairs[p].resource];

		if (books_quota(b, root, p)->present)
			*sum = sat_add(*sum, books_quota(b, node, p)->potential);
	}
}

void derive_all(struct books *b)
{
	const struct span all = { 0, b->npairs };

	for (size_t i = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent == SPEC_NONE) {
			quotas_derive(b, i, all);
			potential_derive(b, i, all);
		}
	}
	for (size_t i = 0; i < b->nnodes; i++)
		lendable_derive(b, i, all);
}

/* All pairs of the resource of this one: they stand side by side. */
static struct span same_resource(const struct books *b, int pair)
{
	struct span span = { pair, pair + 1 };

	while (span.first > 0 && b->pairs[span.first - 1].resource
				 == b->pairs[pair].resource)
		span.first--;
	while (span.end < b->npairs && b->pairs[span.end].resource
				       == b->pairs[pair].resource)
		span.end++;
	return span;
}

static void lendable_renew(struct books *b, int node, struct span pairs)
{
	lendable_derive(b, node, pairs);
	books_forget_share(b, node);
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		lendable_renew(b, k, pairs);
}

void derive_tree(struct books *b, int root, int pair)
{
	const struct span one = { pair, pair + 1 };

	potential_derive(b, root, one);
	lendable_renew(b, root, same_resource(b, pair));
}
