/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.c - threads that work while this slurmctld is in control
 *
 *  All have the same life: started once, they do a round when one is due, rest
 *  when control is elsewhere, and end with the process. slurmctld does not tell
 *  them that control has gone or come, so they look, once a second at least.
 *  Rounds are due by a monotonic clock: another one may be set back.
\*****************************************************************************/
#include "slurm/worker.h"

#include "state/state.h"
#include "slurm/clock.h"
#include "slurm/control.h"
#include "slurm/saver.h"

#define LOOK_NS SPEC_SEC
/* Books are made some moments before the term begins. */
#define LOOK_SOON_NS (SPEC_SEC / 10)

struct worker saver = WORKER(.name = "cohort_state", .pause = SPEC_SEC);

static struct timespec _timespec(int64_t ns)
{
	return (struct timespec) { .tv_sec = ns / SPEC_SEC, .tv_nsec = ns % SPEC_SEC };
}

/* Wakes that come from now on ask for another round. */
static bool _take_if_due(struct worker *worker)
{
	bool due;

	slurm_mutex_lock(&worker->lock);
	due = worker->due <= clock_ns(CLOCK_MONOTONIC);
	if (due)
		worker->due = INT64_MAX;
	slurm_mutex_unlock(&worker->lock);
	return due;
}

static void _rest(struct worker *worker, int64_t longest)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC) + longest;
	struct timespec until;

	slurm_mutex_lock(&worker->lock);
	until = _timespec(MIN(worker->due, end));
	if (worker->due)
		slurm_cond_timedwait(&worker->cond, &worker->lock, &until);
	slurm_mutex_unlock(&worker->lock);
}

static void *_run(void *arg)
{
	struct worker *worker = arg;
	const struct timespec pause = _timespec(worker->pause);
	bool acts = false;

	(void) prctl(PR_SET_NAME, worker->name, 0, 0, 0);
	while (true) {
		bool acted = acts, due = _take_if_due(worker);

		acts = control_follow();
		if (!acts && worker->away)
			worker->away();
		if (acts && (due || !acted)) {
			worker_wake_within(worker, worker->round());
			nanosleep(&pause, NULL);
		}
		_rest(worker, acts || !ctld.ready ? LOOK_NS : LOOK_SOON_NS);
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

static void _make_due(struct worker *worker, int64_t due)
{
	slurm_mutex_lock(&worker->lock);
	if (due < worker->due) {
		worker->due = due;
		slurm_cond_signal(&worker->cond);
	}
	slurm_mutex_unlock(&worker->lock);
}

extern void worker_wake(struct worker *worker)
{
	_make_due(worker, 0);
}

extern void worker_wake_within(struct worker *worker, int64_t ns)
{
	_make_due(worker, sat_add(clock_ns(CLOCK_MONOTONIC), MAX(ns, 0)));
}
