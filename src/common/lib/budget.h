/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - how much time something may take of all the time there is
 *
 * A fixed part of the time that goes by may be spent. What is not spent
 * is saved, up to a limit. The cost of a thing is not known before: a user that
 * begins while anything is left may spend more, and the next users wait for
 * that.
 */
#ifndef COHORT_BUDGET_H
#define COHORT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	int64_t parts;		/* one part in this many; > 0 */
	int64_t most;		/* most that is saved, ns */
	int64_t left;		/* ns; below 0: overspent */
	int64_t at;		/* filled up to this time */
};

/* Is anything left? `now` in ns, of a clock that never goes back. A budget
 * whose `at` is 0 has saved since time 0. */
static inline bool budget_has(struct budget *b, int64_t now)
{
	int64_t earned = (now - b->at) / b->parts;

	if (earned >= b->most - b->left) {
		b->left = b->most;
		b->at = now;
	} else if (earned > 0) {
		b->left += earned;
		b->at += earned * b->parts;	/* the rest counts next time */
	}
	return b->left > 0;
}

/* So many ns were spent. */
static inline void budget_spend(struct budget *b, int64_t ns)
{
	b->left -= ns;
}

#endif /* COHORT_BUDGET_H */
