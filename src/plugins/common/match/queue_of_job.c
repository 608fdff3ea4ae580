/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.c - which queue a job is of, and with which priority
\*****************************************************************************/
#include "match/queue_of_job.h"

#include "state/job.h"

#include "lib/numbering.h"

/* A number for each account (or user) of a queue that entries use */
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

extern int local_queue_take(struct entry *entry, int queue)
{
	job_record_t *job_ptr = entry->job->job_ptr;
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

extern void local_queue_release(struct entry *entry)
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
