/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.h - jobs that run: starts, ends, and the terms of their eviction
\*****************************************************************************/
#ifndef COHORT_BOOKS_RUNNING_H
#define COHORT_BOOKS_RUNNING_H

#include "state/job.h"

/* ---- running.c ---- */

/* The job has its nodes. selected: as charge_job() */
extern void running_book(struct job *job, bool selected);
/* The job runs, and something of it may have changed. */
extern void running_sync(struct job *job);
/* The same. True if the terms on which the job may be evicted are others now */
extern bool running_sync_terms(struct job *job);
/* The books go: which runs are settled is noted. */
extern void running_note_settled(void);
/* The books have all that runs: those runs are settled again, as far as quota covers them. */
extern void running_keep_settled(void);
/* Does the job run, and is there no rule or event by which each walk has to sync it? */
extern bool running_is_plain(const struct job *job, const job_record_t *job_ptr);

/* The job has started in the present pass, which may not evict it. */
extern void exempt_started(struct job *job);
/* Is a job exempt because it has started in the present pass, or after it? */
extern bool exempt_any_started(void);
/* A scheduler tries a job: the pass goes on. */
extern void exempt_renew_started(void);
/* The pass is over. */
extern void exempt_forget_started(void);
/* A job is tried as it is submitted: the main scheduler's pass is over. */
extern void exempt_note_submission(void);

/* ---- starts.c: slurmctld tells ---- */

/* A job holds resources from now on, or no longer; or has another size. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);

/* The job has ended, and its nodes are not free yet. */
extern bool ending_is(const struct job *job);
/* Its end goes on, or is found to have begun: some of its nodes may be free now. */
extern void ending_sync(struct job *job);
/* Its nodes are free. */
extern void ending_over(struct job *job);
/* A walk begins, which looks at all jobs whose end goes on. */
extern void ending_await_none(void);
/* Calls look() with the id of each job whose end went on at the last look: its record may be
 * gone. */
extern void ending_look(void (*look)(uint32_t job_id));

#endif /* COHORT_BOOKS_RUNNING_H */
