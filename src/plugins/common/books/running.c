/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.c - jobs that run: their charges, and the terms of their eviction
 *
 *  The pass that started a job does not evict it: its queue may have more
 *  entries of the same job, by other partitions, and slurmctld would try these
 *  while the job is still being ended. Slurm does not tell when a pass is over.
 *  So such a job is exempt for a moment only. The moment is renewed as long as
 *  a scheduler tries jobs and no other pass has begun; a look at the records does
 *  not renew it. Its end wakes the jobs that wait for this job.
 *
 *  The main scheduler keeps its locks for a whole pass (_schedule() of 22.05.8,
 *  24.11.5 and 26.05.3). So where a job is tried as it is submitted, its pass is
 *  over. A cycle of backfill, which lets its locks go, may still be under way, so
 *  that those that backfill has started stay exempt. Another entry of a job that
 *  the main scheduler has started meanwhile is refused while that job ends (gate.c).
\*****************************************************************************/
#include "books/books.h"

#include "slurm/passes.h"
#include "slurm/worker.h"
#include "match/match.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"

/* ---- jobs that this pass has started ---- */

/* The clock counts whole seconds, so this is one at least. */
#define MOMENT 2

static struct {
	bool any;
	time_t until;			/* the earliest end of these moments */
	bool by_backfill;		/* one of them */
} started;

/* When may this running job be evicted at the earliest, in ns? INT64_MAX: never */
static int64_t _exempt_until(struct job *job)
{
	int64_t until = evict_exempt_until(job->job_ptr);
	bool just_started = started.any && (run_of(job)->started_in == ctld.passes);

	if (het_is_mixed(job))
		return INT64_MAX;
	return just_started ? MAX(until, ns_of(started.until)) : until;
}

/* None of the other terms has changed. */
static void _exempt(struct job *job)
{
	struct eviction_terms terms;

	workload_terms(job->first.work, &terms);
	terms.exempt_until = _exempt_until(job);
	(void) engine_set_terms(ctld.engine, job->first.work, &terms);
}

extern void exempt_started(struct job *job)
{
	if (!ctld_enforces())	/* we evict no job */
		return;
	job_get_run(job)->started_in = ctld.passes;
	if (!started.any)
		started.until = time(NULL) + MOMENT;
	started.any = true;
	started.by_backfill |= compat_in_backfill();
	_exempt(job);
}

/* Of all that have started, as long as they run */
static void _renew(struct job *job, void *arg UNUSED)
{
	if (run_of(job)->started_in && job_runs(job) && jobs_record(job))
		_exempt(job);
}

/* Others may start before the next pass begins: it is none of these any more. */
static void _forget(struct job *job, void *arg UNUSED)
{
	if (!run_of(job)->started_in)
		return;
	_renew(job, NULL);
	job->run->started_in = 0;
}

extern bool exempt_any_started(void)
{
	return started.any && (time(NULL) < started.until);
}

extern void exempt_renew_started(void)
{
	time_t now = time(NULL);

	if (!started.any || (now + 1 < started.until))
		return;
	started.until = now + MOMENT;
	jobs_each(_renew, NULL);
}

extern void exempt_forget_started(void)
{
	if (!started.any)
		return;
	started.any = started.by_backfill = false;
	jobs_each(_forget, NULL);
}

extern void exempt_note_submission(void)
{
	if (!started.by_backfill)
		exempt_forget_started();
}

/* ---- what is kept over a reconfigure ---- */

/* It is kept over a reconfigure, and in the state file over a restart */
static void _note_kind(struct job *job)
{
	struct run *run = job_get_run(job);

	run->kind = workload_is_nonpreemptible(job->first.work) ?
		RUN_IS_NONPREEMPTIBLE : RUN_IS_PREEMPTIBLE;
	if (run->kind == RUN_IS_NONPREEMPTIBLE)
		job_keep(job);
}

/* A new run is as its rule says. Of another one that is remembered, over a
 * restart and a change of rules. */
static void _keep_kind(struct job *job)
{
	enum run_kind kind = run_of(job)->kind;

	if (kind != RUN_IS_NEW)
		engine_keep_nonpreemptible(ctld.engine, job->first.work,
					   kind == RUN_IS_NONPREEMPTIBLE);
	_note_kind(job);
}

static void _note_settled(struct job *job, void *arg UNUSED)
{
	if (job->run)
		job->run->settled = job_runs(job) && workload_settled(job->first.work);
}

extern void running_note_settled(void)
{
	jobs_each(_note_settled, NULL);
}

static void _keep_settled(struct job *job, void *settled)
{
	if (job_runs(job) && (!settled || run_of(job)->settled))
		engine_keep_settled(ctld.engine, job->first.work, settled);
}

/* The order in which jobs were booked says nothing. */
extern void running_keep_settled(void)
{
	bool settled = true;

	jobs_each(_keep_settled, NULL);
	jobs_each(_keep_settled, &settled);
}

/* Its comment counts if its queue has a rule for jobs that can't be preempted. */
extern bool running_is_plain(const struct job *job, const job_record_t *job_ptr)
{
	const struct workload *w = job->first.work;

	return (job_ptr->job_state == JOB_RUNNING) && !job_ptr->het_job_id &&
		!job_ptr->preempt_time && !job->provisional &&
		!workload_evicting(w) && !workload_is_nonpreemptible(w) &&
		!preemptibility_has_rule(workload_queue(w));
}

/* ---- jobs that run ---- */

extern void running_book(struct job *job, bool selected)
{
	int queue = job->first.work ? SPEC_NONE :
		queue_of_job(job->job_ptr, job->job_ptr->part_ptr);

	if (queue != SPEC_NONE)
		entry_submit(&job->first, queue);
	if (!job->first.work)
		return;
	charge_job(job, selected);
	job_get_run(job)->nodes_left = 0;
	job_get_run(job)->observed = false;
	job_get_run(job)->borrows = job_queue_borrows(job);
	jobs_set_alone(job, job_runs(job) && !evict_shares_nodes(job->job_ptr));
	_keep_kind(job);
	shown_clear_reason(job);
	jobs_unmark(job);
	job->first.observed = 0;
	job->first.recorded = job->first.room = false;
	chance_end_wait(job, &job->first);
	jobs_set_own(&job->first, 0);
	learn_forget_taken(&job->first);
}

/* Nothing is being freed for the job: neither quota nor nodes are kept for it. slurmctld's
 * last checks, such as limits on the selected nodes, may refuse it forever. */
static void _disown(struct job *preemptor)
{
	for_each_entry(e, preemptor) {
		if (!e->own_until || !e->work)
			continue;
		engine_disown(ctld.engine, e->work);
		jobs_set_own(e, 0);
	}
	if (jobs_record(preemptor) && preemptor->job_ptr->het_job_id)
		het_ended(preemptor->job_ptr);
}

/* Undo the eviction that was decided and that slurmctld did not carry out: the victim runs
 * on, and nothing is kept for the preemptor, which evicts no job for a while. */
static void _revoke_eviction(struct job *job)
{
	struct job *preemptor;

	if (!run_of(job)->noted)
		return;
	if ((preemptor = jobs_find(job->run->noted_by))) {
		chance_revoke_eviction(preemptor);
		_disown(preemptor);
	}
	job->run->noted = false;
	run_count_eviction(job->run, -1);
	job->run->evicted_in = 0;
	info(PREFIX "evict: %pJ keeps running: slurmctld did not evict it", job->job_ptr);
	eviction_revoke(job);
	saver_save();
}

/* Time spent suspended does not count as run time. */
static void _sync_pause(struct job *job)
{
	time_t paused = job_suspended_for(job->job_ptr, time(NULL));
	time_t was = run_of(job)->paused;

	if (paused == was)
		return;
	engine_pause(ctld.engine, job->first.work, ns_of(paused - was));
	job_get_run(job)->paused = paused;
}

/* On which terms others may evict it. The tasks of an array that asks for it
 * (--comment) are one elastic group. */
static void _sync_terms(struct job *job)
{
	const struct eviction_terms terms = {
		.exempt_until = _exempt_until(job),
		.cost = evict_cost(job->job_ptr),
		.ends_by = evict_ends_by(job->job_ptr),
		.group = job->job_ptr->array_job_id,
		.min_available = demand_min_available(job->job_ptr),
		.joined_to = het_joined_to(job),
	};

	if (workload_running(job->first.work) &&
	    engine_set_terms(ctld.engine, job->first.work, &terms))
		error(PREFIX "%pJ: %m", job->job_ptr);
}

/* Its rule, its QOS or the user's word may have changed: it becomes preemptible
 * at once, and non-preemptible as soon as the cap allows that. */
static void _sync_kind(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;
	struct workload *w = job->first.work;
	int queue = workload_queue(w);
	bool is = workload_is_nonpreemptible(w);

	if (!workload_running(w))
		return;
	if (is || preemptibility_has_rule(queue))
		(void) engine_set_nonpreemptible(
			ctld.engine, w, demand_min_available(job_ptr) &&
			preemptibility_is_non(
				job_ptr, job_ptr->part_ptr, queue,
				entry_priority(job_ptr, job_ptr->part_ptr)));
	_note_kind(job);
}

extern void running_sync(struct job *job)
{
	bool going = job->job_ptr->preempt_time != 0;

	if (!job_runs(job))
		running_book(job, false);
	else if (job->provisional)
		charge_job(job, false);
	if (!job->first.work)
		return;
	if (going != workload_evicting(job->first.work)) {
		engine_evicting(ctld.engine, job->first.work, going);
		if (!going) {
			_revoke_eviction(job);
			job_get_run(job)->turn_over = 0;
		}
	}
	_sync_pause(job);
	_sync_terms(job);
	_sync_kind(job);
}

extern bool running_sync_terms(struct job *job)
{
	struct workload *w = job->first.work;
	bool evicting = workload_evicting(w), fixed = workload_is_nonpreemptible(w);
	struct eviction_terms before, after;

	workload_terms(w, &before);
	running_sync(job);
	workload_terms(w, &after);
	return (after.exempt_until != before.exempt_until) || (after.cost != before.cost) ||
		(after.ends_by != before.ends_by) ||
		(workload_evicting(w) != evicting) || (workload_is_nonpreemptible(w) != fixed);
}
