/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * most.h - a search that fails, whatever it takes
 *
 * A tree may use more than all of its quota. Who may only evict lower priorities then
 * takes all that they use, and finds that too little. Once the searches of a cycle have
 * looked at so many holdings in vain, what each priority uses is summed, and the next
 * searches know that before they begin.
 *
 * Holdings do not change in a cycle, but some go, so the sums hold until its end.
 */
#ifndef COHORT_MOST_H
#define COHORT_MOST_H

#include "candidates/candidate.h"
#include "core/tree_state.h"

/* How many looks in vain pay for each holding that is summed: where few are in vain
 * nothing is. */
#define VAIN_PRICE 4

/* Would an attempt of the search fail, whatever it takes? others: it may take what has no
 * precedence by its place; see struct search. False: that is not known. It is so without
 * fronts (fronts.h). */
bool most_is_too_little(struct search *s, bool others);

/* Has so much been looked at in vain that it may be known? */
static inline bool most_is_worth_it(const struct search *s)
{
	const struct searches *all = s->e->searches;

	return all->mosts || all->vain / VAIN_PRICE >= s->q->tree->nholdings;
}

#endif /* COHORT_MOST_H */
