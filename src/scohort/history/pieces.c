/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces.c - the time between two readings, without a gap in it
 */
#include "history/pieces.h"

static int64_t within(int64_t at, int64_t begin, int64_t end)
{
	return at < begin ? begin : at > end ? end : at;
}

void pieces_make(struct pieces *p, int64_t begin, int64_t end,
		 const struct piece *gap)
{
	struct piece before = { begin, within(gap->begin, begin, end) };
	struct piece after = { within(gap->end, begin, end), end };

	*p = (struct pieces) { .of[0] = { begin, end }, .n = 1 };
	if (gap->end <= gap->begin)
		return;
	p->n = 0;
	if (before.end > before.begin)
		p->of[p->n++] = before;
	if (after.end > after.begin || !p->n)
		p->of[p->n++] = after;
}

int64_t pieces_length(const struct pieces *p)
{
	int64_t length = 0;

	for (size_t i = 0; i < p->n; i++)
		length += p->of[i].end - p->of[i].begin;
	return length;
}

/* Without overflow: amounts may be large, lengths are of years at most */
static int64_t part_of(int64_t amount, int64_t done, int64_t length)
{
	return done >= length ? amount
	       : amount / length * done + (int64_t)
	       ((long double) (amount % length) * (long double) done
		/ (long double) length);
}

void pieces_spread(const struct pieces *p, enum db_level level, int64_t oldest,
		   int64_t amount,
		   void (*put)(void *arg, int64_t slot, int64_t part),
		   void *arg)
{
	int64_t length = pieces_length(p), done = 0, given = 0;
	int64_t slot = db_slot(level, p->of[0].begin);

	if (!length) {
		if (slot >= oldest)
			put(arg, slot, amount);
		return;
	}
	for (size_t i = 0; i < p->n; i++) {
		int64_t at = p->of[i].begin;

		slot = db_slot(level, at);
		while (at < p->of[i].end) {
			int64_t next = db_next_slot(level, slot);
			int64_t end = within(next, at, p->of[i].end), part;

			done += end - at;
			part = part_of(amount, done, length) - given;
			given += part;
			if (part && slot >= oldest)
				put(arg, slot, part);
			at = end;
			slot = next;
		}
	}
}
