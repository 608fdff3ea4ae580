/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  sentinel.h - the flag by which the start of a pass is seen
\*****************************************************************************/
#ifndef COHORT_SLURM_SENTINEL_H
#define COHORT_SLURM_SENTINEL_H

#include "compat/slurm_compat.h"

/* After all marks are set: choose the job whose flag shows the next pass. It is
 * the first job for which f says that its flag may be set. */
extern void sentinel_choose(bool (*f)(const job_record_t *job_ptr));
/* A job that starts can be the sentinel if there was none. */
extern void sentinel_offer(job_record_t *job_ptr);

struct sentinel {
	uint32_t job_id;		/* 0: none */
	uint64_t no_pass_before;	/* no sentinel: usec, by the clock */
};
extern struct sentinel sentinel;	/* only for: */
extern bool sentinel_is_expired(void);

/* Has slurmctld cleared the flag? Asked for each comparison of a sort */
static inline bool sentinel_is_cleared(void)
{
	job_record_t *job_ptr;

	if (!sentinel.job_id)
		return sentinel_is_expired();
	job_ptr = find_job_record(sentinel.job_id);
	return !job_ptr || !job_ptr->preempt_in_progress;
}

/* If there is no sentinel, what comes next counts as another pass. */
extern void sentinel_expire(void);

#endif /* COHORT_SLURM_SENTINEL_H */
