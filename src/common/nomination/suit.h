/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suit.h - how well a flavor suits a request
 */
#ifndef COHORT_SUIT_H
#define COHORT_SUIT_H

#include "nomination/wants.h"

/* Judges one flavor for one resource, on the books as they are and with what
 * the assignment has given away so far (doc/how-it-decides.md, section 4, the
 * table). Searches for victims where it has to. */
struct judgement suit_judge(struct scan *s, int flavor,
			    const struct want *want);

/* It does not fit, and nobody can be evicted for it now. */
static inline bool suit_is_refusal(enum suit suit)
{
	return suit == SUIT_NOFIT || suit == SUIT_NO_CANDIDATES;
}

/* a is preferred to b. PREFER_PREEMPTION: the borrow level counts before the
 * suit (Kueue's preference PreemptionOverBorrowing). */
static inline bool suit_is_better(enum preference preference,
				  struct judgement a, struct judgement b)
{
	if (a.suit == SUIT_NOFIT || b.suit == SUIT_NOFIT)
		return a.suit != SUIT_NOFIT;
	if ((a.suit == SUIT_NO_CANDIDATES) != (b.suit == SUIT_NO_CANDIDATES))
		return b.suit == SUIT_NO_CANDIDATES;
	if (preference == PREFER_PREEMPTION && a.borrow != b.borrow)
		return a.borrow < b.borrow;
	if (a.suit != b.suit)
		return a.suit > b.suit;
	return a.borrow < b.borrow;
}

/* The suit is not good enough to end the search for a flavor: whenCanBorrow and
 * whenCanPreempt (Kueue's flavorFungibility) */
static inline bool suit_tries_next(const struct spec_queue *spec,
				   struct judgement v)
{
	if (suit_is_refusal(v.suit))
		return true;
	if (v.suit != SUIT_FIT
	    && spec->when_can_preempt == FUNGIBILITY_TRY_NEXT)
		return true;
	return v.borrow > 0 && spec->when_can_borrow == FUNGIBILITY_TRY_NEXT;
}

/* The mode by which the assignment reports the suit */
static inline enum mode suit_mode(enum suit suit)
{
	if (suit == SUIT_FIT)
		return MODE_FIT;
	return suit == SUIT_NOFIT ? MODE_NOFIT : MODE_PREEMPT;
}

#endif /* COHORT_SUIT_H */
