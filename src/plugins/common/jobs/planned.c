/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned.c - waiting jobs that backfill plans although they have no quota yet
 *
 *  Of each cohort tree the first jobs that wait for quota, and of which the
 *  estimate knows when they will have it (planned_choose.c). Only backfill sees
 *  them: in its pass one of them is not marked, in turn, and only as often as
 *  backfill has the time (planned_turns.c). What it has planned for them is in
 *  their records (sched_nodes); the main scheduler does not know of that, so jobs
 *  behind them are kept from these nodes here, unless they are done in time
 *  (planned_keep.c).
 *
 *  An estimate may be wrong. A job that does not start by the time that was
 *  planned first is not planned for a while, longer and longer (chance.c).
\*****************************************************************************/
#include "jobs/planned.h"

#include "state/job.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "jobs/planned_list.h"

/* Minutes, where bf_window is not set */
#define DEFAULT_WINDOW (24 * 60)
/* It may take a pass or two until a job starts that has quota and nodes. */
#define GRACE 60

struct planned_list planned_list;

extern void planned_clear(struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	FREE_NULL_BITMAP(one->nodes);
	one->start = 0;
	one->declined = false;
	if (job)
		job->planned = 0;
}

extern void planned_drop(struct planned *one)
{
	planned_clear(one);
	FREE_NULL_BITMAP(one->about);
}

extern void planned_remove(size_t i)
{
	planned_drop(&planned_list.all[i]);
	planned_list.n--;
	memmove(&planned_list.all[i], &planned_list.all[i + 1],
		(planned_list.n - i) * sizeof(planned_list.all[0]));
}

extern void planned_flush(void)
{
	while (planned_list.n)
		planned_remove(planned_list.n - 1);
}

extern bool planned_any(void)
{
	return planned_list.n;
}

static struct planned *_find(uint32_t job_id)
{
	for (size_t i = 0; i < planned_list.n; i++) {
		if (planned_list.all[i].job_id == job_id)
			return &planned_list.all[i];
	}
	return NULL;
}

extern struct planned *planned_find(const struct entry *entry)
{
	const struct job *job = entry->job;

	/* the estimate is of the queue in which it starts first */
	if (job->first.next &&
	    (entry->queue != job->estimate_queue))
		return NULL;
	return _find(job->job_id);
}

extern void planned_end_wait_of_task(const struct job *array)
{
	struct planned *one = _find(array->job_id);

	if (one)
		planned_clear(one);
}

/* ---- a job of ours, and Slurm ---- */

extern bool planned_goes_before(const job_record_t *a, uint16_t tier_a,
				const job_record_t *b, uint16_t tier_b)
{
	if (tier_a != tier_b)
		return tier_a > tier_b;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->details->submit_time != b->details->submit_time)
		return a->details->submit_time < b->details->submit_time;
	return a->job_id < b->job_id;
}

extern uint16_t planned_tier(const job_record_t *job_ptr)
{
	return job_ptr->part_ptr ? job_ptr->part_ptr->priority_tier : 0;
}

extern time_t planned_window(void)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, "bf_window=");
	long minutes = set ? atol(set + strlen("bf_window=")) : 0;

	return (minutes > 0 ? minutes : DEFAULT_WINDOW) * 60;
}

extern struct job *planned_waiting(const struct planned *one)
{
	struct job *job = jobs_find(one->job_id);

	return job && job_waits(job) && jobs_record(job) &&
		IS_JOB_PENDING(job->job_ptr) && job->job_ptr->details ?
		job : NULL;
}

/* ---- its plan ---- */

/* Components start together. */
extern void planned_set_start(struct planned *one, time_t quota_at)
{
	time_t start = quota_at;

	for (size_t i = 0; i < planned_list.n; i++) {
		const struct planned *fellow = &planned_list.all[i];
		const struct job *job = fellow->unit == one->unit ?
			jobs_find(fellow->job_id) : NULL;

		if (job && fellow->nodes)
			start = MAX(start, MAX(fellow->nodes_at, job->estimate));
	}
	for (size_t i = 0; i < planned_list.n; i++) {
		struct planned *fellow = &planned_list.all[i];
		struct job *job = fellow->unit == one->unit ?
			jobs_find(fellow->job_id) : NULL;

		if (job && fellow->nodes)
			fellow->start = job->planned = job_time(start);
	}
}

extern bool planned_is_late(const struct job *job, time_t now)
{
	time_t promised = job->offer.promised;

	return promised && (now > promised + GRACE);
}

extern void planned_give_up(struct planned *one, time_t now)
{
	struct job *job = jobs_find(one->job_id);

	if (job)
		chance_miss_plan(job, now);
	planned_remove(one - planned_list.all);
}

extern void planned_note(struct planned *one, const job_record_t *job_ptr,
			 const bitstr_t *nodes, time_t quota_at)
{
	struct job *job = jobs_find(one->job_id);

	FREE_NULL_BITMAP(one->nodes);
	one->nodes = bit_copy((bitstr_t *) nodes);
	one->nodes_at = job_ptr->start_time;
	one->part_ptr = job_ptr->part_ptr;
	one->tier = planned_tier(job_ptr);
	one->declined = false;
	if (!job)
		return;
	planned_set_start(one, quota_at);
	chance_promise(job, one->start);
}
