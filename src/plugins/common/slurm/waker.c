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
#include "slurm/control.h"
#include "slurm/worker.h"

/* slurmctld's periodic passes begin right after a full second. Texts that they change without
 * asking us are put right soon after that, not just before the next pass. */
#define PAST_PASSES 500000000
#define AT_ONCE 1			/* a time that has passed */

/* When each is wanted, 0: it is not */
static struct {
	pthread_mutex_t lock;
	void (*work)(const struct waker_due *due);
	time_t texts, schedule;
	time_t at;
	time_t expiry;			/* by the last plan */
	time_t refresh;			/* always wanted, but not before */
	uint32_t turns;			/* under the job lock */
} waker = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .refresh = AT_ONCE,
};

static struct timespec _round(void);
static void _set_back(void);

static struct worker worker = WORKER("cohort", _round, _set_back, NULL);

/* anew: what was requested before does not count. */
static void _request(time_t *what, time_t when, bool anew)
{
	bool sooner;

	slurm_mutex_lock(&waker.lock);
	sooner = when && (!*what || (when < *what));
	if (sooner || anew)
		*what = when;
	slurm_mutex_unlock(&waker.lock);
	if (sooner)
		worker_wake(&worker);
}

extern uint32_t waker_turns(void)
{
	return waker.turns;
}

extern void waker_restore_reasons(void)
{
	_request(&waker.texts, AT_ONCE, false);
}

extern void waker_schedule(void)
{
	_request(&waker.schedule, AT_ONCE, false);
}

extern void waker_refresh(void)
{
	_request(&waker.refresh, AT_ONCE, false);
}

extern void waker_refresh_soon(void)
{
	_request(&waker.refresh, time(NULL) + 1, false);
}

extern void waker_at(time_t when)
{
	_request(&waker.at, when, false);
}

extern void waker_expiry(int64_t when)
{
	_request(&waker.expiry, when ? time_of(when) : 0, true);
}

extern void waker_refresh_in(time_t seconds)
{
	slurm_mutex_lock(&waker.lock);
	waker.refresh = time(NULL) + seconds;
	slurm_mutex_unlock(&waker.lock);
}

static bool _take_if_due(time_t *when, time_t now)
{
	if (!*when || (*when > now))
		return false;
	*when = 0;
	return true;
}

static struct waker_due _take_due(time_t now)
{
	struct waker_due due;

	slurm_mutex_lock(&waker.lock);
	due = (struct waker_due) {
		.texts = _take_if_due(&waker.texts, now),
		.refresh = waker.refresh <= now,
		.ended = _take_if_due(&waker.at, now),
	};
	due.ended |= _take_if_due(&waker.expiry, now);
	due.schedule = _take_if_due(&waker.schedule, now) || due.ended;
	slurm_mutex_unlock(&waker.lock);
	return due;
}

static struct timespec _next(void)
{
	struct timespec next = { .tv_nsec = PAST_PASSES };
	const time_t *const sooner[] = {
		&waker.texts, &waker.schedule, &waker.at, &waker.expiry,
	};

	slurm_mutex_lock(&waker.lock);
	next.tv_sec = waker.refresh;
	for (size_t i = 0; i < sizeof(sooner) / sizeof(*sooner); i++) {
		if (*sooner[i] && (*sooner[i] <= next.tv_sec))
			next = (struct timespec) { .tv_sec = *sooner[i] };
	}
	slurm_mutex_unlock(&waker.lock);
	return next;
}

/* An awaited event may be due at another time: the scheduler will tell. */
static void _set_back(void)
{
	time_t now = time(NULL);

	slurm_mutex_lock(&waker.lock);
	waker.refresh = AT_ONCE;
	waker.at = waker.at ? now : 0;
	waker.expiry = waker.expiry ? now : 0;
	slurm_mutex_unlock(&waker.lock);
}

static struct timespec _round(void)
{
	struct waker_due due = _take_due(time(NULL));

	if ((due.texts || due.refresh || due.schedule) && control_lock()) {
		if (due.texts || due.refresh || due.ended) {
			waker.work(&due);
			waker.turns++;
		}
		due.schedule &= ctld_enforces();
		control_unlock();
	} else {
		if (due.refresh || due.ended)
			waker_refresh_in(1);
		due.schedule = false;
	}
	if (due.schedule)
		schedule(true);
	return _next();
}

extern void waker_start(void (*work)(const struct waker_due *due))
{
	waker.work = work;
	worker_start(&worker);
}
