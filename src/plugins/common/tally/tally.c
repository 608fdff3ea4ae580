/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tally.c - starts and evictions are counted
\*****************************************************************************/
#include "tally/tally.h"

#include "record/count.h"
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
	struct ledger l;
	size_t n;

	charges = workload_charges(w, &n);
	for (size_t i = 0; i < n; i++) {
		if (!engine_ledger(ctld.engine, false, workload_queue(w),
				   charges[i].flavor, charges[i].resource, &l) &&
		    l.borrowed)
			return false;
	}
	return true;
}

extern void tally_start(const struct job *job)
{
	int queue = workload_queue(job->first.work);
	time_t waited = _waited(job->job_ptr);

	count_admission(queue, waited);
	if (_is_within_nominal(job->first.work))
		count_delay(queue, waited);
}

/* The queue of the job for which it was evicted, if that is still known */
static int _evicted_by(const struct job *job)
{
	const struct job *by = jobs_find(job->noted_by);

	if (!by)
		return SPEC_NONE;
	for_each_entry(e, by) {
		if (e->work && workload_owns(e->work))
			return e->queue;
	}
	return by->first.queue;
}

/* Without the time in which it was suspended; slurmctld adds that up when the job
 * goes on. */
static time_t _ran(const job_record_t *job_ptr)
{
	time_t now = time(NULL), paused = job_ptr->tot_sus_time;

	if (IS_JOB_SUSPENDED(job_ptr) && job_ptr->suspend_time)
		paused += MAX(now - job_ptr->suspend_time, 0);
	return now - job_ptr->start_time - paused;
}

extern void tally_eviction(const struct job *job)
{
	int queue = workload_queue(job->first.work);
	const struct charge *charges;
	size_t n;

	count_eviction(queue, _evicted_by(job), job->noted_for);
	charges = workload_charges(job->first.work, &n);
	for (size_t i = 0; job_runs(job) && (i < n); i++)
		count_loss(queue, &charges[i], _ran(job->job_ptr));
}
