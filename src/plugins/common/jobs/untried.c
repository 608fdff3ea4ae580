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

/* A job in slurmctld's queue is tried in each pass that comes to it. Passes begin with
 * the first job of the queue. They end after so many jobs, or when they have taken too
 * long, whatever default_queue_depth says: where many are to be tried, it takes more
 * intervals until those that start have made way for the others. Passes that found no
 * queue count, too: it is the time that is to last. */
#define PASSES 3
#define INTERVALS 2
#define DEPTH 100		/* default_queue_depth, and no more than that */
#define SECONDS 10		/* at least */

static bool any_was;		/* some job, since slurmctld was started: it is rare */

extern bool untried_any_was(void)
{
	return any_was;
}

static time_t _parameter(const char *key, time_t unset)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, key);

	return set ? atol(set + strlen(key)) : unset;
}

extern time_t untried_patience(size_t startable, size_t waiting)
{
	time_t sched = _parameter("sched_interval=", 60);
	time_t pause = _parameter("bf_interval=", 30);
	time_t backfill = pause + _parameter("bf_max_time=", pause);
	time_t longest = MAX(sched, backfill);
	time_t set = _parameter("default_queue_depth=", DEPTH);
	time_t depth = MIN(MAX(set, 1), DEPTH);
	size_t queued = slurmctld_diag_stats.schedule_queue_len;
	size_t tried = queued > waiting ? queued - waiting : 0;
	time_t rounds = 1 + (time_t) MAX(startable, tried) / depth;

	return MAX(INTERVALS * longest * rounds, SECONDS);
}

/* A text of ours may be left from before a restart. */
static void _begin_watch(struct job *job)
{
	if (!offer_of(job)->tries.watched_since)
		shown_clear_untried(job->job_ptr);
}

extern bool untried_watch(struct job *job, time_t patience, time_t now)
{
	struct tries *tries = &job_get_offer(job)->tries;
	time_t tried_at = job->job_ptr->last_sched_eval;

	if (!tries->watched_since || (now < tries->watched_since) ||
	    (tries->tried_at != tried_at)) {
		_begin_watch(job);
		*tries = (struct tries) {
			.watched_since = now,
			.watched_from = pass_begun(),
			.tried_at = tried_at,
		};
		return false;
	}
	if (tries->missing || (now - tries->watched_since < patience) ||
	    (pass_begun() - tries->watched_from < PASSES))
		return false;
	tries->missing = any_was = true;
	return true;
}

extern void untried_end(struct job *job)
{
	job_record_t *job_ptr = offer_of(job)->tries.missing ?
		find_job_record(job->job_id) : NULL;

	if (job_ptr && IS_JOB_PENDING(job_ptr))
		shown_clear_untried(job_ptr);
	if (job_offer(job)) {
		job_offer(job)->tries.missing = false;
		job_offer(job)->tries.watched_since = 0;
	}
}

extern bool untried_is(const struct job *job, const job_record_t *job_ptr)
{
	const struct tries *tries = &offer_of(job)->tries;

	return tries->missing && IS_JOB_PENDING(job_ptr) &&
		(tries->tried_at == job_ptr->last_sched_eval);
}

extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line)
{
	if (!job_offer(job))
		return;
	/* when it is in line again, it is not missing at once */
	if (!in_line)
		job_offer(job)->tries.watched_since = 0;
	if (!job_offer(job)->tries.missing)
		return;
	if (in_line && untried_is(job, job_ptr))
		shown_put_untried(job_ptr);
	else
		untried_end(job);
}
