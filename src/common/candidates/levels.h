/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * levels.h - where a search looks for candidates, level by level
 *
 * The levels are the cohorts above the preemptor. Without fair sharing.
 */
#ifndef COHORT_LEVELS_H
#define COHORT_LEVELS_H

#include "candidates/candidate.h"

/* Could the subtree of a node hold the rest of the demand by its own quota? rest[] is by the
 * demand's pairs. It is then reduced by the idle quota of the node that it does not
 * lend. */
static inline bool subtree_holds(const struct search *s, int node,
				 struct use *rest)
{
	bool holds = true;

	for (size_t i = 0; i < s->ndemand; i++) {
		int64_t idle;

		if (books_is_over_nominal(s->e->books, node, rest[i].pair,
					  rest[i].amount))
			holds = false;
		idle = books_idle_local(s->e->books, node, rest[i].pair);
		if (idle)
			rest[i].amount = max64(0, sat_sub(rest[i].amount,
							  idle));
	}
	return holds;
}

/* Opens the streams of all queues of other levels that a search may use. matters: also of
 * those that have no precedence by their place. Sets *others if there are any, and
 * *hierarchy if any have precedence. */
void levels_collect(struct search *s, struct use *rest, bool matters,
		    bool *others, bool *hierarchy);

#endif /* COHORT_LEVELS_H */
