/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  control.h - terms of being in control, and the threads that work in them
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_CONTROL_H
#define COHORT_CONTROL_H

#include <pthread.h>

/* ---- control.c ---- */

/* slurmctld makes its tables anew; under the job lock. If it is about to take
 * control (start, takeover), a term begins and all that is known is dropped. */
extern void control_begins(void);
/* The term in which this slurmctld is in control now, or 0. What is made in
 * one term must not be written in another. */
extern uint32_t control_term(void);
/* Is it this one still? Of 0 never: control went while a thing was made. */
extern bool control_is_in(uint32_t term);
/* Is there anything to do for a thread now? Not before the term, not in a
 * shutdown and not as a standby, which this is to be asked again and again to
 * find out: then it drops what is known. */
extern bool control_acts(void);
/* The locks of slurmctld that everything here is done under, for threads.
 * False, and none is held: no control, or no books. */
extern bool control_lock(void);
extern void control_unlock(void);

/* ---- worker.c ---- */

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

#endif /* COHORT_CONTROL_H */
