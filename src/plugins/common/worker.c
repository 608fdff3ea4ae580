/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.c - threads that work while this slurmctld is in control
 *
 *  All have the same life: started once, they do a round when one is due, rest
 *  when control is elsewhere, and end with the process. Nobody tells them that
 *  control has gone or come, so they look, once a second at least.
\*****************************************************************************/
#include "ctld_priv.h"

#define LOOK_NS 1000000000
/* Books are made some moments before the term begins. */
#define LOOK_SOON_NS 100000000

static struct timespec _after(int64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	ns += t.tv_nsec;
	return (struct timespec) { .tv_sec = t.tv_sec + ns / SPEC_SEC,
				   .tv_nsec = ns % SPEC_SEC };
}

static bool _before(const struct timespec *a, const struct timespec *b)
{
	return (a->tv_sec != b->tv_sec) ? (a->tv_sec < b->tv_sec) :
		(a->tv_nsec < b->tv_nsec);
}

static bool _is_past(const struct timespec *t)
{
	struct timespec now = _after(0);

	return !_before(&now, t);
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

static void _rest(struct worker *worker, const struct timespec *until)
{
	slurm_mutex_lock(&worker->lock);
	if (!worker->woken)
		slurm_cond_timedwait(&worker->cond, &worker->lock, until);
	slurm_mutex_unlock(&worker->lock);
}

static void *_run(void *arg)
{
	struct worker *worker = arg;
	struct timespec due = { 0 }, until;

	while (true) {
		bool acts = control_acts(), woken = _take_wake(worker);

		if (!acts)
			due = (struct timespec) { 0 };	/* as soon as it may */
		else if (woken || _is_past(&due))
			due = worker->round();
		until = _after(acts || !ctld.ready ? LOOK_NS : LOOK_SOON_NS);
		if (acts && _before(&due, &until))
			until = due;
		_rest(worker, &until);
	}
	return NULL;
}

extern void worker_start(struct worker *worker)
{
	bool started;

	slurm_mutex_lock(&worker->lock);
	started = worker->started;
	worker->started = true;
	slurm_mutex_unlock(&worker->lock);
	if (!started)
		compat_thread(worker->name, _run, worker);
}

extern void worker_wake(struct worker *worker)
{
	slurm_mutex_lock(&worker->lock);
	worker->woken = true;
	slurm_cond_signal(&worker->cond);
	slurm_mutex_unlock(&worker->lock);
}
