/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.h - a scheduling pass: plan, marks, order
\*****************************************************************************/
#ifndef COHORT_HOOKS_PASS_H
#define COHORT_HOOKS_PASS_H

#include <stdbool.h>

#include "state/job.h"
#include "slurm/waker.h"

/* Start a pass if slurmctld has started one: walk, plan, mark. This job is tried: where
 * no job is ours, and it isn't either, that is left to a later look. */
extern void pass_begin_if_due(job_record_t *job_ptr);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* What is due between passes (slurm/waker.h): evictions by the clock, texts, plan and marks;
 * under the job lock */
extern void pass_follow(const struct waker_due *due);

/* Has the scheduler sorted by our comparison since slurm.conf was read? */
extern bool pass_sorts_by_us(void);

#endif /* COHORT_HOOKS_PASS_H */
