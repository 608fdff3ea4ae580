/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tally.c - starts and evictions are counted, and evictions told
\*****************************************************************************/
#include "tally/tally.h"

#include "match/job_standing.h"
#include "events/events.h"
#include "record/count.h"
#include "record/event.h"
#include "jobs/jobs.h"
#include "query.h"

/* How long the job stood in line before it started */
static time_t _waited(const job_record_t *job_ptr)
{
	return job_ptr->start_time - MAX(job_ptr->details->submit_time,
					 job_ptr->details->begin_time);
}

/* With all that is charged, does its queue stay within nominal quota? */
static bool _is_within_nominal(const struct workload *w)
{
	const struct charge *charges;
	size_t n;

	charges = workload_charges(w, &n);
	for (size_t i = 0; i < n; i++) {
		if (engine_borrows(ctld.engine, workload_queue(w), charges[i].flavor,
				   charges[i].resource))
			return false;
	}
	return true;
}

extern void tally_start(const struct job *job)
{
	count_admission(workload_queue(job->first.work), _waited(job->job_ptr),
			_is_within_nominal(job->first.work));
}

/* The queue of the job for which it was evicted, if that is still known */
static int _evicted_by(const struct job *job)
{
	const struct job *by = jobs_find(run_of(job)->noted_by);
	const struct entry *owner = by ? job_owner(by) : NULL;

	return owner ? owner->queue : by ? by->first.queue : SPEC_NONE;
}

extern void tally_eviction(struct job *job)
{
	time_t now = time(NULL), lost = job_would_lose(job->job_ptr, now);
	struct json_object *event = event_ended(job, job_ran_for(job->job_ptr, now), lost);
	int queue = workload_queue(job->first.work);
	const struct charge *charges;
	size_t n;

	if (run_of(job)->told) {
		json_object_put(event);
		return;
	}
	job_get_run(job)->told = true;
	count_eviction(queue, _evicted_by(job), run_of(job)->noted_for);
	charges = workload_charges(job->first.work, &n);
	for (size_t i = 0; job_runs(job) && (i < n); i++)
		count_loss(queue, &charges[i], lost);
	if (event)
		events_put(event);
}
