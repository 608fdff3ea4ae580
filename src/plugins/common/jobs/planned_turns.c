/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned_turns.c - which of these jobs a cycle of backfill plans
\*****************************************************************************/
#include "jobs/planned.h"

#include "lib/budget.h"
#include "state/job.h"
#include "slurm/clock.h"
#include "jobs/jobs.h"
#include "jobs/planned_list.h"

/* The questions about these jobs may take one part in so many of the CPU time of
 * backfill, and so much may be saved, ns. What backfill itself does for such a job
 * takes less than that. */
#define PARTS 200
#define SAVED (5 * SPEC_SEC / 1000)
/* Most that is overspent, whatever one question took: ns */
#define OVERSPENT (20 * SAVED)
/* A plan is made anew after so many cycles; until then it is put back. */
#define RENEWED 8

static struct {
	struct budget budget;		/* of the CPU time of backfill's thread */
	uint64_t number;
} cycle = {
	.budget = { .parts = PARTS, .most = SAVED, .left = SAVED },
};

static void _show_to_backfill(struct job *job)
{
	if (!job->marked)
		return;
	job->job_ptr->preempt_in_progress = false;
	/* of two partitions it takes the earlier start, and this was none */
	job->job_ptr->start_time = 0;
}

/* What was planned before still holds: backfill has taken it off the record, and
 * the estimate may have moved. */
static void _put_back(struct planned *one, struct job *job)
{
	if (!one->nodes)
		return;
	planned_set_start(one, job->estimate);
	if (!job->job_ptr->sched_nodes)
		job->job_ptr->sched_nodes = bitmap2node_name(one->nodes);
}

/* So often backfill may not come to a component: it leaves one out until it knows
 * when the others start. */
#define MOST_MISSED 3

/* Backfill did not come to it, though it was its turn. */
static bool _is_missed(struct planned *one, const struct job *job)
{
	if (!one->offered || !job->marked)
		return false;
	one->missed = one->reached ? 0 : one->missed + 1;
	return one->missed > (job->job_ptr->het_job_id ? MOST_MISSED : 0);
}

/* Who waits no longer, or waits in vain, is not planned. */
static void _look(time_t now)
{
	for (size_t i = planned_list.n; i-- > 0;) {
		struct planned *one = &planned_list.all[i];
		const struct job *job = planned_waiting(one);

		if (!job)
			planned_remove(i);
		else if (planned_is_late(job, now))
			planned_give_up(one, now);
		else if (one->declined || _is_missed(one, job))
			planned_clear(one);
	}
}

static bool _is_due(const struct planned *one, const struct job *job)
{
	return job && job->marked &&
		(!one->nodes || (cycle.number >= one->turn + RENEWED));
}

/* The one whose turn is the longest ago; of several, the first. A job that has
 * quota needs no turn: backfill sees it anyway. */
static const struct planned *_next(void)
{
	const struct planned *next = NULL;

	for (size_t i = 0; i < planned_list.n; i++) {
		const struct planned *one = &planned_list.all[i];

		if (_is_due(one, planned_waiting(one)) &&
		    (!next || (one->turn < next->turn)))
			next = one;
	}
	return next;
}

extern bool planned_has_time(void)
{
	int64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	cycle.budget.at = MIN(cycle.budget.at, cpu);	/* a new thread */
	return budget_has(&cycle.budget, cpu);
}

extern void planned_spend(int64_t ns)
{
	budget_spend(&cycle.budget, ns);
	cycle.budget.left = MAX(cycle.budget.left, -OVERSPENT);
}

static void _offer(struct planned *one)
{
	one->turn = cycle.number;
	one->reached = false;
	_show_to_backfill(planned_waiting(one));
}

extern void planned_offer(time_t now)
{
	const struct planned *next;
	uint32_t unit;

	_look(now);
	cycle.number++;
	next = planned_has_time() ? _next() : NULL;
	unit = next ? next->unit : 0;
	for (size_t i = 0; i < planned_list.n; i++) {
		struct planned *one = &planned_list.all[i];

		one->offered = next && (one->unit == unit);
		if (one->offered)
			_offer(one);
		else
			_put_back(one, planned_waiting(one));
	}
}

extern void planned_offer_again(void)
{
	for (size_t i = 0; i < planned_list.n; i++) {
		struct planned *one = &planned_list.all[i];
		struct job *job = one->offered && !one->reached ?
			planned_waiting(one) : NULL;

		if (job && job->job_ptr->preempt_in_progress)
			_show_to_backfill(job);
	}
}

extern void planned_look_if_taken(uint32_t job_id)
{
	for (size_t i = 0; i < planned_list.n; i++) {
		struct planned *one = &planned_list.all[i];
		const struct job *job = one->offered && one->reached &&
			one->nodes && (one->job_id != job_id) ?
			planned_waiting(one) : NULL;

		if (job && job->marked)
			one->declined = !job->job_ptr->sched_nodes;
	}
}
