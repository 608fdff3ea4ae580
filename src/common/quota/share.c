/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "quota/share.h"

/* The usage of a node, less some of it */
static int64_t usage_less(const struct cell *c, int pair,
			  const struct use *less, size_t n)
{
	int64_t usage = c->usage;

	for (size_t i = 0; i < n; i++) {
		if (less[i].pair == pair)
			usage = sat_sub(usage, less[i].amount);
	}
	return usage;
}

/* Pairs are sorted by resource: sums what is borrowed of the resource at pair
 * *p, and moves *p on to the next resource. */
static int64_t borrowed_of_resource(const struct books *b, int node, size_t *p,
				    const struct use *less, size_t n)
{
	int resource = b->pairs[*p].resource;
	int64_t borrowed = 0;

	for (; *p < b->npairs && b->pairs[*p].resource == resource; (*p)++) {
		const struct cell *c = books_cell(b, node, *p);
		int64_t usage = usage_less(c, *p, less, n);

		if (c->present && usage > c->subtree)
			borrowed = sat_add(borrowed,
					   sat_sub(usage, c->subtree));
	}
	return borrowed;
}

struct share share_less(const struct books *b, int node,
			const struct use *less, size_t n)
{
	struct share share = { .weight = b->nodes[node].weight };
	const int64_t *lendable;
	int parent = b->nodes[node].parent;

	if (parent == SPEC_NONE)
		return share;
	lendable = &b->lendable[(size_t) parent * b->nresources];
	for (size_t p = 0; p < b->npairs; ) {
		int resource = b->pairs[p].resource;
		int64_t borrowed = borrowed_of_resource(b, node, &p, less, n);
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

	n->share = share_less(b, node, NULL, 0);
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

	/* the usual case; gives the same result without a division by 1 */
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
