/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "share.h"

/* Pairs are sorted by resource: sums what is borrowed of the resource at
 * pair *p and moves on to the next resource. */
static int64_t borrowed_of_resource(const struct books *b, int node, size_t *p)
{
	int resource = b->pairs[*p].resource;
	int64_t borrowed = 0;

	for (; *p < b->npairs && b->pairs[*p].resource == resource; (*p)++) {
		const struct cell *c = books_cell(b, node, *p);

		if (c->present && c->usage > c->subtree)
			borrowed = sat_add(borrowed,
					   sat_sub(c->usage, c->subtree));
	}
	return borrowed;
}

static struct share share_compute(const struct books *b, int node)
{
	struct share share = { .weight = b->nodes[node].weight };
	const int64_t *lendable;
	int parent = b->nodes[node].parent;

	if (parent == SPEC_NONE)
		return share;
	lendable = &b->lendable[(size_t) parent * b->nresources];
	for (size_t p = 0; p < b->npairs; ) {
		int resource = b->pairs[p].resource;
		int64_t borrowed = borrowed_of_resource(b, node, &p);
		double ratio;

		if (borrowed <= 0)
			continue;
		share.borrowing = true;
		if (lendable[resource] <= 0)
			continue;
		ratio = (double) borrowed * 1000.0
			/ (double) lendable[resource];
		if (ratio > share.ratio)
			share.ratio = ratio;
	}
	return share;
}

const struct share *share_renew(const struct books *b, int node)
{
	struct node *n = &b->nodes[node];

	n->share = share_compute(b, node);
	n->share_known = true;
	return &n->share;
}

static bool share_is_infinite(const struct share *s)
{
	return s->weight == 0 && s->ratio > 0;
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

int share_compare(const struct share *a, const struct share *b)
{
	bool infinite;

	/* the usual case, and the same without dividing by 1 */
	if (a->weight == 1 && b->weight == 1)
		return compare(a->ratio, b->ratio);
	infinite = share_is_infinite(a);
	if (infinite != share_is_infinite(b))
		return infinite ? 1 : -1;
	if (infinite)
		return compare(a->ratio, b->ratio);
	return compare(a->ratio ? a->ratio / a->weight : 0,
		       b->ratio ? b->ratio / b->weight : 0);
}
