/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  passes.h - passes of slurmctld's scheduler, by number
\*****************************************************************************/
#ifndef COHORT_SLURM_PASSES_H
#define COHORT_SLURM_PASSES_H

#include "compat/slurm_compat.h"

/* How many passes the scheduler has made that sorted a queue */
extern uint64_t pass_number(void);
/* Which pass this is: another number once another one has begun, whether it
 * sorts a queue or not; never 0 */
extern uint64_t pass_begun(void);
/* One has begun; its queue is sorted. */
extern void pass_count_begun(void);
extern void pass_count_sorted(void);
/* Have the scheduler make another pass, and take it for one: without a sentinel
 * what comes soon after a pass counts as a part of it, and so would ask for yet
 * another one, and so on. */
extern void pass_request_another(void);

#endif /* COHORT_SLURM_PASSES_H */
