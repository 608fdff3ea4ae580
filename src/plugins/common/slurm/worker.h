/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.h - our threads: when they may work, what wakes them, what they write
\*****************************************************************************/
#ifndef COHORT_SLURM_WORKER_H
#define COHORT_SLURM_WORKER_H

#include "state/state.h"

/* ---- clocks, for lengths of time ---- */

/* Nanoseconds by one of the system's clocks, e.g. CLOCK_MONOTONIC */
static inline int64_t clock_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return ns_of(t.tv_sec) + t.tv_nsec;
}

/* Microseconds of a clock that is never set back */
static inline uint64_t clock_usec(void)
{
	return (uint64_t) clock_ns(CLOCK_MONOTONIC) / 1000;
}

/* ---- is this slurmctld in control? ---- */

/* forget() drops all records of jobs. It is called under the job lock, whenever
 * this slurmctld takes or has lost control. held() is told for how long a thread
 * of ours has had that lock, at the end and under it. */
extern void control_init(void (*forget)(void), void (*held)(uint64_t usec));
/* slurmctld makes its tables anew; under the job lock. If it is about to take
 * control (start, takeover), a term begins and all records are dropped. */
extern void control_begins(void);
/* The term in which this slurmctld is in control now, or 0. A file or text that
 * was made in one term must not be written in another. */
extern uint32_t control_term(void);
/* Is it still in this term? Never in term 0: control went while something was made. */
extern bool control_is_in(uint32_t term);
/* Threads look again and again whether control has come or gone. True if they
 * may work now: not before the term, not in a shutdown and not as a standby. A
 * slurmctld that has become a standby drops its records. */
extern bool control_follow(void);
/* The locks of slurmctld under which all of this library works, for threads.
 * False, and none is held: no control, or no books. */
extern bool control_lock(void);
extern void control_unlock(void);

/* ---- threads that work while this slurmctld is in control ---- */

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

/* Writes the state file, and does nothing else: StateSaveLocation may be slow, as it is on a
 * network where there is a backup controller. statefile/store.c has its rounds. */
extern struct worker saver;

/* The state file is to be written: soon, or so many seconds from now at the latest. */
static inline void saver_save(void)
{
	worker_wake(&saver);
}

static inline void saver_save_within(int64_t seconds)
{
	worker_wake_within(&saver, seconds * SPEC_SEC);
}

/* ---- the thread that wakes the scheduler: waker.c ---- */

/* After this pass, put texts back. */
extern void waker_restore_reasons(void);
/* Bring plan, marks and texts up to date, so many seconds from now and half a second more: the
 * scheduler runs only if another job may start by that. 0: soon */
extern void waker_refresh(time_t seconds);
/* Have the scheduler run soon, or at a certain time at the latest. */
extern void waker_schedule(void);
extern void waker_at(time_t when);
/* The same, and it takes the place of what the last call has said: by the newest plan
 * nothing that a job waits for ends before, 0: or at all. */
extern void waker_expiry(int64_t when);

struct waker_due {
	bool texts, schedule, refresh;
	bool ended;			/* a turn, a protection or a grace time */
};

/* Start the thread; earlier requests count. work() does what is due, under the job lock. It
 * may ask for more. */
extern void waker_start(void (*work)(const struct waker_due *due));
/* Bring all up to date that much later, in seconds. */
extern void waker_refresh_in(time_t seconds);

/* ---- files that are written again and again: file.c ---- */

/* A file that is written again and again */
struct written_file {
	const char *name;		/* its name in messages, or "" */
	const char *loss;		/* the consequence of a failure, or "" */
	char *failed;			/* this path could not be written */
	int error;			/* for this reason */
	uint32_t term;			/* the term of control of the last try */
	char *written;			/* there, or NULL: not known; */
	uint32_t written_in;		/* in this term, */
	uint64_t news;			/* and with this hash of its news */
};

/* Replace the file at this path by one with this text, unless the file there has the same news.
 * news: the part of the text that tells whether it is another one. Others see the old file or the
 * new one, each as a whole. Nothing is written if the term of control in which the text was made
 * is over. Returns 0, or an error number; a failure is logged once for a path and reason. */
extern int file_put(struct written_file *file, const char *path, const char *text,
		    const char *news, mode_t mode, uint32_t term);
/* Path of a file in StateSaveLocation, xmalloc'd; under a lock of slurmctld's configuration */
extern char *file_state_path(const char *name);

#endif /* COHORT_SLURM_WORKER_H */
