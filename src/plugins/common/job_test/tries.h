/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  tries.h - may other jobs be evicted in this try of a job?
\*****************************************************************************/
#ifndef COHORT_JOB_TEST_TRIES_H
#define COHORT_JOB_TEST_TRIES_H

#include "placement/place.h"

/* Does Slurm try only what the job would like best? What it could do with is tried next. */
extern bool try_is_for_wish(const job_record_t *job_ptr);
/* Is the job just being submitted? The scheduler looks at it next. */
extern bool try_is_of_new_job(const struct place *p);
/* Set p->may_evict. True: no job may be evicted in this try, but in another pass. */
extern bool try_puts_eviction_off(struct place *p);

#endif /* COHORT_JOB_TEST_TRIES_H */
