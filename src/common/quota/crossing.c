/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.c - when time alone lets one take from the other by its share
 */
#include "quota/crossing.h"
#include "quota/history.h"

static bool may_take_after(const struct taking *t, int64_t dt)
{
	double left = history_left(dt, t->books->history->half_life);
	struct share taker = share_later(t->books, t->taker, NULL, 0, left);
	struct share giver = share_later(t->books, t->giver, t->less, t->n, left);

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
