/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.c - job records into events for the engine
 *
 *  slurmctld tells its plugins when a job gets and releases its nodes, but not
 *  when a job is submitted, changed, held or cancelled while it waits. So every
 *  pass looks at all job records once. A fingerprint shows at little cost that
 *  a job has not changed, and only a changed job becomes an event.
\*****************************************************************************/
#include "books/books.h"

#include "state/job.h"
#include "state/keep.h"
#include "slurm/layout.h"
#include "match/flavor_nodes.h"
#include "match/job_standing.h"
#include "match/queue_of_job.h"
#include "request/floor.h"
#include "request/learn.h"
#include "record/shown.h"
#include "jobs/jobs.h"
#include "jobs/untried.h"
#include "tally/slurm_usage.h"
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
	uint32_t newest;		/* the highest job id that was seen */
	time_t due;			/* when the clock puts a job in line; 0: never */
	bool unsettled;			/* a job may get in line without a stamp */
	uint32_t question;		/* the record that scans skip, or 0 */
	uint64_t looks;			/* at records, in all scans so far */
	uint32_t plans;
	job_record_t **records;		/* slurmctld's list, as one scan sees it */
	size_t nrecords, size;
} scan;

extern void books_skip_question(uint32_t job_id)
{
	scan.question = job_id;
}

extern void books_forget(struct job *job)
{
	entries_unbook(job);
	jobs_drop(job);
}

extern int books_plan(time_t now)
{
	int planned;

	slurm_usage_look(now);
	planned = engine_plan(ctld.engine, ns_of(now));
	scan.plans += planned != 0;
	return planned;
}

extern uint32_t books_plans(void)
{
	return scan.plans;
}

/* ---- scans ---- */

static bool _is_over(const job_record_t *job_ptr)
{
	return IS_JOB_FINISHED(job_ptr) && !IS_JOB_COMPLETING(job_ptr);
}

/* Is it out of line because slurmctld does not try it? Cheap for most jobs */
static bool _is_passed_over(struct job *job, job_record_t *job_ptr,
			    bool in_line)
{
	if (job)
		untried_look(job, job_ptr, in_line);
	return in_line && (job_ptr->het_job_id || (job && job->tries.missing)) &&
		het_is_untried(job_ptr);
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
	if (!job && _is_over(job_ptr))
		return NULL;
	if (!job && job_is_outside(job_ptr)) {
		shown_clear_saved(job_ptr);
		return NULL;
	}
	waiting = is_in_line(job_ptr, time(NULL));
	waiting &= !_is_passed_over(job, job_ptr, waiting);
	running = !waiting && job_holds_nodes(job_ptr);
	leaving = !waiting && !running && job_leaves_nodes(job_ptr);
	if (!job && !waiting && !running && !leaving)
		return NULL;
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

	if (job)
		untried_look(job, job_ptr, false);
	return _sync(job_ptr, job_is_in_line_as_asked);
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
	learn_forget(&job->first);
	job->fingerprint = 0;
}

/* Slurm stamps every change of jobs, partitions and nodes, to the second. */
static bool _no_stamp(void)
{
	return scan.at && (last_job_update < scan.at) &&
		(last_part_update < scan.at) && (last_node_update < scan.at) &&
		(last_resv_update < scan.at);
}

/* Slurm stamps the jobs in each pass that tries some. Where the books have no job, one
 * of ours that is tried is found by the try (pass_begin_if_due()), and another by the
 * next scan. The clock is not asked, as that takes time: where it was set back, the
 * waker has the records looked at. */
#define EMPTY_LOOK 6			/* seconds */

extern bool books_may_wait(void)
{
	return scan.at && (last_job_update < scan.at + EMPTY_LOOK) &&
		(last_part_update < scan.at);
}

/* It does not stamp a job that becomes due, or that loses its dependency. Stamps
 * say nothing when the clock was set back. */
static bool _nothing_new(time_t now)
{
	return _no_stamp() && (now >= scan.at) && !scan.unsettled &&
		!(scan.due && (now >= scan.due));
}

static void _due_at(time_t at)
{
	if (at && (!scan.due || (at < scan.due)))
		scan.due = at;
}

static void _note_due(const job_record_t *job_ptr)
{
	const compat_details_t *details = job_ptr->details;

	if (!IS_JOB_PENDING(job_ptr) || !details)
		return;
	if (details->depend_list)
		scan.unsettled = true;
	if (details->begin_time > scan.at)
		_due_at(details->begin_time);
	if (job_ptr->resv_ptr && (job_ptr->resv_ptr->start_time > scan.at))
		_due_at(job_ptr->resv_ptr->start_time);
}

extern uint64_t books_looks(void)
{
	return scan.looks;
}

extern void books_request_scan(void)
{
	scan.at = 0;
}

/* How soon it is seen that slurmctld tries a job again, if no stamp tells */
#define UNTRIED_LOOK 10			/* seconds */

/* How long the engine may go by the run time of a job that is suspended */
#define SUSPENDED_LOOK 30		/* seconds */

#define AHEAD 4

static int _gather(void *x, void *arg UNUSED)
{
	if (scan.nrecords == scan.size) {
		scan.size = MAX(2 * scan.size, 1024);
		xrecalloc(scan.records, scan.size, sizeof(*scan.records));
	}
	scan.records[scan.nrecords++] = x;
	return 0;
}

/* Records lie all over the memory: what is looked at of a job is on its way into
 * the cache while those before it are looked at. */
static void _fetch_ahead(size_t i)
{
	const job_record_t *job_ptr;

	if (i + 2 * AHEAD < scan.nrecords) {
		job_ptr = scan.records[i + 2 * AHEAD];
		__builtin_prefetch(&job_ptr->job_state);
		__builtin_prefetch(&job_ptr->details);
		__builtin_prefetch(&job_ptr->priority);
		__builtin_prefetch(&job_ptr->part_ptr);
	}
	if (i + AHEAD < scan.nrecords) {
		job_ptr = scan.records[i + AHEAD];
		if (!job_ptr->details)
			return;
		__builtin_prefetch(&job_ptr->details->begin_time);
		__builtin_prefetch(&job_ptr->details->min_cpus);
		__builtin_prefetch(&job_ptr->details->pn_min_memory);
	}
}

/* All records in slurmctld's order. Its iterator locks the list for each; and
 * nothing of the list may be asked for while it is gone through. */
static void _look_at_all(void)
{
	scan.nrecords = 0;
	(void) list_for_each(job_list, _gather, NULL);
	for (size_t i = 0; (i < scan.nrecords) && !ctld.broken; i++) {
		job_record_t *job_ptr = scan.records[i];
		struct job *job;

		_fetch_ahead(i);
		scan.newest = MAX(scan.newest, job_ptr->job_id);
		if (scan.question && (job_ptr->job_id == scan.question))
			continue;
		scan.looks++;
		if ((job = books_sync(job_ptr)) && job_waits(job))
			_due_at(learn_due(&job->first));
		if (job && job->tries.missing)
			_due_at(scan.at + UNTRIED_LOOK);
		/* its run time stands still: the engine has to be told */
		if (IS_JOB_SUSPENDED(job_ptr))
			_due_at(scan.at + SUSPENDED_LOOK);
		_note_due(job_ptr);
	}
}

extern bool books_scan(void)
{
	time_t now = time(NULL);
	bool changed;

	if (_nothing_new(now))
		return false;
	history_advance_now();
	scan.number++;
	scan.seen = 0;
	scan.at = scan.made = now;
	scan.newest = 0;
	scan.due = 0;
	scan.unsettled = false;
	learn_completed();
	changed = floor_refresh();
	if (flavor_refresh() || changed)
		jobs_each(_forget_fingerprint, NULL);
	_look_at_all();
	if (!ctld.broken && (scan.seen < jobs_count()))
		jobs_each(_drop_purged, NULL);
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

extern void books_scan_new(const job_record_t *job_ptr)
{
	job_record_t *new_ptr;

	if (!_is_next(job_ptr, time(NULL))) {
		(void) books_scan();
		return;
	}
	history_advance_now();
	while (++scan.newest < job_ptr->job_id) {
		if ((new_ptr = find_job_record(scan.newest))) {
			scan.looks++;
			(void) books_sync(new_ptr);
		}
	}
}
