/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker_thread.h - the thread that wakes the scheduler and writes
\*****************************************************************************/
#ifndef COHORT_HOOKS_WAKER_THREAD_H
#define COHORT_HOOKS_WAKER_THREAD_H

/* Once is enough. What it does is asked for in slurm/waker.h. */
extern void waker_thread_start(void);

#endif /* COHORT_HOOKS_WAKER_THREAD_H */
