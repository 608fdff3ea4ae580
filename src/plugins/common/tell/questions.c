/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  questions.c - what the questions of users may cost, and what estimates cost
 *
 *  Questions are answered under slurmctld's locks, and any user may ask, as
 *  often as they like. So a single question has a bound, and all questions
 *  together get a tenth of the time, and no second is theirs alone: little is
 *  saved. Beyond it a question is refused without a look: its answer is that the
 *  start is not known now.
\*****************************************************************************/
#include <json-c/json.h>

#include "tell/questions.h"

#include "state/state.h"
#include "slurm/clock.h"
#include "state/publish_json.h"

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
	int64_t answered, postponed, spent;
} questions = { .budget = { .parts = PARTS, .most = SAVED } };

extern bool questions_begin(void)
{
	if (!budget_has(&questions.budget, clock_ns(CLOCK_MONOTONIC))) {
		questions.postponed++;
		return false;
	}
	questions.answered++;
	questions.begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return true;
}

extern void questions_end(void)
{
	int64_t cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun;

	budget_spend(&questions.budget, cost);
	questions.spent += cost;
}

extern struct json_object *questions_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "answered", questions.answered);
	publish_number(o, "postponed", questions.postponed);
	publish_number(o, "microseconds", questions.spent / 1000);
	return o;
}

extern bool questions_cost_enough(void *arg UNUSED)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID) - questions.begun > ONE;
}

/* ---- estimates of starts ---- */

static struct {
	int64_t plays, spent, cut_short, too_far;
} estimates;

extern void estimates_count(int64_t cost, size_t too_far)
{
	estimates.plays++;
	estimates.spent += cost;
	estimates.cut_short += too_far != 0;
	estimates.too_far = too_far;
}

extern void estimates_count_look(int64_t cost)
{
	estimates.spent += cost;
}

extern struct json_object *estimates_json(void)
{
	struct json_object *o = json_object_new_object();

	publish_number(o, "plays", estimates.plays);
	publish_number(o, "microseconds", estimates.spent / 1000);
	publish_number(o, "cutShort", estimates.cut_short);
	publish_number(o, "tooFar", estimates.too_far);
	return o;
}
