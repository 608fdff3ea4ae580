/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  job_standing.c - is a job in line, does it hold nodes?
\*****************************************************************************/
#include "match/match.h"

#include "compat/wait_reasons.h"
#include "value/checkpoint.h"

/* ---- components of a heterogeneous job ---- */

extern struct het_ids het_components(const job_record_t *job_ptr)
{
	const job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;
	struct het_ids ids = { .het_job_id = job_ptr->het_job_id, .next = 1 };

	/* without the list it is still being submitted */
	if (leader && leader->het_job_list)
		ids.rest = leader->het_job_id_set;
	return ids;
}

extern job_record_t *het_next_record(struct het_ids *ids)
{
	char *end;

	for (;;) {
		while (ids->next <= ids->last) {
			job_record_t *job_ptr = find_job_record(ids->next++);

			if (job_ptr && (job_ptr->het_job_id == ids->het_job_id))
				return job_ptr;
		}
		if (!ids->rest)
			return NULL;
		ids->next = ids->last = strtoul(ids->rest, &end, 10);
		if (*end == '-')
			ids->last = strtoul(end + 1, &end, 10);
		ids->rest = (*end == ',') ? end + 1 : NULL;
	}
}

extern job_record_t *het_leader(job_record_t *job_ptr)
{
	job_record_t *leader = job_ptr->het_job_id ?
		find_job_record(job_ptr->het_job_id) : NULL;

	return leader && leader->het_job_list ? leader : job_ptr;
}

/* ---- one job ---- */

extern int64_t job_waiting_tasks(job_record_t *job_ptr)
{
	/* Not by array_task_id: Slurm sets that of the waiting array, too,
	 * while it tries the next task. */
	if (job_ptr->array_recs && IS_JOB_PENDING(job_ptr))
		return MAX(job_ptr->array_recs->task_cnt, 1);
	return 1;
}

/* A task has a record of its own from its start on, also when it was requeued and
 * waits again. The limit, and how many run, are in the record of the array. */
static const job_array_struct_t *_array_of(const job_record_t *job_ptr)
{
	const job_record_t *array_ptr;

	if (job_ptr->array_recs || !job_ptr->array_job_id)
		return job_ptr->array_recs;
	array_ptr = find_job_record(job_ptr->array_job_id);
	return array_ptr ? array_ptr->array_recs : NULL;
}

/* As job_array_start_test() of slurmctld judges. It does so before it asks us: a
 * job that is in line all the same would keep its quota from others. */
extern int64_t job_max_starts(job_record_t *job_ptr)
{
	const job_array_struct_t *array = _array_of(job_ptr);

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

extern bool job_names_several(const job_record_t *job_ptr)
{
	return job_ptr->part_ptr_list && (list_count(job_ptr->part_ptr_list) > 1);
}

/* As _part_access_check() of slurmctld compares. Backfill may start the job with its
 * least time. */
static bool _exceeds_time(const job_record_t *job_ptr, const part_record_t *part_ptr)
{
	uint32_t minutes = job_ptr->time_min ? job_ptr->time_min :
		job_ptr->time_limit;

	return (minutes != NO_VAL) && (minutes > part_ptr->max_time);
}

static bool _exceeds_nodes(const compat_details_t *details, const part_record_t *part_ptr)
{
	uint32_t max_nodes = details->max_nodes;

	return (details->min_nodes > part_ptr->total_nodes) ||
		(details->min_nodes < part_ptr->min_nodes) ||
		(max_nodes && (max_nodes != NO_VAL) && (max_nodes > part_ptr->max_nodes));
}

/* The figures alone do not tell: a QOS may be exempt from the limit. The reason alone
 * does not, either: it may be of another partition, or of an earlier limit. */
extern bool job_is_refused_by(const job_record_t *job_ptr, const part_record_t *part_ptr)
{
	if (!part_ptr || compat_names_several_qos(job_ptr))
		return false;
	if (job_ptr->state_reason == WAIT_PART_TIME_LIMIT)
		return _exceeds_time(job_ptr, part_ptr);
	return (job_ptr->state_reason == WAIT_PART_NODE_LIMIT) &&
		_exceeds_nodes(job_ptr->details, part_ptr);
}

/* Does one of its partitions start jobs? */
static bool _takes_jobs(job_record_t *job_ptr)
{
	if (job_ptr->part_ptr_list && list_count(job_ptr->part_ptr_list))
		return list_find_first(job_ptr->part_ptr_list, _is_schedulable, NULL) != NULL;
	return !job_ptr->part_ptr || _is_schedulable(job_ptr->part_ptr, NULL);
}

/* As job_test_resv_now() of slurmctld judges one that has not begun; the function
 * itself may log, and take locks. Of several, resv_ptr is the one tried last. */
static bool _awaits_reservation(const job_record_t *job_ptr, time_t now)
{
	const slurmctld_resv_t *resv_ptr = job_ptr->resv_ptr;

	return (job_ptr->state_reason == WAIT_RESERVATION) &&
		job_ptr->resv_name && resv_ptr && !job_ptr->resv_list &&
		!(job_ptr->bit_flags & JOB_MAGNETIC) &&
		!(resv_ptr->flags & RESERVE_FLAG_FLEX) &&
		(now < resv_ptr->start_time);
}

static int _has_qos(void *x, void *arg UNUSED)
{
	return ((part_record_t *) x)->qos_ptr != NULL;
}

/* Slurm's reason is of the last partition and QOS by which the job was tried. And it tries
 * no component while one before it is refused: only limits are asked anew (job_test/tries.c). */
extern bool job_is_kept_out(const job_record_t *job_ptr)
{
	if (compat_names_several_qos(job_ptr))
		return false;
	switch (compat_wait_kind(job_ptr->state_reason)) {
	case WAIT_IS_REFUSED:
		return !job_ptr->het_job_id;
	case WAIT_IS_REFUSED_THERE:
		return !job_ptr->het_job_id && !job_names_several(job_ptr);
	case WAIT_IS_LIMITED:
		return !job_names_several(job_ptr) ||
			!list_find_first(job_ptr->part_ptr_list, _has_qos, NULL);
	default:
		return false;
	}
}

/* It was its turn, and licenses were in use. One that waits for quota of licenses stays in
 * line. */
static bool _awaits_licenses(job_record_t *job_ptr)
{
	return (job_ptr->state_reason == WAIT_LICENSES) && compat_licenses_hold(job_ptr);
}

/* slurmctld asks for no nodes for such a job, or does so in vain, and says why each time
 * that it builds its queue or tries the job. What the plan would have for it would be
 * lost for all others. */
static bool _is_refused(job_record_t *job_ptr, time_t now)
{
	if (job_is_kept_out(job_ptr) || _awaits_reservation(job_ptr, now) ||
	    _awaits_licenses(job_ptr))
		return true;
	return !job_names_several(job_ptr) &&
		job_is_refused_by(job_ptr, job_ptr->part_ptr);
}

static bool _is_put_off(const job_record_t *job_ptr, const compat_details_t *details, time_t now)
{
	return !job_ptr->priority || (details->begin_time > now) ||
		(details->depend_list && list_count(details->depend_list));
}

/* Is it in line, unless slurmctld refuses it? */
static bool _is_due(job_record_t *job_ptr, time_t now)
{
	const compat_details_t *details = job_ptr->details;

	if (!IS_JOB_PENDING(job_ptr) || IS_JOB_COMPLETING(job_ptr) || !details)
		return false;
	return !_is_put_off(job_ptr, details, now) && _takes_jobs(job_ptr) &&
		(job_max_starts(job_ptr) >= 0);
}

/* A component that has ended comes to no start any more, and slurmctld starts no other
 * one without it: so it is with the rest of a job of which it has requeued the leader
 * alone, when that lost its node. */
static bool _is_out_of_line(job_record_t *job_ptr, time_t now)
{
	if (!IS_JOB_PENDING(job_ptr))
		return job_is_over(job_ptr);
	return !_is_due(job_ptr, now) || _is_refused(job_ptr, now);
}

/* Of a heterogeneous job all waiting components are in line, or none. */
extern bool job_is_in_line(job_record_t *job_ptr, time_t now, bool asked)
{
	if (!_is_due(job_ptr, now) || (!asked && _is_refused(job_ptr, now)))
		return false;
	for_each_het_record(c, job_ptr) {
		if ((c != job_ptr) && _is_out_of_line(c, now))
			return false;
	}
	return true;
}

extern bool job_is_kept_back(job_record_t *job_ptr, time_t now)
{
	if (!_is_due(job_ptr, now) || job_is_in_line(job_ptr, now, false))
		return false;
	for_each_het_record(c, job_ptr) {
		if (IS_JOB_PENDING(c) && !_is_due(c, now))
			return false;
	}
	return true;
}

extern bool job_leaves_nodes(job_record_t *job_ptr)
{
	return IS_JOB_COMPLETING(job_ptr) && job_ptr->details &&
		job_ptr->node_bitmap && job_ptr->job_resrcs;
}

extern bool job_is_over(const job_record_t *job_ptr)
{
	return IS_JOB_FINISHED(job_ptr) && !IS_JOB_COMPLETING(job_ptr);
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

extern time_t job_ran_for(const job_record_t *job_ptr, time_t now)
{
	return now - job_ptr->start_time - job_suspended_for(job_ptr, now);
}

extern time_t job_would_lose(const job_record_t *job_ptr, time_t now)
{
	struct checkpoint c = checkpoint_of(job_ptr->comment);

	return checkpoint_lost(&c, job_ptr->start_time, now, job_ran_for(job_ptr, now));
}
