/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  clock.c - clocks, for lengths of time
\*****************************************************************************/
#include "slurm/clock.h"

#include "state/state.h"

extern int64_t clock_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return ns_of(t.tv_sec) + t.tv_nsec;
}

extern uint64_t clock_usec(void)
{
	return (uint64_t) clock_ns(CLOCK_MONOTONIC) / 1000;
}
