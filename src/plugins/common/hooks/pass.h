/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  pass.h - a scheduling pass: plan, marks, order
\*****************************************************************************/
#ifndef COHORT_HOOKS_PASS_H
#define COHORT_HOOKS_PASS_H

#include "compat/slurm_compat.h"

/* Start a pass if slurmctld has started one: scan, plan, mark. */
extern void pass_begin_if_due(void);
/* The plan is out of date in any case (configuration changed). */
extern void pass_reset(void);
/* Have the scheduler make another pass, and take it for one: without a sentinel
 * what comes soon after a pass counts as a part of it, and so would ask for yet
 * another one, and so on. */
extern void pass_request_another(void);
/* How many passes the scheduler has made that sorted a queue */
extern uint64_t pass_number(void);
/* Which pass this is: another number once another one has begun */
extern uint64_t pass_begun(void);
/* Bring plan, marks and texts up to date between passes; has the scheduler run
 * if somebody may start now who could not before. */
extern void pass_refresh(void);

#endif /* COHORT_HOOKS_PASS_H */
