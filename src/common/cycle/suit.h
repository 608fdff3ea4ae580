/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suit.h - how well a flavor suits what is asked for
 */
#ifndef COHORT_SUIT_H
#define COHORT_SUIT_H

#include "cycle/wants.h"

/* What comes of one flavor for one resource, on the books as they are and with
 * what the assignment has given away so far (doc/how-it-decides.md, section 4,
 * the table). Looks for victims where it has to. */
struct judgement suit_judge(struct scan *s, int flavor,
			    const struct want *want);

/* a is rather taken than b. PREFER_PREEMPTION: the borrow level counts before
 * the suit (Kueue's preference PreemptionOverBorrowing). */
bool suit_is_better(enum preference preference, struct judgement a,
		    struct judgement b);

/* Not good enough to end the search for a flavor: whenCanBorrow and
 * whenCanPreempt (Kueue's flavorFungibility) */
bool suit_tries_next(const struct spec_queue *spec, struct judgement v);

/* As the assignment tells it */
enum mode suit_mode(enum suit suit);

#endif /* COHORT_SUIT_H */
