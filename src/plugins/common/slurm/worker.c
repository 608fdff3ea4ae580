/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.c - threads that work while this slurmctld is in control
 *
 *  All have the same life: started once, they do a round when one is due, rest
 *  when control is elsewhere, and end with the process. slurmctld does not tell
 *  them that control has gone or come, so they look, once a second at least.
\*****************************************************************************/
#include "slurm/worker.h"

#include "state/state.h"
#include "slurm/clock.h"
#include "slurm/control.h"

#define LOOK_NS 1000000000
/* Books are made some moments before the term begins. */
#define LOOK_SOON_NS 100000000
/* When a round is due time() may still tell the second before, until the next tick */
#define SHORTEST_NS 1000000

static int64_t _ns(const struct timespec *t)
{
	return sat_add(ns_of(t->tv_sec), t->tv_nsec);
}

static bool _take_wake(struct worker *worker)
{
	bool woken;

	slurm_mutex_lock(&worker->lock);
	woken = worker->woken;
	worker->woken = false;
	slurm_mutex_unlock(&worker->lock);
	return woken;
}

/* By a monotonic clock: if another clock was set back, the thread would rest
 * for that much longer. */
static void _rest(struct worker *worker, int64_t ns)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + ns;
	struct timespec until = { .tv_sec = end / SPEC_SEC,
				  .tv_nsec = end % SPEC_SEC };

	slurm_mutex_lock(&worker->lock);
	if (!worker->woken)
		slurm_cond_timedwait(&worker->cond, &worker->lock, &until);
	slurm_mutex_unlock(&worker->lock);
}

/* The next round is due as soon as it may be. */
static struct timespec _stay_away(struct worker *worker)
{
	if (worker->away)
		worker->away();
	return (struct timespec) { 0 };
}

static void *_run(void *arg)
{
	struct worker *worker = arg;
	struct timespec due = { 0 };
	int64_t now = 0, before, rest;

	(void) prctl(PR_SET_NAME, worker->name, 0, 0, 0);
	while (true) {
		bool acts = control_follow(), woken = _take_wake(worker);

		before = now;
		now = clock_ns(CLOCK_REALTIME);
		if (now < before) {
			due = (struct timespec) { 0 };
			if (worker->set_back)
				worker->set_back();
		}
		if (!acts)
			due = _stay_away(worker);
		else if (woken || (_ns(&due) <= now))
			due = worker->round();
		rest = acts || !ctld.ready ? LOOK_NS : LOOK_SOON_NS;
		if (acts)
			rest = MIN(rest, _ns(&due) - clock_ns(CLOCK_REALTIME));
		_rest(worker, MAX(rest, SHORTEST_NS));
	}
	return NULL;
}

static void _start(struct worker *worker)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	slurm_cond_init(&worker->cond, &attr);	/* no thread waits yet */
	pthread_condattr_destroy(&attr);
	worker->started = true;
	compat_thread(worker->name, _run, worker);
}

extern void worker_start(struct worker *worker)
{
	slurm_mutex_lock(&worker->lock);
	if (!worker->started)
		_start(worker);
	slurm_mutex_unlock(&worker->lock);
}

extern void worker_wake(struct worker *worker)
{
	slurm_mutex_lock(&worker->lock);
	worker->woken = true;
	slurm_cond_signal(&worker->cond);
	slurm_mutex_unlock(&worker->lock);
}
