/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waker.c - the thread that wakes the scheduler
 *
 *  One thread, asleep until something is due. It asks for a run of the scheduler
 *  when a turn or a protection ends, puts texts back after a pass, and brings
 *  positions up to date between passes. A function that changes something requests
 *  here what has to follow, and by when. The thread waits for no disk: what is
 *  written is written by other threads.
\*****************************************************************************/
#include "slurm/worker.h"

/* slurmctld's periodic passes begin right after a full second. Texts that they change without
 * asking us are put right soon after that, not just before the next pass. */
#define PAST_PASSES (SPEC_SEC / 2)
/* The clock may be set: it is looked at so often. */
#define LOOK_NS SPEC_SEC
/* When a round is due time() may still tell the second before, until the next tick */
#define TICK_NS (SPEC_SEC / 1000)
#define AT_ONCE 1			/* a time that has passed */

/* When each is wanted, 0: it is not */
static struct {
	pthread_mutex_t lock;
	void (*work)(const struct waker_due *due);
	time_t texts, schedule;
	time_t at;
	time_t expiry;			/* by the last plan */
	time_t refresh;			/* always wanted, but not before */
	time_t now;			/* of the last round */
} waker = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .refresh = AT_ONCE,
};

static int64_t _round(void);

static struct worker worker = WORKER(.name = "cohort", .round = _round, .pause = TICK_NS);

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

extern void waker_restore_reasons(void)
{
	_request(&waker.texts, AT_ONCE, false);
}

extern void waker_schedule(void)
{
	_request(&waker.schedule, AT_ONCE, false);
}

extern void waker_refresh(time_t seconds)
{
	_request(&waker.refresh, seconds ? time(NULL) + seconds : AT_ONCE, false);
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
	_request(&waker.refresh, time(NULL) + seconds, true);
}

static bool _take_if_due(time_t *when, time_t now)
{
	if (!*when || (*when > now))
		return false;
	*when = 0;
	return true;
}

/* The clock was set back: what is awaited may be due at another time, which the scheduler
 * will tell. */
static void _set_back(time_t now)
{
	waker.refresh = AT_ONCE;
	waker.at = waker.at ? now : 0;
	waker.expiry = waker.expiry ? now : 0;
}

static int64_t _refresh_at(void)
{
	return ns_of(waker.refresh) + PAST_PASSES;
}

static struct waker_due _take_due(time_t now)
{
	struct waker_due due;

	slurm_mutex_lock(&waker.lock);
	if (now < waker.now)
		_set_back(now);
	waker.now = now;
	due = (struct waker_due) {
		.texts = _take_if_due(&waker.texts, now),
		.refresh = _refresh_at() <= clock_ns(CLOCK_REALTIME),
		.ended = _take_if_due(&waker.at, now),
	};
	due.ended |= _take_if_due(&waker.expiry, now);
	due.schedule = _take_if_due(&waker.schedule, now) || due.ended;
	slurm_mutex_unlock(&waker.lock);
	return due;
}

/* Until something is due, in ns */
static int64_t _rest(void)
{
	const time_t *const others[] = { &waker.texts, &waker.schedule, &waker.at, &waker.expiry };
	int64_t now = clock_ns(CLOCK_REALTIME), next;

	slurm_mutex_lock(&waker.lock);
	next = _refresh_at();
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (*others[i])
			next = MIN(next, ns_of(*others[i]));
	}
	slurm_mutex_unlock(&waker.lock);
	return MIN(next - now, LOOK_NS);
}

static int64_t _round(void)
{
	struct waker_due due = _take_due(time(NULL));

	if ((due.texts || due.refresh || due.schedule) && control_lock()) {
		if (due.texts || due.refresh || due.ended) {
			waker.work(&due);
			ctld.turns++;
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
	return _rest();
}

extern void waker_start(void (*work)(const struct waker_due *due))
{
	waker.work = work;
	worker_start(&worker);
}
