/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "quota/history.h"
#include "quota/share.h"

/* Pairs are sorted by resource: sums what is borrowed of the resource at pair *p,
 * and moves *p on to the next resource. */
static int64_t borrowed_of_resource(const struct books *b, int node, size_t *p,
				    const struct use *less, size_t n)
{
	int resource = b->pairs[*p].resource;
	int64_t borrowed = 0;

	for (; *p < b->npairs && b->pairs[*p].resource == resource; (*p)++) {
		const struct quota *q = books_quota(b, node, (int) *p);
		int64_t usage = books_usage(b, node, (int) *p);

		for (size_t i = 0; i < n; i++) {
			if (less[i].pair == (int) *p)
				usage = sat_sub(usage, less[i].amount);
		}
		if (usage > q->subtree && q->present)
			borrowed = sat_add(borrowed,
					   sat_sub(usage, q->subtree));
	}
	return borrowed;
}

int64_t share_borrowed(const struct books *b, int node, int resource)
{
	size_t p = 0;

	while (p < b->npairs && b->pairs[p].resource != resource)
		p++;
	return p < b->npairs ? borrowed_of_resource(b, node, &p, NULL, 0) : 0;
}

/* left: see share_later(); 0: history does not count */
static struct share share_sum(const struct books *b, int node,
			      const struct use *less, size_t n, double left)
{
	struct share share = { .weight = b->nodes[node].weight };
	int parent = b->nodes[node].parent;

	for (size_t p = 0; parent != SPEC_NONE && p < b->npairs; ) {
		int resource = b->pairs[p].resource;
		int64_t lendable = b->lendable[(size_t) parent * b->nresources
					       + (size_t) resource];
		int64_t borrowed = borrowed_of_resource(b, node, &p, less, n);
		double counted = (double) borrowed, ratio;

		if (borrowed <= 0)
			continue;
		share.borrowing = true;
		if (lendable <= 0)
			continue;
		if (left > 0)
			counted += history_counts(b, node, resource, left);
		ratio = counted * 1000.0 / (double) lendable;
		if (ratio > share.ratio)
			share.ratio = ratio;
	}
	return share;
}

struct share share_plain(const struct books *b, int node,
			 const struct use *less, size_t n)
{
	return share_sum(b, node, less, n, 0);
}

struct share share_less(const struct books *b, int node,
			const struct use *less, size_t n)
{
	return share_sum(b, node, less, n, b->history ? 1 : 0);
}

struct share share_later(const struct books *b, int node,
			 const struct use *less, size_t n, double left)
{
	return share_sum(b, node, less, n, left);
}

const struct share *share_renew(const struct books *b, int node)
{
	b->nodes[node].share = share_less(b, node, NULL, 0);
	b->nodes[node].share_known = true;
	return &b->nodes[node].share;
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

static bool is_in_order(const struct taking *t, const struct share *taker,
			const struct share *giver)
{
	int order = share_compare(taker, giver);

	return t->or_equal ? order <= 0 : order < 0;
}

bool share_may_take(const struct taking *t, const struct share *taker,
		    const struct share *giver)
{
	const struct books *b = t->books;
	struct share x = *taker, y;

	if (!b->history || !is_in_order(t, taker, giver))
		return is_in_order(t, taker, giver);
	x.ratio *= 1 + b->history->margin;
	if (is_in_order(t, &x, giver))
		return true;
	x = share_plain(b, t->taker, NULL, 0);
	y = share_plain(b, t->giver, t->less, t->n);
	return is_in_order(t, &x, &y);
}
