/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  untried.c - jobs that may start by the plan, and that slurmctld does not try
 *
 *  slurmctld leaves some jobs out of its queue: the partition does not take the
 *  account, the account or QOS was deleted, a burst buffer has failed, and so on.
 *  For some of its reasons match/job_standing.c knows how it judges. This file is
 *  for all others, known or not: the time of the last try tells. The plan lets the
 *  job start, others wait for that, and slurmctld has built its queue several times
 *  without a try: then the job is out of line until slurmctld tries it. That costs
 *  the job nothing, as a try puts it back in line before it is judged.
\*****************************************************************************/
#include "jobs/untried.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "record/shown.h"

/* A job in slurmctld's queue is tried in each pass that comes to it. Most passes end
 * after so many jobs, and others when they have taken too long: where many may start,
 * it takes more intervals until each of them has had its turn. */
#define PASSES 3
#define INTERVALS 2
#define DEPTH 100		/* default_queue_depth */
#define SECONDS 10		/* at least */

static time_t _parameter(const char *key, time_t unset)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, key);

	return set ? atol(set + strlen(key)) : unset;
}

static time_t _patience(size_t startable)
{
	time_t longest = MAX(_parameter("sched_interval=", 60),
			     _parameter("bf_interval=", 30));
	time_t depth = MAX(_parameter("default_queue_depth=", DEPTH), 1);
	time_t rounds = 1 + (time_t) startable / depth;

	return MAX(INTERVALS * longest * rounds, SECONDS);
}

extern bool untried_watch(struct job *job, size_t startable, time_t now)
{
	struct tries *tries = &job->tries;
	time_t tried_at = job->job_ptr->last_sched_eval;

	if (!tries->watched_since || (now < tries->watched_since) ||
	    (tries->tried_at != tried_at)) {
		*tries = (struct tries) {
			.watched_since = now,
			.watched_from = pass_begun(),
			.tried_at = tried_at,
		};
		return false;
	}
	if (tries->missing || (now - tries->watched_since < _patience(startable)) ||
	    (pass_begun() - tries->watched_from < PASSES))
		return false;
	tries->missing = true;
	return true;
}

extern void untried_end(struct job *job)
{
	job_record_t *job_ptr = job->tries.missing ?
		find_job_record(job->job_id) : NULL;

	if (job_ptr && IS_JOB_PENDING(job_ptr))
		shown_clear_untried(job_ptr);
	job->tries.missing = false;
	job->tries.watched_since = 0;
}

extern bool untried_is(const struct job *job, const job_record_t *job_ptr)
{
	return job->tries.missing && IS_JOB_PENDING(job_ptr) &&
		(job->tries.tried_at == job_ptr->last_sched_eval);
}

extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line)
{
	if (!job->tries.missing)
		return;
	if (in_line && untried_is(job, job_ptr))
		shown_put_untried(job_ptr);
	else
		untried_end(job);
}
