/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.c - when time alone lets one take from the other by its share
 */
#include "quota/crossing.h"
#include "quota/history.h"

int64_t crossing_latest(int64_t now, int64_t half_life)
{
	int64_t step = history_step(half_life);
	int64_t at = sat_add(now, history_longest(half_life)) / step * step;

	return at > now ? at : now + step;
}

static bool may_take_after(const struct taking *t, int64_t dt)
{
	struct history *h = t->books->history;
	struct share taker, giver;

	h->left = history_left(dt, h->half_life);
	taker = share_less(t->books, t->taker, NULL, 0);
	giver = share_less(t->books, t->giver, t->less, t->n);
	h->left = 1;
	return share_may_take(t, &taker, &giver);
}

/* The usual answer, at little cost: the shares are too far apart. */
static bool is_far(const struct taking *t, const struct share *taker,
		   const struct share *giver)
{
	const struct history *h = t->books->history;
	struct share x = *taker, y = *giver;

	x.ratio = x.ratio > h->loss[t->taker] ? x.ratio - h->loss[t->taker] : 0;
	y.ratio += h->gain[t->giver];
	return share_compare(&x, &y) > 0;
}

int64_t crossing_at(const struct taking *t, const struct share *taker,
		    const struct share *giver, int64_t now)
{
	int64_t half_life = t->books->history->half_life;
	int64_t step = history_step(half_life);
	int64_t before = now / step;
	int64_t first = crossing_latest(now, half_life) / step;

	if (is_far(t, taker, giver)
	    || !may_take_after(t, first * step - now))
		return 0;
	while (first - before > 1) {
		int64_t at = before + (first - before) / 2;

		if (may_take_after(t, at * step - now))
			first = at;
		else
			before = at;
	}
	return first * step;
}
