/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker.h - the thread that wakes the scheduler and writes
\*****************************************************************************/
#ifndef COHORT_HOOKS_WAKER_H
#define COHORT_HOOKS_WAKER_H

#include "compat/slurm_compat.h"

/* Starts all threads, if they are not there yet. */
extern void waker_start(void);
/* After this pass, put texts back. */
extern void waker_restore_reasons(void);
/* Have the scheduler run soon, or at a certain time at the latest. */
extern void waker_schedule(void);
extern void waker_at(time_t when);
extern void waker_at_ns(int64_t when);	/* 0: never mind */
/* How often the thread has had the job lock to put texts back. If that has
 * changed, who had the lock before has let go of it. */
extern uint32_t waker_turns(void);
/* The state file is to be written. */
extern void waker_save(void);

#endif /* COHORT_HOOKS_WAKER_H */
