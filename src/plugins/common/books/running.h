/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.h - jobs that run: starts, ends, and the terms of their eviction
\*****************************************************************************/
#ifndef COHORT_BOOKS_RUNNING_H
#define COHORT_BOOKS_RUNNING_H

#include "state/job.h"

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
/* The job has ended, and its nodes are not free yet. */
extern bool running_is_leaving(const struct job *job);
/* Its end goes on: some of its nodes may be free now. */
extern void running_sync_leaving(struct job *job);
/* Its nodes are free. */
extern void running_release(struct job *job);

/* ---- slurmctld tells ---- */

/* A job holds resources from now on, or no longer; or has another size. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);

#endif /* COHORT_BOOKS_RUNNING_H */
