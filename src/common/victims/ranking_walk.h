/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking_walk.h - fair sharing: the children of a cohort that a search comes to
 *
 * It comes to one child after the other, in the order of the ranking, and to none
 * sooner than it may need it. It passes over queues of which the strategies refuse
 * whatever they have, many at once, and comes back to those in its second pass.
 */
#ifndef COHORT_RANKING_WALK_H
#define COHORT_RANKING_WALK_H

#include "victims/ranking.h"

/* The child of a cohort that gives first of those that the search has come to */
struct leader {
	const struct share *share;	/* NULL: there is none */
	const struct candidate *head;	/* of a queue; NULL: a cohort */
	int slot;			/* of the node */
};

/* A search begins in the cohorts above the preemptor. It comes to the root first of
 * all, so that need not be told. */
void ranking_enter(struct search *s);

/* Is there any child of the cohort that it has not come to? */
static inline bool ranking_has_next(const struct search *s, int cohort)
{
	const struct ranking *r = &s->ranks->rankings[cohort];

	return r->search != s->number || r->again != s->again
	       || r->next != r->last;
}

/* The next child of the cohort that may give before the leader; SPEC_NONE: there is
 * none. If it is a queue, its stream is open. The preemptor's own queue, and the
 * cohorts above it, are never among them. With s->judges it does not come to queues
 * of which the strategies refuse all; the preemptor's demand is in the books. */
int ranking_next(struct search *s, int cohort, const struct leader *leader);

/* The strategies refuse whatever is below the cohort, in the first pass: the second
 * one comes to all of it. Is the node at or below such a cohort? */
void ranking_refuse(struct search *s, int cohort);
bool ranking_is_refused(const struct search *s, int node);

/* From the beginning, up to where it is: the queues that it has not opened. In each
 * cohort it ends where no share is larger than the preemptor's. `rest`: all that
 * it has not opened, to the end. */
void ranking_rewind(struct search *s, bool rest);

#endif /* COHORT_RANKING_WALK_H */
