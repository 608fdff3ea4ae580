/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_standing.c - is a job in line, does it hold nodes?
\*****************************************************************************/
#include "match/job_standing.h"

#include "match/het_records.h"

extern int64_t job_waiting_tasks(job_record_t *job_ptr)
{
	/* Not by array_task_id: Slurm sets that of the waiting array, too,
	 * while it tries the next task. */
	if (job_ptr->array_recs && IS_JOB_PENDING(job_ptr))
		return MAX(job_ptr->array_recs->task_cnt, 1);
	return 1;
}

extern int64_t job_max_starts(job_record_t *job_ptr)
{
	const job_array_struct_t *array = job_ptr->array_recs;

	/* the last task of an array keeps the array's record when it runs */
	if (!array || !array->max_run_tasks || !IS_JOB_PENDING(job_ptr))
		return 0;
	if (array->tot_run_tasks >= array->max_run_tasks)
		return -1;
	return array->max_run_tasks - array->tot_run_tasks;
}

static int _is_schedulable(void *x, void *arg UNUSED)
{
	return (((part_record_t *) x)->state_up & PARTITION_SCHED) != 0;
}

/* Does one of its partitions start jobs? */
static bool _takes_jobs(job_record_t *job_ptr)
{
	if (job_ptr->part_ptr_list && list_count(job_ptr->part_ptr_list))
		return list_find_first(job_ptr->part_ptr_list, _is_schedulable,
				       NULL) != NULL;
	return !job_ptr->part_ptr || _is_schedulable(job_ptr->part_ptr, NULL);
}

static bool _in_line(job_record_t *job_ptr, time_t now)
{
	const compat_details_t *details = job_ptr->details;

	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr) || !details)
		return false;
	if (!job_ptr->priority || (details->begin_time > now))
		return false;
	if (details->depend_list && list_count(details->depend_list))
		return false;
	if (!_takes_jobs(job_ptr))
		return false;
	return job_max_starts(job_ptr) >= 0;
}

static bool _is_out_of_line(job_record_t *job_ptr, time_t now)
{
	return IS_JOB_PENDING(job_ptr) && !_in_line(job_ptr, now);
}

/* Of a heterogeneous job all waiting components are in line, or none */
extern bool job_is_in_line(job_record_t *job_ptr, time_t now)
{
	return _in_line(job_ptr, now) && !het_any(job_ptr, _is_out_of_line, now);
}

extern bool job_leaves_nodes(job_record_t *job_ptr)
{
	return IS_JOB_COMPLETING(job_ptr) && job_ptr->details &&
		job_ptr->node_bitmap && job_ptr->job_resrcs;
}

extern bool job_holds_nodes(job_record_t *job_ptr)
{
	return (IS_JOB_RUNNING(job_ptr) || IS_JOB_SUSPENDED(job_ptr)) &&
		!IS_JOB_COMPLETING(job_ptr) && job_ptr->node_bitmap;
}

/* As deadline_ok() of slurmctld judges; slurmctld ends a job that fails it */
extern bool job_is_too_late(const job_record_t *job_ptr, time_t now)
{
	uint32_t minutes = job_ptr->time_limit;

	if (!job_ptr->deadline || (job_ptr->deadline == NO_VAL))
		return false;
	if (job_ptr->time_min && (job_ptr->time_min != NO_VAL))
		minutes = job_ptr->time_min;
	return (minutes != NO_VAL) && (minutes != INFINITE) &&
		(job_ptr->deadline < now + (time_t) minutes * 60);
}

extern int64_t job_longest_run(const job_record_t *job_ptr)
{
	uint32_t minutes = job_ptr->time_limit;

	if ((minutes == NO_VAL) && job_ptr->part_ptr)
		minutes = job_ptr->part_ptr->default_time;
	if ((minutes == NO_VAL) && job_ptr->part_ptr)
		minutes = job_ptr->part_ptr->max_time;
	if ((minutes == NO_VAL) || (minutes == INFINITE))
		return INT64_MAX;
	return (int64_t) minutes * 60;
}

/* slurmctld adds it up when the job goes on. */
extern time_t job_suspended_for(const job_record_t *job_ptr, time_t now)
{
	time_t since = job_ptr->suspend_time;

	if (!IS_JOB_SUSPENDED(job_ptr) || !since)
		return job_ptr->tot_sus_time;
	return job_ptr->tot_sus_time + MAX(now - since, 0);
}
