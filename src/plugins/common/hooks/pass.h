/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.h - a scheduling pass: plan, marks, order
\*****************************************************************************/
#ifndef COHORT_HOOKS_PASS_H
#define COHORT_HOOKS_PASS_H

#include <stdbool.h>

/* Start a pass if slurmctld has started one: scan, plan, mark. */
extern void pass_begin_if_due(void);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* Bring plan, marks and texts up to date between passes; asks for a run of the
 * scheduler if a job may start now that could not before. */
extern void pass_refresh(void);

/* Has the scheduler sorted by our comparison since slurm.conf was read? */
extern bool pass_sorts_by_us(void);

#endif /* COHORT_HOOKS_PASS_H */
