/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  clock.h - clocks, for lengths of time
\*****************************************************************************/
#ifndef COHORT_SLURM_CLOCK_H
#define COHORT_SLURM_CLOCK_H

#include "state/state.h"

/* Nanoseconds by one of the system's clocks, e.g. CLOCK_MONOTONIC */
static inline int64_t clock_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return ns_of(t.tv_sec) + t.tv_nsec;
}

/* Microseconds of a clock that is never set back */
static inline uint64_t clock_usec(void)
{
	return (uint64_t) clock_ns(CLOCK_MONOTONIC) / 1000;
}

#endif /* COHORT_SLURM_CLOCK_H */
