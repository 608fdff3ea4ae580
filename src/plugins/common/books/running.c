/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  running.c - jobs that run: starts, ends, and the terms of their eviction
\*****************************************************************************/
#include "books/running.h"

#include "state/job.h"
#include "slurm/saver.h"
#include "slurm/passes.h"
#include "match/evict_terms.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/charge.h"
#include "request/demand.h"
#include "request/learn.h"
#include "record/comment.h"
#include "record/event.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/jobs.h"
#include "jobs/planned.h"
#include "tally/tally.h"
#include "books/ending.h"
#include "books/entries.h"
#include "books/exempt.h"
#include "books/het.h"
#include "books/history.h"

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

/* The job has its nodes. selected: as charge_job() */
static void _book(struct job *job, bool selected)
{
	int queue = job->first.work ? SPEC_NONE :
		queue_of_job(job->job_ptr, job->job_ptr->part_ptr);

	if (queue != SPEC_NONE)
		entry_submit(&job->first, queue);
	if (!job->first.work)
		return;
	ending_over(job);
	charge_job(job, selected);
	job_get_run(job)->borrows = job_queue_borrows(job);
	jobs_set_alone(job, job_runs(job) && !evict_shares_nodes(job->job_ptr));
	_keep_kind(job);
	shown_clear_reason(job);
	jobs_unmark(job);
	job->first.observed = 0;
	chance_end_wait(job, &job->first);
	jobs_set_own(&job->first, 0);
	learn_forget_taken(&job->first);
}

/* Nothing is being freed for the job: neither quota nor nodes are kept for it.
 * slurmctld's last checks, such as limits on the selected nodes, may refuse it
 * forever. */
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
	event_forget(job);
	run_count_eviction(job->run, -1);
	job->run->evicted_in = 0;
	info(PREFIX "evict: %pJ keeps running: slurmctld did not evict it",
	     job->job_ptr);
	if (ctld.conf->comments)
		comment_clear(job->job_ptr);
	comment_clear_admin(job->job_ptr);
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
		_book(job, false);
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
		(workload_evicting(w) != evicting) || (workload_is_nonpreemptible(w) != fixed);
}

/* slurmctld tells of the end of a job when the end begins: processes are still
 * to be killed, and epilogs to run. The job keeps its quota until its nodes are
 * free, or the same quota would be promised twice. */
extern bool running_is_leaving(const struct job *job)
{
	return job_runs(job) &&
		IS_JOB_COMPLETING(job->job_ptr);
}

static void _begin_to_leave(struct job *job)
{
	engine_evicting(ctld.engine, job->first.work, true);
	ending_begin(job);
	ending_await(job);
}

extern void running_sync_leaving(struct job *job)
{
	/* It may have ended before the books were begun (restart, reconfigure). */
	if (!job->first.work) {
		_book(job, false);
		if (!job_runs(job))
			return;
		_begin_to_leave(job);
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

/* ---- events of slurmctld ---- */

/* A task has left its array: what was decided for the array was decided for
 * this task. */
static void _leave_array(struct job *job, struct job *array,
			 part_record_t *part_ptr)
{
	struct entry *entry = job_entry_by_partition(array, part_ptr);
	/* the record that the array had until now is the task's */
	job_record_t *job_ptr = find_job_record(array->job_id);

	job->order_at = array->order_at;
	chance_end_wait(array, entry);
	planned_end_wait_of_task(array);
	array->job_ptr = job_ptr;
	if (job_ptr && job_ptr->details)
		job_ptr->details->preempt_start_time = 0;
	if (!entry)
		return;
	if (!job->first.flavors && entry->flavors) {
		job->first.flavors = entry->flavors;
		entry->flavors = NULL;
	}
	engine_disown(ctld.engine, entry->work);
	jobs_set_own(entry, 0);
	entry->started++;
}

/* Nothing is kept of a job that starts outside all queues, unless it was in one.
 * The list of its partitions is not looked at: slurmctld may have it locked. */
static bool _is_kept(job_record_t *job_ptr)
{
	return jobs_find(job_ptr->job_id) ||
		(job_ptr->array_job_id && jobs_find(job_ptr->array_job_id)) ||
		(queue_of_job(job_ptr, job_ptr->part_ptr) != SPEC_NONE);
}

static void _book_start(job_record_t *job_ptr)
{
	struct job *job = jobs_get(job_ptr), *array = NULL;

	if (job_ptr->array_job_id && (job_ptr->array_job_id != job_ptr->job_id))
		array = jobs_find(job_ptr->array_job_id);
	if (array && job_waits(array))
		_leave_array(job, array, job_ptr->part_ptr);
	job_get_run(job)->kind = RUN_IS_NEW;
	entries_settle(job, job_ptr->part_ptr);
	_book(job, true);
	if (job->first.work) {
		tally_start(job);
		exempt_started(job);
	}
	saver_save();
}

extern void books_started(job_record_t *job_ptr)
{
	history_advance_now();
	/* the eviction for it is over, for the array's next task too */
	job_ptr->details->preempt_start_time = 0;
	comment_clear_admin(job_ptr);
	if (_is_kept(job_ptr))
		_book_start(job_ptr);
	sentinel_offer(job_ptr);
}

extern void books_resized(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (!job || !job_runs(job))
		return;
	history_advance_now();
	job->job_ptr = job_ptr;
	_book(job, false);
	/* licenses and TRES are set later */
	job->provisional = true;
}

extern void books_ended(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);
	struct run *run;

	learn_released();
	if (!job)
		return;
	history_advance_now();
	if (job_ptr->het_job_id)
		het_ended(job_ptr);
	job->job_ptr = job_ptr;
	run = job_get_run(job);
	if (run->turn_over)	/* it had its turn: it goes behind the jobs that waited */
		job->order_at = job_time(run->turn_over);
	run->turn_over = 0;
	if (run->noted && job->first.work)
		tally_eviction(job);
	run->noted = false;
	job_keep(job);		/* slurmctld may requeue it */
	if (running_is_leaving(job))
		_begin_to_leave(job);
	else
		running_release(job);
	saver_save();
}
