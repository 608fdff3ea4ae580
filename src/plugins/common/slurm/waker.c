/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker.c - requests to the thread that wakes the scheduler
 *
 *  A function that changes something requests here what has to follow, and by
 *  when: another pass of the scheduler, texts. The thread (hooks/waker_thread.c)
 *  takes a request off the list when it is due.
\*****************************************************************************/
#include "slurm/waker.h"

#include "state/state.h"
#include "slurm/worker.h"

/* slurmctld's periodic passes begin right after a full second. Texts that they
 * change without asking us are put right soon after that, not just before the
 * next pass. */
#define PAST_PASSES 500000000

static struct {
	pthread_mutex_t lock;
	struct worker *worker;		/* NULL: there is none yet */
	bool texts, schedule;
	time_t at;			/* 0: none */
	time_t expiry;			/* by the last plan; 0: none */
	time_t refresh_at;		/* not before */
	uint32_t turns;			/* under the job lock */
} waker = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

extern void waker_tell(struct worker *worker)
{
	slurm_mutex_lock(&waker.lock);
	waker.worker = worker;
	slurm_mutex_unlock(&waker.lock);
}

/* Called with the waker's lock held; releases it */
static void _unlock_and_wake(bool wake)
{
	struct worker *worker = waker.worker;

	slurm_mutex_unlock(&waker.lock);
	if (wake && worker)
		worker_wake(worker);
}

static void _signal(bool *what)
{
	slurm_mutex_lock(&waker.lock);
	*what = true;
	_unlock_and_wake(true);
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

extern void waker_refresh(void)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = 0;
	_unlock_and_wake(true);
}

extern void waker_refresh_soon(void)
{
	time_t soon = time(NULL) + 1;
	bool sooner;

	slurm_mutex_lock(&waker.lock);
	sooner = soon < waker.refresh_at;
	if (sooner)
		waker.refresh_at = soon;
	_unlock_and_wake(sooner);
}

extern void waker_at(time_t when)
{
	bool sooner;

	slurm_mutex_lock(&waker.lock);
	sooner = !waker.at || (when < waker.at);
	if (sooner)
		waker.at = when;
	_unlock_and_wake(sooner);
}

extern void waker_at_ns(int64_t when)
{
	if (when)
		waker_at(time_of(when));
}

extern void waker_expiry(int64_t when)
{
	time_t expiry = when ? time_of(when) : 0;
	bool sooner;

	slurm_mutex_lock(&waker.lock);
	sooner = expiry && (!waker.expiry || (expiry < waker.expiry));
	waker.expiry = expiry;
	_unlock_and_wake(sooner);
}

static bool _take_if_due(time_t *when, time_t now)
{
	if (!*when || (*when > now))
		return false;
	*when = 0;
	return true;
}

extern struct waker_due waker_take_due(time_t now)
{
	struct waker_due due;

	slurm_mutex_lock(&waker.lock);
	due = (struct waker_due) {
		.texts = waker.texts, .schedule = waker.schedule,
		.refresh = waker.refresh_at <= now,
	};
	waker.texts = waker.schedule = false;
	due.ended = _take_if_due(&waker.at, now);
	due.ended |= _take_if_due(&waker.expiry, now);
	due.schedule |= due.ended;
	slurm_mutex_unlock(&waker.lock);
	return due;
}

extern struct timespec waker_next(void)
{
	struct timespec next = { .tv_nsec = PAST_PASSES };

	slurm_mutex_lock(&waker.lock);
	next.tv_sec = waker.refresh_at;
	if (waker.at && (waker.at <= next.tv_sec))
		next = (struct timespec) { .tv_sec = waker.at };
	if (waker.expiry && (waker.expiry <= next.tv_sec))
		next = (struct timespec) { .tv_sec = waker.expiry };
	slurm_mutex_unlock(&waker.lock);
	return next;
}

extern void waker_refresh_in(time_t seconds)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = time(NULL) + seconds;
	slurm_mutex_unlock(&waker.lock);
}

/* An awaited event may be due at another time: the scheduler will tell. */
extern void waker_set_back(void)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh_at = 0;
	if (waker.at)
		waker.at = time(NULL);
	if (waker.expiry)
		waker.expiry = time(NULL);
	slurm_mutex_unlock(&waker.lock);
}

extern void waker_count_turn(void)
{
	waker.turns++;
}
