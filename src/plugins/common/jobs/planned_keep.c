/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  planned_keep.c - nodes that are planned, and jobs that are not
\*****************************************************************************/
#include "jobs/planned.h"

#include "state/job.h"
#include "match/job_standing.h"
#include "jobs/planned_list.h"
#include "query.h"

/* Backfill forgets its plans as its cycle begins, and makes them anew when it
 * comes to the job. */
static bool _holds(const struct planned *one, const struct job *job, time_t now)
{
	return one->nodes && !planned_is_late(job, now) &&
		(job->job_ptr->sched_nodes || !one->reached ||
		 !job->marked);
}

static bool _is_done_by(const job_record_t *job_ptr, time_t from, time_t at)
{
	int64_t longest = job_longest_run(job_ptr);

	return (longest != INT64_MAX) && (longest <= at - from);
}

/* A job that was promised what others leave goes there, and so does a job that
 * makes them leave. */
static bool _goes_anyway(const struct entry *entry)
{
	return entry->cleared || entry->own_until ||
		(engine_verdict_kind(ctld.engine, entry->work) ==
		 VERDICT_PREEMPT);
}

/* Components start together: none is kept from what was planned for another one. */
static bool _starts_with(const struct planned *one, const struct job *job)
{
	return !job->marked && (one->unit == job->job_ptr->het_job_id);
}

/* Only backfill starts these, one component after the other, and jobs that it looks at
 * between them would take their nodes in its plan. */
static bool _is_starting_component(const struct job *job)
{
	return job->job_ptr->het_job_id && !job->marked;
}

static bool _goes_before(const struct planned *one, const struct job *job,
			 const struct job *other)
{
	return job && (job != other) && !_starts_with(one, other) &&
		planned_goes_before(job->job_ptr, one->tier, other->job_ptr,
				    planned_tier(other->job_ptr));
}

static void _leave_out(const struct planned *one, bitstr_t *nodes)
{
	if (bit_size(one->nodes) == bit_size(nodes))
		bit_and_not(nodes, one->nodes);
}

extern void planned_keep_out(const struct entry *entry, bitstr_t *nodes,
			     time_t from)
{
	const job_record_t *job_ptr = entry->job->job_ptr;
	time_t now = time(NULL);

	if (!planned_list.n || !job_ptr->details || _goes_anyway(entry))
		return;
	for (size_t i = 0; i < planned_list.n; i++) {
		const struct planned *one = &planned_list.all[i];
		struct job *job = planned_waiting(one);

		if (_goes_before(one, job, entry->job) &&
		    _holds(one, job, now) &&
		    !_is_done_by(job_ptr, from, one->start))
			_leave_out(one, nodes);
	}
}

extern void planned_keep_out_of_starting(const struct entry *entry,
					 bitstr_t *nodes)
{
	time_t now = time(NULL);

	if (!planned_list.n || !entry->job->job_ptr->details ||
	    _goes_anyway(entry))
		return;
	for (size_t i = 0; i < planned_list.n; i++) {
		const struct planned *one = &planned_list.all[i];
		struct job *job = planned_waiting(one);

		if (_goes_before(one, job, entry->job) &&
		    _is_starting_component(job) && _holds(one, job, now))
			_leave_out(one, nodes);
	}
}
