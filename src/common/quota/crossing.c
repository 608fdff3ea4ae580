/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.c - when time alone lets one take from the other by its share
 */
#include "quota/crossing.h"
#include "quota/history.h"

static bool may_take_after(const struct taking *t, int64_t dt)
{
	double left = history_left(dt, t->books->history->half_life);
	struct share taker, giver;

	taker = share_later(t->books, t->taker, NULL, 0, left);
	giver = share_later(t->books, t->giver, t->less, t->n, left);
	return share_may_take(t, &taker, &giver);
}

/* The same for the latest time, whose shares are remembered */
static bool may_take_latest(const struct taking *t)
{
	const struct books *b = t->books;
	const struct share *taker = share_latest(b, t->taker);
	struct share giver;

	if (!t->n)
		return share_may_take(t, taker, share_latest(b, t->giver));
	giver = share_later(b, t->giver, t->less, t->n, b->history->latest_left);
	return share_may_take(t, taker, &giver);
}

bool shares_are_far_by_weight(const struct books *b, int taker,
			      const struct share *x, int giver,
			      const struct share *y)
{
	double loss = b->history->loss[taker];
	struct share least = *x, most = *y;

	least.ratio = x->ratio > loss ? x->ratio - loss : 0;
	most.ratio += b->history->gain[giver];
	return share_compare(&least, &most) > 0;
}

int64_t crossing_at(const struct taking *t, int64_t now)
{
	int64_t step, before, first;

	history_look(t->books, now);
	if (!may_take_latest(t))
		return 0;
	step = history_step(t->books->history->half_life);
	before = now / step;
	first = t->books->history->latest_at / step;
	while (first - before > 1) {
		int64_t at = before + (first - before) / 2;

		if (may_take_after(t, at * step - now))
			first = at;
		else
			before = at;
	}
	return first * step;
}
