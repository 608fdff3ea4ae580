/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "quota/history.h"
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

int64_t share_borrowed(const struct books *b, int node, int resource)
{
	int64_t borrowed = 0;

	for (size_t p = 0; p < b->npairs; p++) {
		const struct cell *c = books_cell(b, node, (int) p);

		if (b->pairs[p].resource == resource && c->present
		    && c->usage > c->subtree)
			borrowed = sat_add(borrowed,
					   sat_sub(c->usage, c->subtree));
	}
	return borrowed;
}

/* What counts beside what is borrowed now: what was borrowed lately */
static double lately(const struct books *b, int node, int resource)
{
	const struct history *h = b->history;
	size_t i = (size_t) node * b->nresources + (size_t) resource;
	double past = h->seen[i];

	if (h->plain)
		return 0;
	if (h->left != 1)
		past = h->amount[i] + (past - h->amount[i]) * h->left;
	return h->k * past;
}

static void share_raise(double *ratio, double counted, int64_t lendable)
{
	double here = counted * 1000.0 / (double) lendable;

	if (here > *ratio)
		*ratio = here;
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
		double counted;

		if (borrowed <= 0)
			continue;
		share.borrowing = true;
		if (lendable[resource] <= 0)
			continue;
		counted = (double) borrowed;
		if (b->history)
			counted += lately(b, node, resource);
		share_raise(&share.ratio, counted, lendable[resource]);
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

struct share share_plain(const struct books *b, int node,
			 const struct use *less, size_t n)
{
	struct share share;

	if (!b->history)
		return share_less(b, node, less, n);
	b->history->plain = true;
	share = share_less(b, node, less, n);
	b->history->plain = false;
	return share;
}

bool share_may_take_lately(const struct taking *t, const struct share *taker,
			   const struct share *giver)
{
	struct share x = *taker, y;

	x.ratio *= 1 + t->books->history->margin;
	if (taking_is_in_order(t, &x, giver))
		return true;
	x = share_plain(t->books, t->taker, NULL, 0);
	y = share_plain(t->books, t->giver, t->less, t->n);
	return taking_is_in_order(t, &x, &y);
}
