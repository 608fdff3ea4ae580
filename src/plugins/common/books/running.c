/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.c - jobs that run, and on which terms they may be evicted
\*****************************************************************************/
#include "books/running.h"

#include "state/job.h"
#include "match/evict_terms.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/charge.h"
#include "request/demand.h"
#include "request/learn.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "jobs/lent_nodes.h"
#include "books/ending.h"
#include "books/entries.h"
#include "books/exempt.h"
#include "books/het.h"
#include "books/revoke.h"

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
		job->run->settled = job_runs(job) &&
			workload_settled(job->first.work);
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
	if (!job->first.work && !entries_submit(job))
		return;
	ending_over(job);
	charge_job(job, selected);
	lent_note_charge(job);
	jobs_set_alone(job, job_runs(job) && !evict_shares_nodes(job->job_ptr));
	_keep_kind(job);
	shown_clear_reason(job);
	jobs_unmark(job);
	job->first.observed = 0;
	chance_end_wait(job);
	jobs_set_own(&job->first, 0);
	learn_forget_taken(&job->first);
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
		.exempt_until = exempt_until(job),
		.cost = evict_cost(job->job_ptr),
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
			revoke_eviction(job);
			job_get_run(job)->turn_over = 0;
		}
	}
	_sync_pause(job);
	_sync_terms(job);
	_sync_kind(job);
}

/* slurmctld tells of the end of a job when the end begins: processes are still
 * to be killed, and epilogs to run. The job keeps its quota until its nodes are
 * free, or the same quota would be promised twice. */
extern bool running_is_leaving(const struct job *job)
{
	return job_runs(job) &&
		IS_JOB_COMPLETING(job->job_ptr);
}

extern void running_begin_to_leave(struct job *job)
{
	engine_evicting(ctld.engine, job->first.work, true);
	ending_begin(job);
	ending_await(job);
}

extern void running_sync_leaving(struct job *job)
{
	/* It may have ended before the books were begun (restart, reconfigure). */
	if (!job->first.work) {
		running_book(job, false);
		if (!job_runs(job))
			return;
		running_begin_to_leave(job);
	}
	ending_sync(job);
	ending_await(job);
}

extern void running_release(struct job *job)
{
	ending_over(job);
	entries_unbook(job);
	xfree(job->first.flavors);
}
