/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  questions.c - what the questions of users may cost
 *
 *  Questions are answered under slurmctld's locks, and any user may ask, as
 *  often as they like. So a single question has a bound, and all questions
 *  together get a tenth of the time, and no second is theirs alone: little is
 *  saved. Beyond it a question is refused without a look: its answer is that the
 *  start is not known now.
\*****************************************************************************/
#include "tell/questions.h"

#include "state/state.h"
#include "slurm/clock.h"

#include "lib/budget.h"

/* Of each second, questions get one part in so many. After a pause, a few in a
 * row may use SAVED. Playing forward for one of them ends when it has taken
 * ONE. */
#define PARTS 10
#define SAVED (SPEC_SEC / 4)
#define ONE (SPEC_SEC / 4)

static struct {
	struct budget budget;
	int64_t begun;			/* CPU time of this thread, ns */
} questions = { .budget = { .parts = PARTS, .most = SAVED } };

extern bool questions_begin(void)
{
	if (!budget_has(&questions.budget, clock_ns(CLOCK_MONOTONIC))) {
		count_work(WORK_POSTPONED);
		return false;
	}
	count_work(WORK_ANSWERED);
	questions.begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return true;
}

extern void questions_end(void)
{
	int64_t cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun;

	budget_spend(&questions.budget, cost);
	ctld.work[WORK_QUESTION_NS] += cost;
}

extern bool questions_cost_enough(void *arg UNUSED)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun > ONE;
}
