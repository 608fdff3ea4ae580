/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "quota/history.h"
#include "quota/share.h"

/* The usage of a node, less some of it */
static inline int64_t usage_less(const struct cell *c, int pair,
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
static inline int64_t borrowed_of_resource(const struct books *b,
					   const struct cell *cells, size_t *p,
					   const struct use *less, size_t n)
{
	int resource = b->pairs[*p].resource;
	int64_t borrowed = 0;

	for (; *p < b->npairs && b->pairs[*p].resource == resource; (*p)++) {
		const struct cell *c = &cells[*p];
		const struct quota *q = cell_quota(b, c);
		int64_t usage = usage_less(c, (int) *p, less, n);

		if (usage > q->subtree && q->present)
			borrowed = sat_add(borrowed,
					   sat_sub(usage, q->subtree));
	}
	return borrowed;
}

int64_t share_borrowed(const struct books *b, int node, int resource)
{
	int64_t borrowed = 0;

	for (size_t p = 0; p < b->npairs; p++) {
		const struct cell *c = books_cell(b, node, (int) p);
		const struct quota *q = cell_quota(b, c);

		if (b->pairs[p].resource == resource && q->present
		    && c->usage > q->subtree)
			borrowed = sat_add(borrowed,
					   sat_sub(c->usage, q->subtree));
	}
	return borrowed;
}

/* The share of a node with less[0..n) less. lately[resource]: what counts beside
 * what it borrows now; NULL: nothing does. It is made for each of its callers, so
 * that what does not count costs nothing. */
static inline __attribute__((always_inline)) struct share
share_sum(const struct books *b, int node, const struct use *less, size_t n,
	  const double *lately)
{
	struct share share = { .weight = b->nodes[node].weight };
	const struct cell *cells = books_cell(b, node, 0);
	int parent = b->nodes[node].parent;
	const int64_t *lendable;

	if (parent == SPEC_NONE)
		return share;
	lendable = &b->lendable[(size_t) parent * b->nresources];
	for (size_t p = 0; p < b->npairs; ) {
		int resource = b->pairs[p].resource;
		int64_t borrowed = borrowed_of_resource(b, cells, &p, less, n);
		double counted, ratio;

		if (borrowed <= 0)
			continue;
		share.borrowing = true;
		if (lendable[resource] <= 0)
			continue;
		counted = (double) borrowed;
		if (lately)
			counted += lately[resource];
		ratio = counted * 1000.0 / (double) lendable[resource];
		if (ratio > share.ratio)
			share.ratio = ratio;
	}
	return share;
}

static const double *lately(const struct books *b, int node)
{
	return &b->history->lately[(size_t) node * b->nresources];
}

struct share share_plain(const struct books *b, int node,
			 const struct use *less, size_t n)
{
	return share_sum(b, node, less, n, NULL);
}

struct share share_less(const struct books *b, int node,
			const struct use *less, size_t n)
{
	return b->history ? share_sum(b, node, less, n, lately(b, node))
			  : share_sum(b, node, less, n, NULL);
}

struct share share_later(const struct books *b, int node,
			 const struct use *less, size_t n, double left)
{
	const struct history *h = b->history;
	size_t row = (size_t) node * b->nresources;

	for (size_t r = 0; r < b->nresources; r++)
		h->later[r] = h->k * (h->amount[row + r]
				      + (h->seen[row + r] - h->amount[row + r])
					* left);
	return share_sum(b, node, less, n, h->later);
}

const struct share *share_renew(const struct books *b, int node)
{
	struct node *n = &b->nodes[node];

	if (!n->borrowed)	/* nothing counts that is not borrowed now */
		n->share = (struct share) { .weight = n->weight };
	else if (b->history)
		n->share = share_sum(b, node, NULL, 0, lately(b, node));
	else
		n->share = share_sum(b, node, NULL, 0, NULL);
	n->share_known |= SHARE_OF_NOW;
	return &n->share;
}

const struct share *share_plain_of(const struct books *b, int node)
{
	struct share *share = &b->history->plain[node];

	if (!(b->nodes[node].share_known & SHARE_PLAIN))
		*share = share_sum(b, node, NULL, 0, NULL);
	b->nodes[node].share_known |= SHARE_PLAIN;
	return share;
}

const struct share *share_latest(const struct books *b, int node)
{
	struct share *share = &b->history->latest[node];

	if (!(b->nodes[node].share_known & SHARE_LATEST))
		*share = share_later(b, node, NULL, 0, b->history->latest_left);
	b->nodes[node].share_known |= SHARE_LATEST;
	return share;
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

bool share_may_take_lately(const struct taking *t, const struct share *taker,
			   const struct share *giver)
{
	struct share x = *taker, y;

	x.ratio *= 1 + t->books->history->margin;
	if (taking_is_in_order(t, &x, giver))
		return true;
	x = *share_plain_of(t->books, t->taker);
	y = t->n ? share_plain(t->books, t->giver, t->less, t->n)
		 : *share_plain_of(t->books, t->giver);
	return taking_is_in_order(t, &x, &y);
}
