/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  marks.c - which jobs must wait in a pass
 *
 *  slurmctld clears preempt_in_progress of every job when it builds its queue.
 *  So each pass sets all marks again. In long queues nearly all jobs wait, and
 *  for nearly all of them nothing but another plan can change that: they are
 *  listed, and as long as the plan stays, their flag is all that is touched.
 *
 *  The list is of the plan and of the records that it was made with
 *  (books_plans(), changes_count()). A job whose turn may come in another way is
 *  not listed, and looked at in full each time: one that the plan lets go, one
 *  with a deadline, with several partitions or components, one that was held
 *  back behind another.
\*****************************************************************************/
#include "hooks/marks.h"

#include "state/job.h"
#include "slurm/waker.h"
#include "match/job_standing.h"
#include "record/count.h"
#include "record/seats.h"
#include "record/shown.h"
#include "jobs/chance.h"
#include "jobs/changes.h"
#include "jobs/jobs.h"
#include "jobs/untried.h"
#include "books/books.h"
#include "books/het.h"
#include "tell/observe.h"
#include "tell/reason.h"
#include "hooks/queue_order.h"
#include "query.h"

struct list {
	struct job **jobs;
	size_t n, size;
};

static struct {
	struct list waiting;	/* by the plan, and by nothing else */
	struct list others;	/* jobs in line for which that is not so */
	uint64_t changes;	/* changes_count() when they were listed */
	uint32_t plans;		/* the same of books_plans() */
	time_t patience;	/* untried_patience(), by what the last pass had */
	bool known;
} calm;

static void _add(struct list *list, struct job *job)
{
	if (list->n == list->size) {
		list->size = MAX(2 * list->size, 256);
		xrecalloc(list->jobs, list->size, sizeof(*list->jobs));
	}
	list->jobs[list->n++] = job;
}

/* ---- one job ---- */

static bool _entry_waits(const struct entry *entry)
{
	if (entry->job->job_ptr->het_job_id)
		return !het_goes(entry->job) || entry->chance.behind;
	return (engine_verdict_kind(ctld.engine, entry->work) ==
		VERDICT_WAIT) || entry->chance.behind;
}

/* One place for each partition by which the job may start. Components with
 * several partitions keep Slurm's places: if the first component was tried in
 * all its partitions one after the other, it would plan all nodes. */
static void _hold_places(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!job->nvias && !(job_ptr->het_job_id && job_ptr->part_ptr_list))
		queue_order_add(&job->first, job_ptr->part_ptr,
				job_ptr->priority, &job->slot);
	for (int i = 0; i < job->nvias; i++) {
		struct via *via = &job->vias[i];

		via->slot = 0;
		if (!via->entry)
			continue;
		if (_entry_waits(via->entry)) {
			queue_order_note_last();
			continue;
		}
		queue_order_add(via->entry, via->part_ptr,
				compat_priority(job_ptr, via->listed,
						job->nlisted), &via->slot);
	}
}

/* The job must wait by all partitions. */
static bool _must_wait(const struct job *job)
{
	bool waits = !job->outside;

	for_each_entry(e, job)
		waits &= _entry_waits(e);
	return waits;
}

/* Apply what the plan has for the job now. Must it wait? */
static bool _follow_plan(struct job *job, bool sorting)
{
	bool waits;

	for_each_entry(e, job) {
		e->started = 0;
		chance_release_if_in_turn(e);
	}
	waits = _must_wait(job);
	if (job->first.next) {
		for_each_entry(e, job)
			chance_note_offer(e, sorting);
	}
	if (waits)
		chance_forget_tries(job);
	return waits;
}

/* slurmctld does not try it, and may not do so for long: nobody waits for it. The next
 * scan takes it out of the books. */
static void _pass_over_if_untried(struct job *job, time_t now)
{
	if (!untried_watch(job, calm.patience, now))
		return;
	info(PREFIX "%pJ could start, but Slurm does not try it: its place and its quota are free until it does",
	     job->job_ptr);
	count_work(WORK_UNTRIED);
	books_request_scan();
	waker_schedule();
}

static void _mark(struct job *job, struct marking *marking)
{
	bool waits;

	job->slot = 0;
	if (!job_waits(job))
		return;
	count_work(WORK_MARK);
	if (ctld.conf->observe) {
		observe_judge(&job->first);
		return;
	}
	/* slurmctld ends a job that is past its deadline when it tries it */
	waits = _follow_plan(job, marking->sorting) &&
		!job_is_too_late(job->job_ptr, marking->now);
	if (job->marked && !waits) {
		job->job_ptr->preempt_in_progress = false;
		marking->released = true;
		shown_release_start(job);
	}
	job->marked = waits;
	if (!waits)
		seat_unsettle(job);
	if (waits) {
		chance_withdraw_offer(job);
		shown_update_start(job);
		job->job_ptr->preempt_in_progress = true;
		if (marking->news)
			reason_set(job, marking->now);
		return;
	}
	shown_update_start(job);
	if (!reason_is_nodes(job))
		shown_clear_reason(job);
	else if (marking->news)
		reason_set(job, marking->now);
	_hold_places(job);
	_pass_over_if_untried(job, marking->now);
	/* a job that is being tried was not passed over: it has been stamped
	 * for this very pass */
	if (!marking->testing)
		chance_watch_job(job, marking->now);
}

/* ---- all jobs ---- */

/* Can only another plan change that the job waits? */
static bool _waits_by_plan(const struct job *job)
{
	return job->marked && !job->first.next && !job->nvias &&
		!job->first.chance.behind && !job->job_ptr->het_job_id &&
		(!job->job_ptr->deadline || (job->job_ptr->deadline == NO_VAL));
}

static void _mark_and_list(struct job *job, void *arg)
{
	_mark(job, arg);
	if (!job_waits(job))
		return;
	_add(_waits_by_plan(job) ? &calm.waiting : &calm.others, job);
}

static void _mark_all(struct marking *marking)
{
	calm.waiting.n = calm.others.n = 0;
	calm.plans = books_plans();
	jobs_each(_mark_and_list, marking);
	/* what marking itself has changed is in the lists */
	calm.changes = changes_count();
	calm.known = true;
}

#define AHEAD 8

/* slurmctld has cleared the flag, and backfill may have taken the time away. */
static void _mark_listed(void)
{
	const struct list *list = &calm.waiting;

	for (size_t i = 0; i < list->n; i++) {
		if (i + 2 * AHEAD < list->n)
			__builtin_prefetch(list->jobs[i + 2 * AHEAD]);
		if (i + AHEAD < list->n) {
			job_record_t *next = list->jobs[i + AHEAD]->job_ptr;

			__builtin_prefetch(&next->preempt_in_progress, 1);
			__builtin_prefetch(&next->start_time);
		}
		shown_update_start(list->jobs[i]);
		list->jobs[i]->job_ptr->preempt_in_progress = true;
	}
}

extern bool marks_are_outdated(void)
{
	return !calm.known || (calm.changes != changes_count()) ||
		(calm.plans != books_plans());
}

extern void marks_set(struct marking *marking)
{
	calm.patience = untried_patience(calm.others.n, calm.waiting.n);
	if (marking->news || ctld.conf->observe || marks_are_outdated()) {
		_mark_all(marking);
		return;
	}
	_mark_listed();
	/* texts of these change by the clock, or as they are tried */
	marking->news = true;
	for (size_t i = 0; i < calm.others.n; i++)
		_mark(calm.others.jobs[i], marking);
}
