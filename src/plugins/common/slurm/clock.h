/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  clock.h - clocks, for lengths of time
\*****************************************************************************/
#ifndef COHORT_SLURM_CLOCK_H
#define COHORT_SLURM_CLOCK_H

#include "compat/slurm_compat.h"

/* Nanoseconds by one of the system's clocks, e.g. CLOCK_MONOTONIC */
extern int64_t clock_ns(clockid_t which);
/* Microseconds of a clock that is never set back */
extern uint64_t clock_usec(void);

#endif /* COHORT_SLURM_CLOCK_H */
