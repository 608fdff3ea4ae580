/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.c - dominant resource share
 */
#include "quota/history.h"
#include "quota/share.h"

int64_t lendable_of(const struct books *b, int node, int resource)
{
	int64_t sum = 0;

	for (int f = 0; f < (int) b->nflavors; f++) {
		int pair = books_pair(b, f, resource);

		if (pair != SPEC_NONE && books_quota(b, b->nodes[node].root, pair)->present)
			sum = sat_add(sum, books_quota(b, node, pair)->potential);
	}
	return sum;
}

struct share share_less(const struct books *b, int node, const struct use *less, size_t n,
			double left)
{
	struct share share = { .weight = b->nodes[node].weight };
	int parent = b->nodes[node].parent;

	for (size_t r = 0; parent != SPEC_NONE && r < b->nresources; r++) {
		int resource = (int) r;
		int64_t borrowed = borrowed_of(b, node, resource, less, n), lendable;
		double counted = (double) borrowed, ratio;

		if (borrowed <= 0)
			continue;
		share.borrowing = true;
		lendable = lendable_of(b, parent, resource);
		if (lendable <= 0)
			continue;
		if (left > 0 && b->history)
			counted += history_counts(b, node, resource, left);
		ratio = counted * 1000.0 / (double) lendable;
		if (ratio > share.ratio)
			share.ratio = ratio;
	}
	return share;
}

const struct share *share_renew(const struct books *b, int node)
{
	b->nodes[node].share = share_less(b, node, NULL, 0, 1);
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
	bool infinite = share_is_infinite(a);

	if (infinite != share_is_infinite(b))
		return infinite ? 1 : -1;
	if (infinite)
		return compare(a->ratio, b->ratio);
	return compare(a->ratio ? a->ratio / a->weight : 0, b->ratio ? b->ratio / b->weight : 0);
}

static bool is_in_order(const struct taking *t, const struct share *taker,
			const struct share *giver)
{
	int order = share_compare(taker, giver);

	return t->or_equal ? order <= 0 : order < 0;
}

bool share_may_take(const struct taking *t, const struct share *taker, const struct share *giver)
{
	const struct books *b = t->books;
	struct share x = *taker, y;

	if (!b->history || !is_in_order(t, taker, giver))
		return is_in_order(t, taker, giver);
	x.ratio *= 1 + b->history->margin;
	if (is_in_order(t, &x, giver))
		return true;
	x = share_less(b, t->taker, NULL, 0, 0);
	y = share_less(b, t->giver, t->less, t->n, 0);
	return is_in_order(t, &x, &y);
}

static bool may_take_after(const struct taking *t, int64_t dt)
{
	double left = history_left(dt, t->books->history->half_life);
	struct share taker = share_less(t->books, t->taker, NULL, 0, left);
	struct share giver = share_less(t->books, t->giver, t->less, t->n, left);

	return share_may_take(t, &taker, &giver);
}

int64_t crossing_at(const struct taking *t, int64_t now)
{
	int64_t half_life = t->books->history->half_life;
	int64_t step = history_step(half_life), latest, before, first;

	latest = history_latest(now, half_life);
	if (!may_take_after(t, latest - now))
		return 0;
	before = now / step;
	first = latest / step;
	while (first - before > 1) {
		int64_t at = before + (first - before) / 2;

		if (may_take_after(t, at * step - now))
			first = at;
		else
			before = at;
	}
	return first * step;
}
