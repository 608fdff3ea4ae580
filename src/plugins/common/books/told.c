/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  told.c - starts and ends, of which slurmctld tells
\*****************************************************************************/
#include "books/told.h"

#include "state/job.h"
#include "slurm/saver.h"
#include "slurm/passes.h"
#include "match/queue_of_job.h"
#include "request/learn.h"
#include "record/comment.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "jobs/planned.h"
#include "tally/tally.h"
#include "books/entries.h"
#include "books/exempt.h"
#include "books/het.h"
#include "books/history.h"
#include "books/running.h"

/* A task has left its array: what was decided for the array was decided for
 * this task. */
static void _leave_array(struct job *job, struct job *array,
			 part_record_t *part_ptr)
{
	struct entry *entry = job_entry_by_partition(array, part_ptr);
	/* the record that the array had until now is the task's */
	job_record_t *job_ptr = find_job_record(array->job_id);

	job->order_at = array->order_at;
	chance_end_wait_of_task(array, entry);
	planned_end_wait_of_task(array);
	array->job_ptr = job_ptr;
	if (job_ptr && job_ptr->details)
		job_ptr->details->preempt_start_time = 0;
	if (!entry)
		return;
	if (!job->first.flavors && entry->flavors) {
		job->first.flavors = entry->flavors;
		entry->flavors = NULL;
	}
	engine_disown(ctld.engine, entry->work);
	jobs_set_own(entry, 0);
	entry->started++;
}

/* Nothing is kept of a job that starts outside all queues, unless it was in one.
 * The list of its partitions is not looked at: slurmctld may have it locked. */
static bool _is_kept(job_record_t *job_ptr)
{
	return jobs_find(job_ptr->job_id) ||
		(job_ptr->array_job_id && jobs_find(job_ptr->array_job_id)) ||
		(queue_of_job(job_ptr, job_ptr->part_ptr) != SPEC_NONE);
}

static void _book_start(job_record_t *job_ptr)
{
	struct job *job = jobs_get(job_ptr), *array = NULL;

	if (job_ptr->array_job_id && (job_ptr->array_job_id != job_ptr->job_id))
		array = jobs_find(job_ptr->array_job_id);
	if (array && job_waits(array))
		_leave_array(job, array, job_ptr->part_ptr);
	job_get_run(job)->kind = RUN_IS_NEW;
	entries_settle(job, job_ptr->part_ptr);
	running_book(job, true);
	if (job->first.work) {
		tally_start(job);
		exempt_started(job);
	}
	saver_save();
}

extern void books_started(job_record_t *job_ptr)
{
	history_advance_now();
	/* the eviction for it is over, for the array's next task too */
	job_ptr->details->preempt_start_time = 0;
	comment_clear_admin(job_ptr);
	if (_is_kept(job_ptr))
		_book_start(job_ptr);
	sentinel_offer(job_ptr);
}

extern void books_resized(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job_runs(job))
		return;
	history_advance_now();
	job->job_ptr = job_ptr;
	running_book(job, false);
	/* licenses and TRES are set later */
	job->provisional = true;
}

extern void books_ended(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);
	struct run *run;

	learn_released();
	if (!job)
		return;
	history_advance_now();
	if (job_ptr->het_job_id)
		het_ended(job_ptr);
	job->job_ptr = job_ptr;
	run = job_get_run(job);
	if (run->turn_over)	/* it had its turn: it goes behind the jobs that waited */
		job->order_at = job_time(run->turn_over);
	run->turn_over = 0;
	if (run->noted && job->first.work)
		tally_eviction(job);
	run->noted = false;
	job_keep(job);		/* slurmctld may requeue it */
	if (running_is_leaving(job))
		running_begin_to_leave(job);
	else
		running_release(job);
	saver_save();
}
