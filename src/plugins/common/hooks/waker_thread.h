/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker_thread.h - the thread that wakes the scheduler
\*****************************************************************************/
#ifndef COHORT_HOOKS_WAKER_THREAD_H
#define COHORT_HOOKS_WAKER_THREAD_H

/* Start the thread. One call is enough. Its work is requested in
 * slurm/waker.h. */
extern void waker_thread_start(void);

#endif /* COHORT_HOOKS_WAKER_THREAD_H */
