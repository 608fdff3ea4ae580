/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pieces.h - the time between two readings, without a gap in it
 *
 * What a counter has grown by is spread evenly over it: nothing more is known.
 */
#ifndef SCOHORT_HISTORY_PIECES_H
#define SCOHORT_HISTORY_PIECES_H

#include <stddef.h>

#include "history/db.h"

#define PIECES 2

struct piece {
	int64_t begin, end;	/* seconds; begin <= end */
};

/* If they have no length, all falls to their begin. */
struct pieces {
	struct piece of[PIECES];
	size_t n;		/* 1 or 2 */
};

/* From begin to end without the gap; a gap with end <= begin is none. */
void pieces_make(struct pieces *p, int64_t begin, int64_t end,
		 const struct piece *gap);

int64_t pieces_length(const struct pieces *p);

/* Calls put() for each slot that has some of the amount, from `oldest` on; what
 * falls to earlier ones is left out. Parts are whole, and all of them together
 * are the amount. */
void pieces_spread(const struct pieces *p, enum db_level level, int64_t oldest,
		   int64_t amount,
		   void (*put)(void *arg, int64_t slot, int64_t part),
		   void *arg);

#endif /* SCOHORT_HISTORY_PIECES_H */
