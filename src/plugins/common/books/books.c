/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.c - job records into events for the engine
 *
 *  slurmctld tells its plugins when a job gets and releases its nodes, but not
 *  when a job is submitted, changed, held or cancelled while it waits. So each
 *  pass walks slurmctld's list of jobs once. Each waiting record is compared with
 *  what the books have of it, by a fingerprint, and only a changed job becomes an
 *  event.
\*****************************************************************************/
#include "books/books.h"

#include "slurm/passes.h"
#include "match/match.h"
#include "request/request.h"
#include "record/record.h"
#include "jobs/jobs.h"
#include "tally/tally.h"

static struct {
	uint32_t number;		/* of the walk */
	uint32_t seen;			/* jobs of ours that it saw */
	time_t at;			/* when the last walk was made; 0: none yet */
	time_t all_at;			/* the same, of the last one of all records */
	uint32_t newest;		/* the highest job id that was seen */
	uint32_t question;		/* the record that walks skip, or 0 */
	bool all;			/* this walk is of all records */
	time_t ran_at;			/* the last look at all that run, */
	uint64_t ran_in;		/* ... and its pass */
} walk;

extern void books_skip_question(uint32_t job_id)
{
	walk.question = job_id;
}

extern void books_forget(struct job *job)
{
	entries_unbook(job);
	jobs_drop(job);
}

/* Is it out of line because slurmctld does not try it? Cheap for most jobs */
static bool _is_passed_over(struct job *job, job_record_t *job_ptr, bool in_line)
{
	if (job)
		untried_look(job, job_ptr, in_line);
	return in_line &&
		(job_ptr->het_job_id || (job && (job->first.standing == STANDS_UNTRIED))) &&
		het_is_untried(job_ptr);
}

/* A job that is out of line: is a text of ours right, or still to be cleared? */
static bool _has_text(const struct job *job)
{
	return job && (job->first.work || (job->first.standing == STANDS_UNTRIED));
}

static void _see(struct job *job, job_record_t *job_ptr)
{
	job->job_ptr = job_ptr;
	walk.seen += job->walk != walk.number;
	job->walk = walk.number;
}

/* job: our record, or NULL. Returns it; NULL: there is none, as nothing is to be told of the job */
static struct job *_sync(struct job *job, job_record_t *job_ptr, bool asked)
{
	bool waiting, running, leaving;

	layout_check_job(job_ptr);
	if (ctld.broken)
		return NULL;
	if (!job && (job_is_over(job_ptr) || job_is_outside(job_ptr))) {
		shown_clear_saved(job_ptr);
		return NULL;
	}
	waiting = job_is_in_line(job_ptr, time(NULL), asked);
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
	_see(job, job_ptr);
	if (waiting)
		waiting_sync(job);
	else if (running)
		running_sync(job);
	else if (leaving && (!job->first.work || ending_is(job)))
		ending_sync(job);
	else if (job->first.work && !ending_is(job))
		ending_over(job);
	if (!waiting && !running && job_has_moved(job, job_ptr))
		job_keep(job);
	return job;
}

extern struct job *books_sync(job_record_t *job_ptr)
{
	return _sync(jobs_find(job_ptr->job_id), job_ptr, false);
}

extern struct job *books_sync_asked(job_record_t *job_ptr)
{
	struct job *job = jobs_find(job_ptr->job_id);

	if (job)
		untried_look(job, job_ptr, false);
	return _sync(job, job_ptr, true);
}

/* ---- the walk ---- */

/* Changes that no event tells: the settings by which running jobs may be evicted.
 * Victims are compared with their records before each eviction, too. */
#define ALL_SECONDS 6

/* Is there nothing in the record of a job that is not waiting which this walk has to
 * compare? slurmctld tells of starts and ends. */
static bool _is_settled(const struct job *job, const job_record_t *job_ptr)
{
	if (walk.all)
		return false;
	return !job || !job->first.work || (job_runs(job) && running_is_plain(job, job_ptr));
}

static void _look_at(struct job *job, job_record_t *job_ptr)
{
	count_work(WORK_LOOK);
	job = _sync(job, job_ptr, false);
	if (!job)
		ctld.others_wait |= IS_JOB_PENDING(job_ptr);
	/* Slurm has put something in the place of our text? */
	else if (job->marked && job_waits(job) && !shown_is_there(job))
		ctld.changes++;
}

static int _walk_by(void *x, void *arg UNUSED)
{
	job_record_t *job_ptr = x;
	struct job *job;

	walk.newest = MAX(walk.newest, job_ptr->job_id);
	if (walk.question && (job_ptr->job_id == walk.question))
		return 0;
	job = jobs_find(job_ptr->job_id);
	if (job)
		_see(job, job_ptr);
	if (IS_JOB_PENDING(job_ptr) || !_is_settled(job, job_ptr))
		_look_at(job, job_ptr);
	return ctld.broken ? -1 : 0;
}

static void _drop_purged(struct job *job, void *arg UNUSED)
{
	if ((job->walk == walk.number) || (walk.question && (job->job_id == walk.question)))
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

extern void books_scan(bool all)
{
	time_t now = time(NULL);

	history_advance_now();
	walk.all = all || (now < walk.at) || (now < walk.all_at) ||
		(now >= walk.all_at + ALL_SECONDS);
	walk.at = now;
	if (walk.all)
		walk.all_at = now;
	walk.number++;
	walk.seen = walk.newest = 0;
	ctld.others_wait = false;
	learn_completed();
	ending_await_none();
	if (floor_refresh())
		jobs_each(_forget_fingerprint, NULL);
	(void) list_for_each(job_list, _walk_by, NULL);
	walk.all = false;
	if (!ctld.broken && (walk.seen < ctld.njobs))
		jobs_each(_drop_purged, NULL);
}

/* ---- a job that is submitted between two walks ---- */

/* Ids are given out in turn, so the new records are those between the highest id that was seen
 * and this one. Where ids begin anew, or were chosen by hand, there is no such range. */
static bool _is_next(const job_record_t *job_ptr, time_t now)
{
	return walk.at && (now >= walk.at) && (now <= walk.at + 1) &&
		(job_ptr->job_id > walk.newest) &&
		(job_ptr->job_id - walk.newest <= (uint32_t) list_count(job_list));
}

static void _look_at_id(uint32_t job_id)
{
	job_record_t *job_ptr = find_job_record(job_id);

	if (!job_ptr)
		return;
	count_work(WORK_LOOK);
	(void) books_sync(job_ptr);
}

extern void books_scan_new(const job_record_t *job_ptr)
{
	if (!_is_next(job_ptr, time(NULL))) {
		books_scan(false);
		return;
	}
	history_advance_now();
	while (++walk.newest < job_ptr->job_id)
		_look_at_id(walk.newest);
	ending_look(_look_at_id);
}

/* ---- the plan ---- */

/* Does it run, and is it not on its way out? One that was listed a moment ago may not have been
 * told yet. */
static bool _stays(const struct job *job)
{
	job_record_t *job_ptr = job_runs(job) && !workload_evicting(job->first.work) ?
		jobs_record(job) : NULL;

	return job_ptr && job_holds_nodes(job_ptr);
}

static void _sync_running(struct job *job, void *arg UNUSED)
{
	if (_stays(job))
		running_sync(job);
}

extern bool books_look_at_victims(const struct victim *victims, size_t n)
{
	bool changed = false;

	history_advance_now();
	for (size_t i = 0; i < n; i++) {
		struct job *job = job_of(victims[i].workload);

		changed |= _stays(job) && running_sync_terms(job);
	}
	if (changed)
		jobs_each(_sync_running, NULL);
	return changed;
}

extern bool books_look_at_running(void)
{
	time_t now = time(NULL);

	if ((now == walk.ran_at) && (ctld.passes == walk.ran_in))
		return false;
	walk.ran_at = now;
	walk.ran_in = ctld.passes;
	history_advance_now();
	jobs_each(_sync_running, NULL);
	return true;
}

/* A plan that evicts is made of records that were looked at for it: a setting of Slurm may
 * protect a victim since a moment ago, or make another job the cheaper one. */
extern int books_plan(time_t now)
{
	int planned, again;

	slurm_usage_look(now);
	planned = engine_plan(ctld.engine, ns_of(now));
	if ((planned >= 0) && engine_evicts(ctld.engine) && books_look_at_running()) {
		again = engine_plan(ctld.engine, ns_of(now));
		planned = again < 0 ? again : planned || again;
	}
	ctld.plans += planned != 0;
	return planned;
}
