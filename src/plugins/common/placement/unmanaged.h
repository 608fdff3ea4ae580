/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  unmanaged.h - jobs outside all cluster queues preempt each other as before
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_UNMANAGED_H
#define COHORT_PLACEMENT_UNMANAGED_H

#include "state/state.h"

/* As unmanaged.preemption has it from now on. What can't be had is logged, and
 * then nobody is preempted. */
extern void unmanaged_init(enum conf_unmanaged which);
/* Is there anybody to ask? */
extern bool unmanaged_asks(void);
/* Are both outside, and Slurm's plugin lets the one go for the other? */
extern bool unmanaged_preemptable(job_record_t *preemptee,
				  job_record_t *preemptor);
/* Are both outside, and Slurm's plugin has the first one go first? */
extern bool unmanaged_before(job_queue_rec_t *rec1, job_queue_rec_t *rec2);
/* Slurm's plugin, if that has to be asked about the job; or NULL */
extern struct compat_preempt_ops *unmanaged_ops(job_record_t *job_ptr);

#endif /* COHORT_PLACEMENT_UNMANAGED_H */
