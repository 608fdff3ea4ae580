/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker.c - the thread that wakes the scheduler and writes
 *
 *  One thread, asleep until something is due. It has the scheduler run when a
 *  turn or a protection ends, puts texts back after a pass (slurmctld lets
 *  waiting writers of the job lock go before readers, so no squeue sees what
 *  the pass left), brings positions up to date between passes, and writes the
 *  state file, at most once a second and never under a lock of slurmctld.
\*****************************************************************************/
#include <pthread.h>

#include "ctld_priv.h"

/* slurmctld's periodic passes begin right after a full second. What they leave
 * in texts without asking us is put right after, not just before them. */
#define PAST_PASSES 500000000

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	bool started;
	bool texts, schedule, save;
	time_t at;			/* 0: none */
	time_t refresh_at, saved_at;
	uint32_t turns;			/* under the job lock */
} waker = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.cond = PTHREAD_COND_INITIALIZER,
};

static const slurmctld_lock_t job_write_lock = {
	.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK,
	.part = READ_LOCK, .fed = READ_LOCK,
};

extern void waker_lock(void)
{
	lock_slurmctld(job_write_lock);
}

extern void waker_unlock(void)
{
	unlock_slurmctld(job_write_lock);
}

static pthread_mutex_t threads = PTHREAD_MUTEX_INITIALIZER;

extern bool thread_begins(bool *started)
{
	bool begins;

	slurm_mutex_lock(&threads);
	begins = !*started && !slurmctld_config.shutdown_time;
	*started |= begins;
	slurm_mutex_unlock(&threads);
	return begins;
}

extern void thread_ends(bool *started)
{
	slurm_mutex_lock(&threads);
	*started = false;
	slurm_mutex_unlock(&threads);
}

static void _signal(bool *what)
{
	slurm_mutex_lock(&waker.lock);
	*what = true;
	slurm_cond_signal(&waker.cond);
	slurm_mutex_unlock(&waker.lock);
}

extern uint32_t waker_turns(void)
{
	return waker.turns;
}

extern void waker_texts(void)
{
	_signal(&waker.texts);
}

extern void waker_schedule(void)
{
	_signal(&waker.schedule);
}

extern void waker_save(void)
{
	_signal(&waker.save);
}

extern void waker_at(time_t when)
{
	slurm_mutex_lock(&waker.lock);
	if (!waker.at || (when < waker.at)) {
		waker.at = when;
		slurm_cond_signal(&waker.cond);
	}
	slurm_mutex_unlock(&waker.lock);
}

extern void waker_at_ns(int64_t when)
{
	if (when)
		waker_at(time_of(when));
}

/* Only if it says anything new: most starts and ends do not change it. */
extern void ctld_save_state(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char *written;
	char *text;

	slurm_mutex_lock(&lock);
	waker_lock();
	text = ctld_works() ? store_dump() : NULL;
	waker_unlock();
	if (text && xstrcmp(text, written)) {
		(void) store_write("cohort_state", text);
		xfree(written);
		written = text;
		text = NULL;
	}
	slurm_mutex_unlock(&lock);
	xfree(text);
}

/* What is due now, taken off the list */
struct due {
	bool texts, schedule, save, refresh;
};

static time_t _next(time_t now)
{
	time_t next = waker.refresh_at;

	if (waker.at && (waker.at < next))
		next = waker.at;
	if (waker.save && (waker.saved_at + 1 < next))
		next = waker.saved_at + 1;
	return MAX(next, now);
}

static struct due _wait(void)
{
	struct due due = { false };
	time_t now;

	slurm_mutex_lock(&waker.lock);
	while (now = time(NULL), !waker.texts && !waker.schedule &&
	       (_next(now) > now)) {
		time_t next = _next(now);
		struct timespec until = {
			.tv_sec = next,
			.tv_nsec = waker.at == next ? 0 : PAST_PASSES,
		};

		slurm_cond_timedwait(&waker.cond, &waker.lock, &until);
	}
	due.texts = waker.texts;
	due.schedule = waker.schedule;
	waker.texts = waker.schedule = false;
	if (waker.at && (waker.at <= now)) {
		waker.at = 0;
		due.schedule = due.refresh = true;
	}
	if (waker.refresh_at <= now)
		due.refresh = true;
	if (waker.save && (waker.saved_at < now)) {
		waker.save = false;
		waker.saved_at = now;
		due.save = true;
	}
	slurm_mutex_unlock(&waker.lock);
	return due;
}

static void _set_refresh(void)
{
	time_t interval = 5;

	if (ctld_works())
		interval = ctld.conf->update_interval / SPEC_SEC;
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = time(NULL) + MAX(interval, 1);
	slurm_mutex_unlock(&waker.lock);
}

static void *_run(void *arg UNUSED)
{
	while (!slurmctld_config.shutdown_time) {
		struct due due = _wait();

		if (slurmctld_config.shutdown_time)
			break;
		if (due.texts || due.refresh) {
			waker_lock();
			if (due.refresh) {
				evict_drained();
				evict_graced();
				pass_refresh();
				_set_refresh();
			}
			reason_restore();
			waker.turns++;
			waker_unlock();
		}
		if (due.schedule && ctld_enforces())
			compat_schedule();
		if (due.save)
			ctld_save_state();
	}
	thread_ends(&waker.started);
	return NULL;
}

extern void waker_start(void)
{
	if (thread_begins(&waker.started)) {
		waker.refresh_at = time(NULL) + 1;
		compat_thread("cohort", _run, NULL);
	}
	publish_start();
	estimate_start();
}
