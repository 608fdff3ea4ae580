/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  worker.c - threads that work while this slurmctld is in control
 *
 *  All have the same life: started once, they do a round when one is due, rest
 *  when control is elsewhere, and end with the process. slurmctld does not tell
 *  them that control has gone or come, so they look, once a second at least.
 *  Rounds are due by a monotonic clock: another one may be set back.
 *
 *  A backup controller is one process that takes over, gives control back and
 *  takes over again. While another slurmctld is in control, that one starts,
 *  evicts and writes, and our records become useless: a takeover begins with
 *  nothing and loads the state, like a start.
 *
 *  slurmctld tells no plugin that it gives control back. But its own thread
 *  that writes to StateSaveLocation runs in a term of control only: it is
 *  started when the tables are made, and joined when all is saved, before the
 *  other slurmctld is told to begin (that waits half a minute for it). So each
 *  function that writes a file, or changes a job, looks for that thread.
\*****************************************************************************/
#include <stdatomic.h>

#include "slurm/worker.h"

/* ---- control ---- */

static struct {
	void (*forget)(void);
	void (*held)(uint64_t usec);
	uint64_t locked_at;		/* under the job lock */
	atomic_uint term;		/* the last term that has begun */
	atomic_bool asked_back;		/* another slurmctld wants control */
} control;

static const slurmctld_lock_t job_write_lock = {
	.conf = READ_LOCK, .job = WRITE_LOCK, .node = WRITE_LOCK,
	.part = READ_LOCK, .fed = READ_LOCK,
};

extern void control_init(void (*forget)(void), void (*held)(uint64_t usec))
{
	control.forget = forget;
	control.held = held;
}

extern void control_begins(void)
{
	if (compat_in_control())
		return;		/* slurm.conf is read once more */
	control.asked_back = false;
	control.forget();
	control.term++;
}

extern uint32_t control_term(void)
{
	return compat_in_control() ? control.term : 0;
}

extern bool control_is_in(uint32_t term)
{
	return term && (control_term() == term);
}

/* As a thread that serves a request: a slurmctld that ends waits for those, and
 * then saves its state only if no thread holds its locks. */
extern bool control_lock(void)
{
	server_thread_incr();
	lock_slurmctld(job_write_lock);
	control.locked_at = clock_usec();
	if (ctld_works() && compat_in_control())
		return true;
	control_unlock();
	return false;
}

extern void control_unlock(void)
{
	control.held(clock_usec() - control.locked_at);
	unlock_slurmctld(job_write_lock);
	server_thread_decr();
}

/* Keep the records in a shutdown, as it is not known yet what follows: from 23.11 on slurmctld
 * may go on after one, with the same jobs. It is possible that no thread looked in the moments
 * in which control was asked back (from 25.05 on, when no state is to be saved then): the next
 * takeover drops the records, and they are not used before. */
static bool _stands_by(void)
{
	return control.asked_back && !compat_in_control() && !slurmctld_config.shutdown_time;
}

static void _stand_by(void)
{
	lock_slurmctld(job_write_lock);
	if (_stands_by() && ctld.ready) {
		info(PREFIX "another slurmctld is in control now: this one decides and writes nothing until it takes over");
		control.forget();
	}
	unlock_slurmctld(job_write_lock);
	control.asked_back = false;
}

extern bool control_follow(void)
{
	if (ctld.broken)
		return false;
	if (compat_in_control()) {
		if (slurmctld_config.resume_backup)
			control.asked_back = true;
		return !slurmctld_config.shutdown_time;
	}
	if (_stands_by())
		_stand_by();
	return false;
}

/* ---- threads ---- */

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
