/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  untried.h - jobs that may start by the plan, and that slurmctld does not try
\*****************************************************************************/
#ifndef COHORT_JOBS_UNTRIED_H
#define COHORT_JOBS_UNTRIED_H

#include "state/job.h"

/* Call it in each pass as long as the job may start. True, once, if so many passes
 * and so much time went by without a try that nobody should wait for the job.
 * startable: about how many jobs may start */
extern bool untried_watch(struct job *job, size_t startable, time_t now);
/* The plan does not let it start any more, or slurmctld tries it. */
extern void untried_end(struct job *job);
/* The job would be in line: is it still one that slurmctld does not try? Its text is
 * brought up to date. */
extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line);
/* Is the job still out of line because slurmctld does not try it? */
extern bool untried_is(const struct job *job, const job_record_t *job_ptr);

#endif /* COHORT_JOBS_UNTRIED_H */
