/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  unmanaged.h - jobs outside all cluster queues preempt each other as before
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_UNMANAGED_H
#define COHORT_PLACEMENT_UNMANAGED_H

#include "state/state.h"

/* Follow unmanaged.preemption from now on. If the plugin can't be opened, that
 * is logged, and no unmanaged job is preempted. */
extern void unmanaged_init(enum conf_unmanaged which);
/* Is there a plugin to ask? */
static inline bool unmanaged_asks(void)
{
	return ctld.asks_slurms && ctld_works();
}

/* Are both jobs outside, and does Slurm's plugin let the one go for the other? Only while it
 * is asked at all: slurmctld wants to know this of each record, so the caller has looked. */
extern bool unmanaged_preemptable(job_record_t *preemptee, job_record_t *preemptor);
/* Are both jobs outside, and does Slurm's plugin put the first one first? */
extern bool unmanaged_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);
/* Has Slurm's plugin to be asked about the job? Then *value is what it says. */
extern bool unmanaged_get(job_record_t *job_ptr, slurm_preempt_data_type_t type, void *value);

#endif /* COHORT_PLACEMENT_UNMANAGED_H */
