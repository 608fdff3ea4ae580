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
	/* Called when woken, and at the time that it returned last; only while this
	 * slurmctld is in control. No lock is held. */
	struct timespec (*round)(void);
	/* The clock was set back: times that were noted are void, and a round is
	 * due. NULL: it notes none. */
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

/* Once is enough: from then on it rests and works as control goes and comes. */
extern void worker_start(struct worker *worker);
/* A round is due. */
extern void worker_wake(struct worker *worker);

#endif /* COHORT_SLURM_WORKER_H */
