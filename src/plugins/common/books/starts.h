/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  starts.h - starts and ends, as slurmctld tells of them
\*****************************************************************************/
#ifndef COHORT_BOOKS_STARTS_H
#define COHORT_BOOKS_STARTS_H

#include "state/job.h"

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

#endif /* COHORT_BOOKS_STARTS_H */
