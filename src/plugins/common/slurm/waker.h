/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker.h - what is wanted of the thread that wakes the scheduler
\*****************************************************************************/
#ifndef COHORT_SLURM_WAKER_H
#define COHORT_SLURM_WAKER_H

#include "compat/slurm_compat.h"

/* ---- requests ---- */

/* After this pass, put texts back. */
extern void waker_restore_reasons(void);
/* Bring plan, marks and texts up to date soon: the scheduler runs only if another job may
 * start by that. */
extern void waker_refresh(void);
/* The same 0.5 to 1.5 seconds later */
extern void waker_refresh_soon(void);
/* Have the scheduler run soon, or at a certain time at the latest. */
extern void waker_schedule(void);
extern void waker_at(time_t when);
/* The same, and it takes the place of what the last call has said: by the newest plan
 * nothing that a job waits for ends before, 0: or at all. */
extern void waker_expiry(int64_t when);
/* How often the thread has had the job lock to put texts back. If that has
 * changed, the thread that had the lock before has released it. */
extern uint32_t waker_turns(void);

/* ---- the thread ---- */

struct waker_due {
	bool texts, schedule, refresh;
	bool ended;			/* a turn, a protection or a grace time */
};

/* Start the thread; earlier requests count. work() does what is due, under the job lock. It
 * may ask for more. */
extern void waker_start(void (*work)(const struct waker_due *due));
/* Bring all up to date that much later, in seconds. */
extern void waker_refresh_in(time_t seconds);

#endif /* COHORT_SLURM_WAKER_H */
