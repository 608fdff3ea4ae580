/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crossing.h - when time alone lets one take from the other by its share
 *
 * Histories move on while nothing happens (history.h). So a victim that fair
 * sharing refuses now may be granted later.
 */
#ifndef COHORT_CROSSING_H
#define COHORT_CROSSING_H

#include "quota/share.h"

/* The shares are so far apart that no time before the next plan lets `taker`
 * take from `giver`, by these shares. The usual answer, at little cost */
bool shares_are_far(const struct books *b, int taker, const struct share *x,
		    int giver, const struct share *y);

/* share_may_take() says no with these shares. The first full second in which it
 * says yes, if nothing else happens; 0: not before history_latest() */
int64_t crossing_at(const struct taking *t, const struct share *taker,
		    const struct share *giver, int64_t now);

#endif /* COHORT_CROSSING_H */
