/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  passes.h - passes of slurmctld's scheduler, by number
\*****************************************************************************/
#ifndef COHORT_SLURM_PASSES_H
#define COHORT_SLURM_PASSES_H

#include "compat/slurm_compat.h"

/* How many passes of the scheduler so far have sorted a queue */
extern uint64_t pass_number(void);
/* The number of this pass: it changes when another pass has begun, whether that
 * sorts a queue or not; never 0 */
extern uint64_t pass_begun(void);
/* A pass has begun; its queue is sorted. */
extern void pass_count_begun(void);
extern void pass_count_sorted(void);
/* Ask for another pass of the scheduler, and count it as begun. Without a
 * sentinel, what comes soon after a pass counts as a part of that pass, and
 * would ask for another pass again, and so on. */
extern void pass_request_another(void);

#endif /* COHORT_SLURM_PASSES_H */
