/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.h - when time alone lets one take from the other by its share
 *
 * Histories move on while nothing happens (history.h). So a victim that fair
 * sharing refuses now may be granted later.
 */
#ifndef COHORT_CROSSING_H
#define COHORT_CROSSING_H

#include "quota/history.h"
#include "quota/share.h"

/* shares_are_far() of any weights */
bool shares_are_far_by_weight(const struct books *b, int taker,
			      const struct share *x, int giver,
			      const struct share *y);

/* The shares are so far apart that neither now nor at any time before the next
 * plan `taker` may take from `giver`, by these shares. The usual answer, at
 * little cost */
static inline bool shares_are_far(const struct books *b, int taker,
				  const struct share *x, int giver,
				  const struct share *y)
{
	if (x->weight == 1 && y->weight == 1)
		return x->ratio - b->history->loss[taker]
		       > y->ratio + b->history->gain[giver];
	return shares_are_far_by_weight(b, taker, x, giver, y);
}

/* share_may_take() says no now. The first full second in which it says yes, if
 * nothing else happens; 0: not before history_latest() */
int64_t crossing_at(const struct taking *t, int64_t now);

#endif /* COHORT_CROSSING_H */
