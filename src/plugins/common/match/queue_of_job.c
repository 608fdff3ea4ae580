/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.c - which queue a job is of, with which priority, and whether it is in
 *  line at all
\*****************************************************************************/
#include "match/queue_of_job.h"

#include "state/job.h"
#include "books/het.h"

#include "lib/numbering.h"

/* A number for each account (or user) of a queue that somebody uses */
static struct numbering local_queues;

extern part_record_t *partition_of_job(job_record_t *job_ptr)
{
	/* part_ptr moves along the list while Slurm tries one after another */
	if (IS_JOB_PENDING(job_ptr) && job_ptr->part_ptr_list && list_count(job_ptr->part_ptr_list))
		return list_peek(job_ptr->part_ptr_list);
	return job_ptr->part_ptr;
}

extern compat_list_t partitions_by_name(const job_record_t *job_ptr)
{
	compat_list_t partitions = list_create(NULL);
	char *names = xstrdup(job_ptr->partition), *rest = NULL;
	part_record_t *part_ptr;

	for (char *name = strtok_r(names, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if ((part_ptr = find_part_record(name)))
			list_append(partitions, part_ptr);
	}
	xfree(names);
	list_sort(partitions, priority_sort_part_tier);
	return partitions;
}

/* No look-up of names here: it could block, under slurmctld's locks. */
static const char *_user(job_record_t *job_ptr, char *number, size_t size)
{
	if (job_ptr->assoc_ptr && job_ptr->assoc_ptr->user)
		return job_ptr->assoc_ptr->user;
	if (job_ptr->user_name)
		return job_ptr->user_name;
	snprintf(number, size, "%u", job_ptr->user_id);
	return number;
}

extern int queue_of_job(job_record_t *job_ptr, part_record_t *part_ptr)
{
	char number[16];

	return conf_match_queue(ctld.conf, part_ptr ? part_ptr->name : NULL,
				job_ptr->qos_ptr ? job_ptr->qos_ptr->name : NULL,
				job_ptr->account,
				_user(job_ptr, number, sizeof(number)));
}

extern int local_queue_take(struct job *entry, int queue)
{
	job_record_t *job_ptr = entry->job_ptr;
	const char *name = job_ptr->account;
	char *key = NULL, number[16];
	int before = entry->local_queue;

	if (ctld.conf->local_queue == CONF_LOCAL_USER)
		name = _user(job_ptr, number, sizeof(number));
	xstrfmtcat(key, "%d/%s", queue, name ? name : "");
	if (!(entry->local_queue = numbering_take(&local_queues, key)))
		error(PREFIX "%pJ: %m", job_ptr);
	numbering_put(&local_queues, before);
	xfree(key);
	return entry->local_queue;
}

extern void local_queue_release(struct job *entry)
{
	numbering_put(&local_queues, entry->local_queue);
	entry->local_queue = 0;
}

extern size_t local_queue_count(void)
{
	return numbering_count(&local_queues);
}

extern int64_t priority_of_job(job_record_t *job_ptr, part_record_t *part_ptr)
{
	enum conf_priority source = ctld.conf->priority;

	if (source == CONF_PRIORITY_DEFAULT)
		source = job_ptr->qos_ptr ? CONF_PRIORITY_QOS :
			CONF_PRIORITY_PARTITION;
	switch (source) {
	case CONF_PRIORITY_QOS:
		return job_ptr->qos_ptr ? job_ptr->qos_ptr->priority : 0;
	case CONF_PRIORITY_JOB:
		return job_ptr->priority;
	default:
		return part_ptr ? part_ptr->priority_tier : 0;
	}
}

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

/* Of a heterogeneous job: all that wait, or none */
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

/* As deadline_ok() of slurmctld judges, which ends such a job */
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
