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
	/* Called when the worker is woken, and at the time that the call returned last; only
	 * while this slurmctld is in control. No lock is held. */
	struct timespec (*round)(void);
	/* The clock was set back: noted times are void, and a round is due.
	 * NULL: the worker notes no times. */
	void (*set_back)(void);
	/* Called once a second, and when the worker is woken, while control is elsewhere or
	 * slurmctld is about to end. NULL: nothing is to be done then. */
	void (*away)(void);
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool started, woken;
};

#define WORKER(_name, _round, _set_back, _away) {	\
	.name = _name, .round = _round,			\
	.set_back = _set_back, .away = _away,		\
	.lock = PTHREAD_MUTEX_INITIALIZER,		\
	.cond = PTHREAD_COND_INITIALIZER,		\
}

/* Start the thread. One call is enough: it rests and works as control goes and comes. */
extern void worker_start(struct worker *worker);
/* A round is due. */
extern void worker_wake(struct worker *worker);

#endif /* COHORT_SLURM_WORKER_H */
