/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.c - job records into events for the engine
 *
 *  slurmctld tells its plugins when a job gets and releases its nodes, but not
 *  when a job is submitted, changed, held or cancelled while it waits. So every
 *  pass looks at the records that may have changed (record/seats.h). A fingerprint
 *  shows that a job has not, and only a changed job becomes an event.
\*****************************************************************************/
#include "books/books.h"

#include "state/job.h"
#include "state/keep.h"
#include "slurm/clock.h"
#include "slurm/layout.h"
#include "slurm/passes.h"
#include "match/flavor_nodes.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/floor.h"
#include "request/learn.h"
#include "record/due.h"
#include "record/seats.h"
#include "record/shown.h"
#include "record/turns.h"
#include "jobs/jobs.h"
#include "jobs/lent_nodes.h"
#include "jobs/untried.h"
#include "tally/slurm_usage.h"
#include "books/ending.h"
#include "books/entries.h"
#include "books/het.h"
#include "books/history.h"
#include "books/running.h"
#include "books/waiting.h"

static struct {
	uint32_t number;
	uint32_t seen;			/* jobs that the scan saw */
	time_t at;			/* when the scan was made; 0: one is due */
	time_t made;			/* the same, of the last one; 0: none yet */
	time_t stamp;			/* last_job_update, then */
	time_t all_at;			/* the same, of the last one of all records */
	uint32_t newest;		/* the highest job id that was seen */
	uint32_t question;		/* the record that scans skip, or 0 */
	uint64_t looks;			/* at records, in all scans so far */
	uint32_t plans;
	bool whole;			/* the next one looks at all records */
	time_t ran;			/* the last look at all that run, */
	uint64_t ran_in;		/* ... and its pass */
} scan;

struct books_rest books_rest;

extern void books_skip_question(uint32_t job_id)
{
	scan.question = job_id;
}

extern void books_forget(struct job *job)
{
	entries_unbook(job);
	lent_note_release(job);
	jobs_drop(job);
}

static void _note_eviction(void *arg, const struct workload *w UNUSED,
			   const struct verdict *v)
{
	*(bool *) arg |= v->kind == VERDICT_PREEMPT;
}

static bool _evicts(void)
{
	bool evicts = false;

	if (engine_evicts(ctld.engine))
		engine_promises(ctld.engine, _note_eviction, &evicts);
	return evicts;
}

/* A plan that evicts is made of records that were looked at for it. */
extern int books_plan(time_t now)
{
	int planned, again = 0;

	slurm_usage_look(now);
	planned = engine_plan(ctld.engine, ns_of(now));
	if (_evicts() && books_look_at_running())
		again = engine_plan(ctld.engine, ns_of(now));
	if (again)		/* negative, or it is another one */
		planned = again;
	scan.plans += planned != 0;
	return planned;
}

extern uint32_t books_plans(void)
{
	return scan.plans;
}

/* ---- scans ---- */

/* Is it out of line because slurmctld does not try it? Cheap for most jobs */
static bool _is_passed_over(struct job *job, job_record_t *job_ptr,
			    bool in_line)
{
	if (job)
		untried_look(job, job_ptr, in_line);
	return in_line &&
		(job_ptr->het_job_id || (job && offer_of(job)->tries.missing)) &&
		het_is_untried(job_ptr);
}

/* A job that is out of line: is a text of ours right, or still to be cleared? */
static bool _has_text(const struct job *job)
{
	return job && (job->first.work || offer_of(job)->tries.missing);
}

static struct job *_sync(job_record_t *job_ptr,
			 bool (*is_in_line)(job_record_t *job_ptr, time_t now))
{
	bool waiting, running, leaving;
	struct job *job;

	layout_check_job(job_ptr);
	if (ctld.broken)
		return NULL;
	job = jobs_find(job_ptr->job_id);
	if (!job && job_is_over(job_ptr))
		return NULL;
	if (!job && job_is_outside(job_ptr)) {
		shown_clear_saved(job_ptr);
		return NULL;
	}
	waiting = is_in_line(job_ptr, time(NULL));
	waiting &= !_is_passed_over(job, job_ptr, waiting);
	running = !waiting && job_holds_nodes(job_ptr);
	leaving = !waiting && !running && job_leaves_nodes(job_ptr);
	if (!waiting && !running && !leaving && !_has_text(job)) {
		shown_clear_saved(job_ptr);
		if (!job)
			return NULL;
	}
	if (!job)
		job = jobs_get(job_ptr);
	job->job_ptr = job_ptr;
	if (job->scan != scan.number)
		scan.seen++;
	job->scan = scan.number;
	if (waiting)
		waiting_sync(job);
	else if (running)
		running_sync(job);
	else if (leaving && (!job->first.work || running_is_leaving(job)))
		running_sync_leaving(job);
	else if (job->first.work && !running_is_leaving(job))
		running_release(job);
	if (!waiting && !running)
		keep_note_if_moved(job);
	return job;
}

extern struct job *books_sync(job_record_t *job_ptr)
{
	return _sync(job_ptr, job_is_in_line);
}

extern struct job *books_sync_asked(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);
	bool was_booked = job && job->first.work;

	if (job)
		untried_look(job, job_ptr, false);
	job = _sync(job_ptr, job_is_in_line_as_asked);
	/* it may be put off again before the next scan */
	if (job && job->first.work && !was_booked)
		seat_unsettle(job);
	return job;
}

static void _drop_purged(struct job *job, void *arg UNUSED)
{
	if (job->scan == scan.number)
		return;
	job->job_ptr = NULL;	/* its record is gone */
	books_forget(job);
}

static void _forget_fingerprint(struct job *job, void *arg UNUSED)
{
	for_each_entry(e, job)
		learn_forget(e);
	job->fingerprint = 0;
}

/* Slurm stamps every change of jobs, partitions and nodes, to the second. Its scheduler stamps
 * jobs with the second in which a pass began: that may be before a scan, and go back. */
extern bool books_are_up_to_date(void)
{
	return scan.at && (last_job_update < scan.at) && (last_job_update == scan.stamp) &&
		(last_part_update < scan.at) && (last_node_update < scan.at) &&
		(last_resv_update < scan.at);
}

/* Whatever the stamps say, and all else that is known: what neither shows is seen after
 * so many seconds. */
#define FULL_LOOK 60

/* It does not stamp a job that becomes due, or that loses its dependency. Stamps
 * say nothing when the clock was set back. */
static bool _nothing_new(time_t now)
{
	return books_are_up_to_date() && (now >= scan.at) && !due_is(now) &&
		(now < scan.all_at + FULL_LOOK);
}

extern uint64_t books_looks(void)
{
	return scan.looks;
}

/* Slurm stamps the jobs in each pass that tries some. Where the books have no job, one
 * of ours that is tried is found by the try (pass_begin_if_due()), and another by the
 * next scan. The clock is not asked, as that takes time: where it was set back, the
 * waker has the records looked at. */
#define EMPTY_LOOK 6			/* seconds */

static void _scanned_at(time_t at)
{
	scan.at = at;
	books_rest.jobs = at ? at + EMPTY_LOOK : 0;
	books_rest.parts = at;
}

extern void books_request_look(void)
{
	_scanned_at(0);
}

extern void books_request_scan(void)
{
	_scanned_at(0);
	scan.whole = true;
}

/* How soon it is seen that slurmctld tries a job again, if no stamp tells */
#define UNTRIED_LOOK 10			/* seconds */

/* How long the engine may go by the run time of a job that is suspended */
#define SUSPENDED_LOOK 30		/* seconds */

/* What is new, ctld.changes tells. */
static void _look_at_one(size_t i)
{
	job_record_t *job_ptr = seat_at(i)->job_ptr;
	struct job *job;

	scan.newest = MAX(scan.newest, job_ptr->job_id);
	if (scan.question && (job_ptr->job_id == scan.question))
		return;
	scan.looks++;
	if ((job = books_sync(job_ptr)) && job_waits(job))
		due_at(learn_due(job));
	if (job && offer_of(job)->tries.missing)
		due_at(scan.at + UNTRIED_LOOK);
	/* its run time stands still: the engine has to be told */
	if (IS_JOB_SUSPENDED(job_ptr))
		due_at(scan.at + SUSPENDED_LOOK);
	due_note(job_ptr);
	seat_settle(i, job);
	/* Slurm has put something in the place of our text? */
	if (job && job->marked && job_waits(job) && !shown_is_there(job))
		ctld.changes++;
}

/* Those that are looked at always have their look, and others as the first one had. */
static void _look_at_fellow(struct job *job, void *arg UNUSED)
{
	size_t i = job->seat - 1;

	if ((job->scan != scan.number) && job->seat && (i < seats_count()) &&
	    (seat_at(i)->job_id == job->job_id) && (seat_at(i)->look == LOOK_IF_CHANGED))
		_look_at_one(i);
}

/* What has changed of one component counts for all. */
static void _look_at(size_t i)
{
	_look_at_one(i);
	if (!ctld.broken && seat_at(i)->job_ptr->het_job_id)
		het_each_waiting(seat_at(i)->job_ptr, _look_at_fellow, NULL);
}

static void _look_at_all(void)
{
	scan.newest = 0;
	scan.all_at = scan.at;
	turns_forget();
	for (size_t i = 0; (i < seats_count()) && !ctld.broken; i++)
		_look_at_one(i);
	if (!ctld.broken && (scan.seen < ctld.njobs))
		jobs_each(_drop_purged, NULL);
}

/* ---- a scan of those that may have changed ---- */

/* The others are looked at in each scan, or that their time has not come is all that
 * there is to see. */
static void _look_if_in_turn(size_t i)
{
	const struct seat *seat = seat_at(i);

	if ((seat->look != LOOK_ALWAYS) && (seat->look != LOOK_IF_DUE) &&
	    !running_is_as_seen(seat->job_ptr))
		_look_at(i);
}

static void _look_in_turn(size_t n)
{
	for (size_t left = turns_due(n); left && !ctld.broken; left--)
		_look_if_in_turn(turns_next(n));
	if (turns_are_owed())
		due_at(scan.at + 1);
}

static void _look_at_some(bool stamped)
{
	size_t n = seats_count();

	if (stamped)
		turns_owe(n);
	_look_in_turn(n);
	for (size_t i = 0; (i < n) && !ctld.broken; i++) {
		enum seat_look look = seat_at(i)->look;

		if (look == LOOK_IN_TURN)
			continue;
		seat_fetch_ahead(i);
		if (!seat_is_as_seen(i, scan.at))
			_look_at(i);
	}
}

/* One that came into the books between two scans, and has no seat yet, is looked at
 * whatever its record says now. */
static void _forget_gone(uint32_t job_id)
{
	struct job *job = jobs_find(job_id);
	job_record_t *job_ptr = job ? find_job_record(job_id) : NULL;

	if (!job || (job_ptr && job->seat))
		return;
	if (job_ptr) {
		if (job_id != scan.question)
			(void) books_sync(job_ptr);
		return;
	}
	job->job_ptr = NULL;
	books_forget(job);
}

/* What all jobs depend on has changed, or it is not known what has. */
static bool _is_all_new(time_t now)
{
	return scan.whole || (now < scan.made) || (now >= scan.all_at + FULL_LOOK) ||
		(last_part_update >= scan.made) || (last_resv_update >= scan.made);
}

extern bool books_scan(void)
{
	time_t now = time(NULL);
	bool whole, stamped;

	if (_nothing_new(now))
		return false;
	stamped = !books_are_up_to_date();
	whole = _is_all_new(now);
	history_advance_now();
	scan.number++;
	scan.seen = 0;
	_scanned_at(now);
	scan.made = now;
	scan.stamp = last_job_update;
	scan.whole = false;
	due_forget(now);
	learn_completed();
	ending_await_none();
	running_begin_looks();
	if (flavor_refresh(floor_refresh())) {
		learn_flush();
		jobs_each(_forget_fingerprint, NULL);
		whole = true;
	}
	if (!seats_refresh(_forget_gone) || whole) {
		_look_at_all();
		return true;
	}
	_look_at_some(stamped);
	return false;
}

extern bool books_look_at_running(void)
{
	time_t now = time(NULL);

	if ((now == scan.ran) && (pass_begun() == scan.ran_in))
		return false;
	scan.ran = now;
	scan.ran_in = pass_begun();
	history_advance_now();
	scan.looks += running_sync_all();
	return true;
}

/* Ids are given out in turn, so the new records are those between the highest
 * id that was seen and this one. Where ids begin anew, or were chosen by hand,
 * there is no such range. */
static bool _is_next(const job_record_t *job_ptr, time_t now)
{
	return scan.made && (now >= scan.made) && (now <= scan.made + 1) &&
		(job_ptr->job_id > scan.newest) &&
		(job_ptr->job_id - scan.newest <=
		 (uint32_t) list_count(job_list));
}

static void _look_between(uint32_t job_id)
{
	job_record_t *job_ptr = find_job_record(job_id);

	if (!job_ptr)
		return;
	scan.looks++;
	(void) books_sync(job_ptr);
}

extern void books_scan_new(const job_record_t *job_ptr)
{
	if (!_is_next(job_ptr, time(NULL))) {
		(void) books_scan();
		return;
	}
	history_advance_now();
	while (++scan.newest < job_ptr->job_id)
		_look_between(scan.newest);
	ending_look(_look_between);
}
