/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  marks.c - which jobs must wait in a pass
 *
 *  slurmctld clears preempt_in_progress of every job when it builds its queue.
 *  So each pass sets all marks again. In long queues nearly all jobs wait, and
 *  for nearly all of them nothing but another plan can change that: these are
 *  settled (jobs/changes.h), and their flag is all that is touched. A job whose
 *  turn may come in another way is open, and looked at in full each time: one that
 *  the plan lets go, one with a deadline, with several partitions or components,
 *  one that was held back behind another.
\*****************************************************************************/
#include "hooks/marks.h"

#include "state/job.h"
#include "slurm/passes.h"
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

/* What marks were set by last */
static struct {
	uint64_t changes;	/* changes_count() */
	uint32_t plans;		/* books_plans() */
	uint64_t reasons;	/* engine_reasons() */
	time_t patience;	/* untried_patience(), by what the last pass had */
	time_t all_at;		/* when all jobs were looked at */
	size_t open_waits;	/* how many of the open jobs must wait */
	bool waits_in_part;	/* of some job only tasks or entries must */
	bool offered;		/* since then a plan was asked for, which may let them go */
} marks;

/* ---- one job ---- */

static bool _entry_waits(const struct entry *entry)
{
	if (entry->job->job_ptr->het_job_id)
		return !het_goes(entry->job) || entry->chance.behind;
	return (engine_verdict_kind(ctld.engine, entry->work) ==
		VERDICT_WAIT) || entry->chance.behind;
}

/* Those of another pass. One that must wait may be in backfill's queue all the same, as
 * one that is planned (jobs/planned_turns.c). */
static void _forget_places(struct job *job)
{
	job->slot = 0;
	for (int i = 0; i < job_nvias(job); i++)
		job_vias(job)->all[i].slot = 0;
}

static void _hold_place(struct job *job, const struct verdict *v)
{
	queue_order_add(&job->first, v, job->job_ptr->part_ptr, job->job_ptr->priority,
			&job->slot);
}

/* One place for each partition by which the job may start. Components with
 * several partitions keep Slurm's places: if the first component was tried in
 * all its partitions one after the other, it would plan all nodes. */
static void _hold_places(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!job_nvias(job) && !(job_ptr->het_job_id && job_ptr->part_ptr_list))
		_hold_place(job, engine_verdict(ctld.engine, job->first.work));
	for (int i = 0; i < job_nvias(job); i++) {
		struct via *via = &job_vias(job)->all[i];

		if (!via->entry)
			continue;
		if (_entry_waits(via->entry)) {
			queue_order_note_last();
			continue;
		}
		queue_order_add(via->entry, engine_verdict(ctld.engine, via->entry->work),
				via->part_ptr,
				compat_priority(job_ptr, via->listed,
						job_vias(job)->nlisted), &via->slot);
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

/* Of a job that may start, must some tasks or entries wait? Another plan may let them go
 * as well, and then the job is not one that is released. */
static bool _waits_in_part(const struct job *job)
{
	const struct workload *w = job->first.work;
	int64_t tasks = job_waiting_tasks(job->job_ptr);

	return entry_next(&job->first) ||
		((tasks > 1) && (tasks > engine_verdict(ctld.engine, w)->starts));
}

/* Apply what the plan has for the job now. Must it wait? */
static bool _follow_plan(struct job *job, bool sorting)
{
	bool waits;

	for_each_entry(e, job) {
		entry_forget_started(e);
		chance_release_if_in_turn(e);
	}
	waits = _must_wait(job);
	if (entry_next(&job->first)) {
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
	if (!untried_is_to_be_watched(job, marks.patience, now) ||
	    !untried_watch(job, marks.patience, now))
		return;
	info(PREFIX "%pJ could start, but Slurm does not try it: its place and its quota are free until it does",
	     job->job_ptr);
	count_work(WORK_UNTRIED);
	books_request_scan();
	waker_schedule();
}

/* What is shown of one that may start, as far as the plan goes */
static void _show_going(struct job *job, const struct marking *marking)
{
	shown_update_start(job);
	if (!reason_is_nodes(job))
		shown_clear_reason(job);
	else if (marking->news)
		reason_set(job, marking->now);
}

static void _watch(struct job *job, struct marking *marking)
{
	_pass_over_if_untried(job, marking->now);
	/* a job that is being tried was not passed over: it has been stamped
	 * for this very pass */
	if (!marking->testing && chance_is_to_be_watched(job))
		marking->passed_over |= chance_watch_job(job, marking->now);
}

static void _let_go(struct job *job, struct marking *marking)
{
	_show_going(job, marking);
	_hold_places(job);
	_watch(job, marking);
}

static void _keep_back(struct job *job, const struct marking *marking)
{
	marks.open_waits++;
	chance_withdraw_offer(job);
	job->job_ptr->preempt_in_progress = true;
	shown_update_start(job);
	if (marking->news)
		reason_set(job, marking->now);
}

/* Where nodes are the limit, thousands may start, and find none. Of one that had no mark,
 * with one task and one entry, and that the plan lets go, there is nothing else to be
 * looked at: _mark() would find the same. */
static bool _mark_if_it_still_goes(struct job *job, struct marking *marking)
{
	const job_record_t *job_ptr = job->job_ptr;
	const struct verdict *v;

	if (job->marked || job_nvias(job) || entry_next(&job->first) || job->outside ||
	    job->first.chance.behind || job_ptr->het_job_id || job_ptr->array_recs)
		return false;
	v = engine_verdict(ctld.engine, job->first.work);
	if (v->kind == VERDICT_WAIT)
		return false;
	job->slot = 0;
	entry_forget_started(&job->first);
	_show_going(job, marking);
	_hold_place(job, v);
	_watch(job, marking);
	return true;
}

static void _mark(struct job *job, struct marking *marking)
{
	bool waits;

	if (!job_waits(job)) {
		_forget_places(job);
		return;
	}
	count_work(WORK_MARK);
	if (ctld.conf->observe) {
		_forget_places(job);
		observe_judge(&job->first, marking->sorting || marking->testing);
		return;
	}
	if (_mark_if_it_still_goes(job, marking))
		return;
	_forget_places(job);
	/* slurmctld ends a job that is past its deadline when it tries it */
	waits = _follow_plan(job, marking->sorting) &&
		!job_is_too_late(job->job_ptr, marking->now);
	if (job->marked && !waits) {
		job->job_ptr->preempt_in_progress = false;
		marking->released = true;
		shown_release_start(job);
		seat_unsettle(job);
	}
	job->marked = waits;
	marks.waits_in_part |= !waits && _waits_in_part(job);
	if (waits)
		_keep_back(job, marking);
	else
		_let_go(job, marking);
}

/* ---- all jobs ---- */

static bool _has_deadline(const struct job *job)
{
	return job->job_ptr->deadline && (job->job_ptr->deadline != NO_VAL);
}

/* Can only another plan change that the job waits? */
static bool _waits_by_plan(const struct job *job)
{
	return job->marked && !entry_next(&job->first) && !job_nvias(job) &&
		!job->first.chance.behind && !_has_deadline(job);
}

static void _mark_in_full(struct job *job, void *arg)
{
	_mark(job, arg);
	if (!job_waits(job))
		changes_forget(job);
	else if (_waits_by_plan(job))
		changes_settle(job);
	else
		changes_reopen(job);
}

static void _mark_all(struct marking *marking)
{
	changes_forget_all();
	jobs_each(_mark_in_full, marking);
	changes_listed();
	marks.all_at = marking->now;
}

/* All that wait are listed, and a settled job that another plan has not reopened is
 * still settled, unless its user has given it a deadline. */
static void _check(struct job *job, void *arg)
{
	bool listed = job->listed;

	if (listed ? !job->settled : !job_waits(job))
		return;
	_mark_in_full(job, arg);
	if (!listed || (!job->settled && !_has_deadline(job)))
		error(PREFIX "%pJ has changed, and nobody has told", job->job_ptr);
}

static void _check_all(struct marking *marking)
{
	jobs_each(_check, marking);
	marks.all_at = marking->now;
}

/* All others that are listed are open. */
static void _reopen_one(struct job *job, void *arg UNUSED)
{
	if (job->settled)
		changes_reopen(job);
}

/* A component that waits for the victims of another one goes with that (het_goes()). */
static void _reopen(void *arg UNUSED, const struct workload *w,
		    const struct verdict *v UNUSED)
{
	struct job *job = job_of(w);

	_reopen_one(job, NULL);
	if (!workload_running(w) && job->job_ptr->het_job_id)
		het_each_waiting(job->job_ptr, _reopen_one, NULL);
}

#define AHEAD 8

/* The next ones of a list that is gone through from its end */
static void _fetch_ahead(const struct job_list *list, size_t i)
{
	const job_record_t *next;

	if (i >= 2 * AHEAD)
		__builtin_prefetch(*job_list_at(list, i - 2 * AHEAD));
	if (i < AHEAD)
		return;
	next = (*job_list_at(list, i - AHEAD))->job_ptr;
	__builtin_prefetch(&next->preempt_in_progress, 1);
	__builtin_prefetch(&next->start_time);
}

/* slurmctld has cleared the flag, and backfill may have taken the time away. Their texts
 * are brought up to date between passes (reason_restore()), but one that contradicts the
 * plan is put right at once. From the end on: a job whose text was lost leaves the list. */
static void _mark_settled(const struct marking *marking)
{
	const struct job_list *list = changes_settled();
	bool texts = marks.reasons != engine_reasons(ctld.engine);

	for (size_t i = list->n; i-- > 0; ) {
		struct job *job = *job_list_at(list, i);

		_fetch_ahead(list, i);
		job->job_ptr->preempt_in_progress = true;
		shown_update_start(job);
		if (texts)
			reason_set(job, marking->now);
	}
}

static void _mark_open(struct marking *marking)
{
	const struct job_list *list = changes_open();

	/* texts of these change by the clock, or as they are tried */
	marking->news = true;
	for (size_t i = list->n; i-- > 0; )
		_mark_in_full(*job_list_at(list, i), marking);
}

extern bool marks_are_outdated(void)
{
	return !changes_are_listed() || (marks.changes != changes_count()) ||
		(marks.plans != books_plans());
}

/* A deadline is seen then, and what should not be is told */
#define CHECK_SECONDS 10

static bool _is_time_to_check(const struct marking *marking)
{
	return marking->news && (marking->now - marks.all_at >= CHECK_SECONDS);
}

/* One that waits, and starts by another plan, is released (pass_refresh()) */
static void _let_waiting_go(void)
{
	if (!changes_are_listed() || marks.waits_in_part)
		pass_request_another();
	else if ((marks.offered = marks.open_waits || changes_settled()->n))
		waker_refresh();
}

/* What goes before all others loses that place as well. */
extern void marks_let_others_go(const struct entry *entry)
{
	if (entry_next(&entry->job->first) || entry_cleared(entry))
		pass_request_another();
	else
		_let_waiting_go();
}

extern void marks_set(struct marking *marking)
{
	bool check;

	marks.open_waits = 0;
	marks.waits_in_part = false;
	marks.patience = untried_patience(changes_open()->n, changes_settled()->n);
	marking->news |= marks_are_outdated();
	check = _is_time_to_check(marking);
	if (!changes_are_listed() || ctld.conf->observe || (marking->now < marks.all_at)) {
		_mark_all(marking);
	} else {
		if (marks.plans != books_plans())
			engine_promises(ctld.engine, _reopen, NULL);
		_mark_settled(marking);
		_mark_open(marking);
		if (check)
			_check_all(marking);
	}
	/* what marking itself has changed is in the lists */
	marks.changes = changes_count();
	marks.plans = books_plans();
	marks.reasons = engine_reasons(ctld.engine);
	/* backfill was first to see whom the plan lets go, and comes to few */
	if (marks.offered && marking->released && compat_in_backfill())
		waker_schedule();
	marks.offered = false;
	if (marking->passed_over)
		_let_waiting_go();
}
