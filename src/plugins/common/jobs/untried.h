/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  untried.h - jobs that may start by the plan, and that slurmctld does not try
\*****************************************************************************/
#ifndef COHORT_JOBS_UNTRIED_H
#define COHORT_JOBS_UNTRIED_H

#include "state/job.h"

/* For how many seconds a job that slurmctld tries may be without a try. startable:
 * about how many of ours may start; waiting: how many have to wait, which slurmctld
 * walks past. What others have in its queue counts, too. */
extern time_t untried_patience(size_t startable, size_t waiting);
/* Call it in each pass as long as the job may start. True, once, if so many passes
 * and so much time went by without a try that nobody should wait for the job. */
extern bool untried_watch(struct job *job, time_t patience, time_t now);
/* False: untried_watch() has nothing to note, and is false. */
static inline bool untried_is_to_be_watched(const struct job *job, time_t patience, time_t now)
{
	const struct tries *tries = job_offer(job) ? &job_offer(job)->tries : NULL;

	return !tries || !tries->watched_since || (now < tries->watched_since) ||
		(tries->tried_at != job->job_ptr->last_sched_eval) ||
		(now - tries->watched_since >= patience);
}
/* The plan does not let it start any more, or slurmctld tries it. */
extern void untried_end(struct job *job);
/* The job would be in line: is it still one that slurmctld does not try? Its text is
 * brought up to date. */
extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line);
/* Was any job ever one of these? If not, none has to be asked for. */
extern bool untried_any_was(void);
/* Is the job still out of line because slurmctld does not try it? */
extern bool untried_is(const struct job *job, const job_record_t *job_ptr);

#endif /* COHORT_JOBS_UNTRIED_H */
