/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.h - jobs that run: their charges, and the terms of their eviction
\*****************************************************************************/
#ifndef COHORT_BOOKS_RUNNING_H
#define COHORT_BOOKS_RUNNING_H

#include "state/job.h"

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

#endif /* COHORT_BOOKS_RUNNING_H */
