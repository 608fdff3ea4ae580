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

/* share_may_take() says no now. The first full second in which it says yes, if
 * nothing else happens; 0: not before history_latest() */
int64_t crossing_at(const struct taking *t, int64_t now);

#endif /* COHORT_CROSSING_H */
