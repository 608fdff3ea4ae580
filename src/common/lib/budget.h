/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * budget.h - how much time something may take of all the time there is
 *
 * One part in so many of the time that goes by may be spent. What is not spent
 * is saved, up to a limit. Nobody knows before what a thing costs: who begins
 * while anything is left may spend more, and those who come next wait for that.
 */
#ifndef COHORT_BUDGET_H
#define COHORT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	int64_t parts;		/* one part in so many; > 0 */
	int64_t most;		/* that is saved, ns */
	int64_t left;		/* ns; below 0: overspent */
	int64_t at;		/* until when it has been filled */
};

/* Is anything left? `now` in ns, of a clock that never goes back. One whose `at`
 * is 0 has saved since then. */
bool budget_has(struct budget *budget, int64_t now);

/* So many ns were spent. */
void budget_spend(struct budget *budget, int64_t ns);

#endif /* COHORT_BUDGET_H */
