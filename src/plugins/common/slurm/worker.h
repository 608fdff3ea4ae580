/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.h - threads that work while this slurmctld is in control
\*****************************************************************************/
#ifndef COHORT_SLURM_WORKER_H
#define COHORT_SLURM_WORKER_H

#include "compat/slurm_compat.h"

/* A thread that does one thing, in rounds */
struct worker {
	const char *name;
	/* Called when the worker is woken, and at the time that the call
	 * returned last; only while this slurmctld is in control. No lock is
	 * held. */
	struct timespec (*round)(void);
	/* The clock was set back: noted times are void, and a round is due.
	 * NULL: the worker notes no times. */
	void (*set_back)(void);
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool started, woken;
};

#define WORKER(_name, _round, _set_back) {		\
	.name = _name, .round = _round,			\
	.set_back = _set_back,				\
	.lock = PTHREAD_MUTEX_INITIALIZER,		\
	.cond = PTHREAD_COND_INITIALIZER,		\
}

/* Start the thread. One call is enough: it rests and works as control goes and
 * comes. */
extern void worker_start(struct worker *worker);
/* A round is due. */
extern void worker_wake(struct worker *worker);

#endif /* COHORT_SLURM_WORKER_H */
