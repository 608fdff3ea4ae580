/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  jobs.h - our record of each job, by job id
\*****************************************************************************/
#ifndef COHORT_JOBS_JOBS_H
#define COHORT_JOBS_JOBS_H

#include "state/job.h"

extern struct job *jobs_find(uint32_t job_id);
extern struct job *jobs_get(job_record_t *job_ptr);	/* added if new */
/* Its record, if slurmctld still has it: job_ptr is as of the last walk. */
extern job_record_t *jobs_record(const struct job *job);
extern void jobs_drop(struct job *job);
/* Add another entry beside the first one, and remove such an entry */
extern struct entry *jobs_add_entry(struct job *job);
extern void jobs_drop_entry(struct entry *entry);

extern void jobs_clear(void);		/* forget all jobs, also what they store */
/* The job is no longer one that waits. */
extern void jobs_unmark(struct job *job);
/* The job runs, and does not share its nodes with others; or no longer */
extern void jobs_set_alone(struct job *job, bool alone);
/* The job owns freed quota until then; 0: no longer */
extern void jobs_set_own(struct entry *entry, time_t until);
/* Is the queue of the job, which runs, over its nominal quota of what the job uses? */
extern bool job_queue_borrows(const struct job *job);
extern void jobs_unbook(void);		/* the engine is gone: jobs have no workloads */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg);

#endif /* COHORT_JOBS_JOBS_H */
