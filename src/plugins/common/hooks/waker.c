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
#include "hooks/waker.h"

#include "state/state.h"
#include "slurm/control.h"
#include "slurm/worker.h"
#include "placement/evict.h"
#include "tell/publish.h"
#include "tell/reason.h"
#include "statefile/store.h"
#include "estimate/estimate.h"
#include "hooks/pass.h"

/* slurmctld's periodic passes begin right after a full second. What they leave
 * in texts without asking us is put right after, not just before them. */
#define PAST_PASSES 500000000

/* After a write of the state file that failed */
#define RETRY_SECONDS 10

static struct timespec _round(void);
static void _set_back(void);

static struct worker worker = WORKER("cohort", _round, _set_back);

static struct {
	pthread_mutex_t lock;
	bool texts, schedule, save;
	time_t at;			/* 0: none */
	time_t refresh_at, save_at;	/* not before */
	uint32_t turns;			/* under the job lock */
} waker = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

static void _signal(bool *what)
{
	slurm_mutex_lock(&waker.lock);
	*what = true;
	slurm_mutex_unlock(&waker.lock);
	worker_wake(&worker);
}

extern uint32_t waker_turns(void)
{
	return waker.turns;
}

extern void waker_restore_reasons(void)
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
	bool sooner;

	slurm_mutex_lock(&waker.lock);
	sooner = !waker.at || (when < waker.at);
	if (sooner)
		waker.at = when;
	slurm_mutex_unlock(&waker.lock);
	if (sooner)
		worker_wake(&worker);
}

extern void waker_at_ns(int64_t when)
{
	if (when)
		waker_at(time_of(when));
}

/* What is due now, taken off the list */
struct due {
	bool texts, schedule, save, refresh;
};

static struct due _take_due(time_t now)
{
	struct due due;

	slurm_mutex_lock(&waker.lock);
	due = (struct due) {
		.texts = waker.texts, .schedule = waker.schedule,
		.refresh = waker.refresh_at <= now,
		.save = waker.save && (waker.save_at <= now),
	};
	waker.texts = waker.schedule = false;
	if (waker.at && (waker.at <= now)) {
		waker.at = 0;
		due.schedule = due.refresh = true;
	}
	if (due.save) {
		waker.save = false;
		waker.save_at = now + 1;
	}
	slurm_mutex_unlock(&waker.lock);
	return due;
}

static struct timespec _next(void)
{
	struct timespec next = { .tv_nsec = PAST_PASSES };

	slurm_mutex_lock(&waker.lock);
	next.tv_sec = waker.refresh_at;
	if (waker.save && (waker.save_at < next.tv_sec))
		next.tv_sec = waker.save_at;
	if (waker.at && (waker.at <= next.tv_sec))
		next = (struct timespec) { .tv_sec = waker.at };
	slurm_mutex_unlock(&waker.lock);
	return next;
}

static void _set_refresh(time_t interval)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = time(NULL) + MAX(interval, 1);
	slurm_mutex_unlock(&waker.lock);
}

/* What has been waited for may be due at another time: the scheduler will tell. */
static void _set_back(void)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = waker.save_at = 0;
	if (waker.at)
		waker.at = time(NULL);
	slurm_mutex_unlock(&waker.lock);
}

/* Under the job lock */
static void _tell(bool refresh)
{
	if (refresh) {
		evict_drained();
		evict_graced();
		pass_refresh();
		_set_refresh(ctld.conf->update_interval / SPEC_SEC);
	}
	reason_restore();
	waker.turns++;
}

static void _save(void)
{
	if (!store_save())
		return;
	slurm_mutex_lock(&waker.lock);
	waker.save = true;
	waker.save_at = time(NULL) + RETRY_SECONDS;
	slurm_mutex_unlock(&waker.lock);
}

static struct timespec _round(void)
{
	struct due due = _take_due(time(NULL));

	if ((due.texts || due.refresh || due.schedule) && control_lock()) {
		if (due.texts || due.refresh)
			_tell(due.refresh);
		due.schedule &= ctld_enforces();
		control_unlock();
	} else {
		if (due.refresh)
			_set_refresh(1);
		due.schedule = false;
	}
	if (due.schedule)
		compat_schedule();
	if (due.save)
		_save();
	return _next();
}

extern void waker_start(void)
{
	worker_start(&worker);
	publish_start();
	estimate_start();
}
