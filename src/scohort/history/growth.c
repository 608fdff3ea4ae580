/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * growth.c - by how much a counter has grown since the last reading, and over which time
 */
#include "history/reading.h"
#include "lib/sat.h"

enum epoch epoch_of(int64_t before, int64_t newest, int64_t since)
{
	return since > newest ? EPOCH_NEW : since != before ? EPOCH_OLD : EPOCH_SAME;
}

/* Such a counter has surely begun at zero when the epoch did. */
static bool is_of_epoch(const struct counter *c)
{
	return c->kind == COUNTED_SUM || c->kind == COUNTED_LOAN;
}

int64_t growth_of(const struct counter *c, int64_t value)
{
	bool anew = c->epoch == EPOCH_NEW;

	if (c->epoch == EPOCH_FIRST || c->epoch == EPOCH_OLD)
		return 0;
	if (!c->known || (anew && is_of_epoch(c)))
		return value;
	if (value >= c->before)
		return value - c->before;
	return anew || c->gone ? value : 0;
}

/* ---- time ---- */

static int64_t overlap(int64_t begin, int64_t end, int64_t from, int64_t until)
{
	return max64(0, min64(end, until) - max64(begin, from));
}

/* Of the time from..until what is known */
static int64_t known(const struct stretch *s, int64_t from, int64_t until)
{
	int64_t begin = max64(s->begin, from), end = min64(s->end, until);

	return overlap(s->begin, s->end, from, until)
	       - overlap(begin, end, s->gap_begin, s->gap_end);
}

int64_t stretch_length(const struct stretch *s)
{
	return known(s, s->begin, s->end);
}

int64_t stretch_last(const struct stretch *s)
{
	int64_t end = s->gap_begin < s->end && s->gap_end >= s->end ? s->gap_begin : s->end;

	return end > s->begin && stretch_length(s) ? end - 1 : s->end;
}

/* Without overflow: amounts may be large, lengths are of years at most */
static int64_t part_of(int64_t amount, int64_t done, int64_t length)
{
	return done >= length ? amount : amount / length * done + (int64_t)
	       ((long double) (amount % length) * (long double) done / (long double) length);
}

void stretch_spread(const struct stretch *s, enum span_by level, int64_t oldest, int64_t amount,
		    void (*put)(void *arg, int64_t slot, int64_t part), void *arg)
{
	int64_t length = stretch_length(s), done = 0, given = 0, next;
	int64_t slot = span_begin(level, length ? s->begin : s->end);

	if (!length && slot >= oldest)
		put(arg, slot, amount);
	for (; length && slot < s->end; slot = next) {
		int64_t part;

		next = span_next(level, slot);
		if (slot >= s->gap_begin && next <= s->gap_end)	/* it may be long */
			next = max64(next, span_begin(level, min64(s->gap_end, s->end)));
		done += known(s, slot, next);
		part = part_of(amount, done, length) - given;
		given += part;
		if (part && slot >= oldest)
			put(arg, slot, part);
	}
}
