/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  marks.c - which jobs must wait in a pass
 *
 *  slurmctld clears preempt_in_progress of every job when it builds its queue.
 *  So each pass goes through all jobs and sets all marks again.
\*****************************************************************************/
#include "hooks/pass.h"

#include "slurm/passes.h"
#include "events/events.h"
#include "match/match.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "books/books.h"
#include "placement/place.h"
#include "tell/tell.h"
#include "query.h"

/* What marks were set by last */
static struct {
	uint64_t changes;	/* ctld.changes */
	uint32_t plans;		/* ctld.plans */
	time_t patience;	/* untried_patience(), by what the last pass had */
	size_t nwaiting;	/* so many jobs must wait, */
	size_t ngoing;		/* ... and so many may start */
	bool waits_in_part;	/* of some job only tasks or entries must */
	bool offered;		/* since then a plan was asked for, which may let them go */
} marks;

/* ---- enforcement: observe, what would have been done ---- */

/* All is planned as with enforcement, and nothing is carried out. A line in
 * slurmctld.log appears when a job's verdict changes: it would wait, it would
 * evict (a line for each victim), it would have quota after all. The quota
 * that it waits for may change all the time; that does not change the verdict.
 * Waiting jobs are judged between passes, each visibility.updateInterval, and
 * others when they start: a pass starts jobs that its plan lets wait, so that
 * what the plan says of the rest holds for a moment only. An eviction is told
 * at once if nothing was told of the job: it may start soon, by an eviction of
 * Slurm's own plugin, for instance. The same goes into the file of events, once
 * for a wait. An eviction goes there if there is none yet of this run, or for this
 * preemptor. */
enum observed {
	OBSERVED_NOTHING,
	OBSERVED_START,
	OBSERVED_WAIT,
	OBSERVED_HELD,
	OBSERVED_NEVER,
	OBSERVED_PREEMPT,
};

static enum observed _what(const struct verdict *v)
{
	switch (v->kind) {
	case VERDICT_START:
		return OBSERVED_START;
	case VERDICT_PREEMPT:
		return OBSERVED_PREEMPT;
	case VERDICT_WAIT:
		return v->reason == WAIT_IS_HELD ? OBSERVED_HELD :
			v->reason == WAIT_IS_NEVER ? OBSERVED_NEVER : OBSERVED_WAIT;
	case VERDICT_NONE:
		break;
	}
	return OBSERVED_NOTHING;
}

/* first: of the job; entry: by which it would start */
static void _would_evict(struct entry *first, const struct entry *entry, const struct verdict *v)
{
	struct place p = { .job_ptr = entry->job->job_ptr,
			   .entry = (struct entry *) entry };
	struct nomination nom;

	/* the flavors and resources that it would be charged for */
	if (!engine_nominate(ctld.engine, entry->work, ns_of(time(NULL)), NULL, &nom)) {
		p.charges = (struct charge *) nom.charges;
		p.ncharges = nom.ncharges;
	}
	for (size_t i = 0; i < v->nvictims; i++)
		evict_observe(&p, &v->victims[i], !first->room);
	first->room = true;
}

/* At first all jobs wait anew, and may be more than are written at once: the others are
 * for the next time. */
static void _record_wait(struct entry *entry)
{
	char text[REASON_SIZE];

	if (entry->recorded || !events_have_room())
		return;
	reason_text(nearest_entry(entry), text);
	events_put(wait_observed(entry->job, text));
	entry->recorded = true;
}

extern void observe_judge(struct entry *entry, bool in_pass)
{
	const struct entry *nearest = nearest_entry(entry);
	const struct verdict *v = engine_verdict(ctld.engine, nearest->work);
	enum observed what = _what(v), was = entry->observed;
	const job_record_t *job_ptr = entry->job->job_ptr;
	char text[REASON_SIZE];

	if ((what == was) && (what >= OBSERVED_WAIT) && (what <= OBSERVED_NEVER))
		_record_wait(entry);
	/* A job that has just changed has no verdict until the next plan. */
	if ((what == was) || (what == OBSERVED_NOTHING))
		return;
	if (in_pass && (was || (what != OBSERVED_PREEMPT)))
		return;
	entry->observed = what;
	switch (what) {
	case OBSERVED_START:
		if (was != OBSERVED_NOTHING)
			info(PREFIX "observe: %pJ would have quota now", job_ptr);
		break;
	case OBSERVED_PREEMPT:
		_would_evict(entry, nearest, v);
		break;
	default:
		reason_text(nearest, text);
		info(PREFIX "observe: %pJ would wait: %s", job_ptr, text);
		_record_wait(entry);
	}
}

/* ---- one job ---- */

static bool _entry_waits(const struct entry *entry)
{
	if (entry->job->job_ptr->het_job_id)
		return !het_goes(entry->job) || entry->behind;
	return (engine_verdict_kind(ctld.engine, entry->work) == VERDICT_WAIT) || entry->behind;
}

/* Those of another pass. One that must wait may be in backfill's queue all the same, as
 * one that is planned (jobs/planned.c). */
static void _forget_places(struct job *job)
{
	job->slot = 0;
	for (int i = 0; i < job_nvias(job); i++)
		job->vias->all[i].slot = 0;
}

/* One place for each partition by which the job may start. Components with
 * several partitions keep Slurm's places: if the first component was tried in
 * all its partitions one after the other, it would plan all nodes. */
static void _hold_places(struct job *job)
{
	job_record_t *job_ptr = job->job_ptr;

	if (!job_nvias(job) && !(job_ptr->het_job_id && job_ptr->part_ptr_list))
		queue_order_add(&job->first, engine_verdict(ctld.engine, job->first.work),
				job_ptr->part_ptr, job_ptr->priority, &job->slot);
	for (int i = 0; i < job_nvias(job); i++) {
		struct via *via = &job->vias->all[i];

		if (!via->entry)
			continue;
		if (_entry_waits(via->entry)) {
			ctld.ordered = true;	/* it is tried there last of all */
			continue;
		}
		queue_order_add(via->entry, engine_verdict(ctld.engine, via->entry->work),
				via->part_ptr,
				compat_priority(job_ptr, via->listed,
						job->vias->nlisted), &via->slot);
	}
}

/* Of a job that may start, must some tasks or entries wait? Another plan may let them go
 * as well, and then the job is not one that is released. */
static bool _waits_in_part(const struct job *job)
{
	const struct workload *w = job->first.work;
	int64_t tasks = job_waiting_tasks(job->job_ptr);

	return job->first.next ||
		((tasks > 1) && (tasks > engine_verdict(ctld.engine, w)->starts));
}

/* Apply what the plan has for the job now. Must it wait, by all partitions? */
static bool _follow_plan(struct job *job, bool sorting)
{
	bool waits = !job->outside;

	for_each_entry(e, job) {
		bool entry_waits;

		e->started = 0;
		chance_release_if_in_turn(e);
		entry_waits = _entry_waits(e);
		waits &= entry_waits;
		chance_event(e, entry_waits ? PLAN_KEEPS : PLAN_OFFERS);
		if (job->first.next)
			chance_note_offer(e, sorting);
	}
	if (waits)
		job->offer.first_try = 0;
	return waits;
}

/* One that may start, as far as the plan goes. If slurmctld does not try it, and may not do so
 * for long, nobody waits for it: the next walk takes it out of the books. */
static void _let_go(struct job *job, struct marking *marking)
{
	marks.ngoing++;
	shown_update_start(job);
	if (!reason_is_nodes(job))
		shown_clear_reason(job);
	else if (marking->news)
		reason_set(job, marking->now);
	_hold_places(job);
	if (untried_watch(job, marks.patience, marking->now)) {
		info(PREFIX "%pJ could start, but Slurm does not try it: its place and its quota are free until it does",
		     job->job_ptr);
		count_work(WORK_UNTRIED);
		waker_schedule();
	}
	/* a job that is being tried was not passed over: it has been stamped
	 * for this very pass */
	if (!marking->testing)
		marking->passed_over |= chance_watch_job(job, marking->now);
}

/* Since when it could evict others is in the state file. */
static void _save_delay(struct job *job)
{
	struct workload_memory m;

	for_each_entry(e, job) {
		if (!e->work)
			continue;
		workload_recall(e->work, &m);
		if (m.could_evict)
			jobs_save(job);
	}
}

static void _keep_back(struct job *job, const struct marking *marking)
{
	marks.nwaiting++;
	chance_withdraw_offer(job);
	job->job_ptr->preempt_in_progress = true;
	shown_update_start(job);
	if (marking->news)
		reason_set(job, marking->now);
}

static void _mark(struct job *job, void *arg)
{
	struct marking *marking = arg;
	bool waits;

	_forget_places(job);
	if (!job_waits(job))
		return;
	if (ctld.conf->observe) {
		observe_judge(&job->first, marking->sorting || marking->testing);
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
	marks.waits_in_part |= !waits && _waits_in_part(job);
	if (marking->news)
		_save_delay(job);
	if (waits)
		_keep_back(job, marking);
	else
		_let_go(job, marking);
}

/* ---- all jobs ---- */

/* One that waits, and starts by another plan, is released (pass_follow()) */
static void _let_waiting_go(void)
{
	if (marks.waits_in_part)
		pass_request_another();
	else if ((marks.offered = marks.nwaiting))
		waker_refresh(0);
}

/* What goes before all others loses that place as well. */
extern void marks_let_others_go(const struct entry *entry)
{
	if (entry->job->first.next || entry->cleared)
		pass_request_another();
	else
		_let_waiting_go();
}

extern void marks_set(struct marking *marking)
{
	marking->news |= (marks.changes != ctld.changes) || (marks.plans != ctld.plans);
	marks.patience = untried_patience(marks.ngoing, marks.nwaiting);
	marks.nwaiting = marks.ngoing = 0;
	marks.waits_in_part = false;
	jobs_each(_mark, marking);
	/* what marking itself has changed is marked */
	marks.changes = ctld.changes;
	marks.plans = ctld.plans;
	/* backfill was first to see whom the plan lets go, and comes to few */
	if (marks.offered && marking->released && compat_in_backfill())
		waker_schedule();
	marks.offered = false;
	if (marking->passed_over)
		_let_waiting_go();
}
