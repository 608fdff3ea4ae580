/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.h - threads that work while this slurmctld is in control
\*****************************************************************************/
#ifndef COHORT_SLURM_WORKER_H
#define COHORT_SLURM_WORKER_H

#include "compat/slurm_compat.h"

/* A thread that does one thing, in rounds */
struct worker {
	const char *name;		/* 15 characters at most: top -H shows it */
	/* Called when the worker is woken, and so many ns later as the last call has returned;
	 * only while this slurmctld is in control. No lock is held. */
	int64_t (*round)(void);
	/* Called once a second, and when the worker is woken, while control is elsewhere or
	 * slurmctld is about to end. NULL: nothing is to be done then. */
	void (*away)(void);
	int64_t pause;			/* after a call, in ns, however often it is woken */
	pthread_mutex_t lock;
	pthread_cond_t cond;
	int64_t due;			/* the next round, by CLOCK_MONOTONIC, in ns */
	bool started;
};

#define WORKER(...) {				\
	__VA_ARGS__,				\
	.lock = PTHREAD_MUTEX_INITIALIZER,	\
	.cond = PTHREAD_COND_INITIALIZER,	\
}

/* Start the thread. One call is enough: it rests and works as control goes and comes. */
extern void worker_start(struct worker *worker);
/* A round is due; or will be in so many ns, at the latest. */
extern void worker_wake(struct worker *worker);
extern void worker_wake_within(struct worker *worker, int64_t ns);

#endif /* COHORT_SLURM_WORKER_H */
