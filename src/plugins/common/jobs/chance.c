/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  chance.c - a job that may start by the plan, and has not
 *
 *  Quota is there, and slurmctld did not start the job: it found no nodes, did
 *  not even ask for any, or evicted others in vain. state/standing.h has the states
 *  of an entry, and what changes them; struct offer of the job has the rest.
 *
 *  slurmctld leaves some jobs out of its queue: the partition does not take the
 *  account, the account or QOS was deleted, a burst buffer has failed, and so on.
 *  For some of its reasons match/job_standing.c knows how it judges. For all others,
 *  known or not, the time of the last try tells. The plan lets the job start, others
 *  wait for that, and slurmctld has built its queue several times without a try: then
 *  the job is out of line until slurmctld tries it. That costs the job nothing, as a
 *  try puts it back in line before it is judged.
\*****************************************************************************/
#include "jobs/jobs.h"

#include "slurm/passes.h"
#include "record/record.h"
#include "query.h"

extern void chance_event(struct entry *entry, enum standing_event event)
{
	bool was = standing_is_blocked(entry->standing), is;

	entry->standing = standing_after(entry->standing, event);
	is = standing_is_blocked(entry->standing);
	if ((is != was) && entry->work && !workload_running(entry->work))
		engine_blocked(ctld.engine, entry->work, is);
}

/* A job that waits by the plan was tried all the same, by an update for example:
 * texts may have to change. */
static void _note_tried(struct job *job)
{
	if (job->marked)
		ctld.changes++;
}

/* ---- the job as a whole ---- */

/* Slurm has tried the job, or refused it before that as its nodes are down */
static bool _has_no_nodes(const struct job *job)
{
	const job_record_t *job_ptr = job->job_ptr;

	switch (engine_verdict_kind(ctld.engine, job->first.work)) {
	case VERDICT_START:
		return job_ptr->last_sched_eval > job->offer.since;
	case VERDICT_PREEMPT:	/* tried again while its victims go */
		return job_ptr->state_reason == WAIT_NODE_NOT_AVAIL;
	default:
		return false;
	}
}

extern bool chance_watch_job(struct job *job, time_t now)
{
	if (!job->offer.since) {
		job->offer.since = job_time(now);
		return false;
	}
	if ((job->first.standing != STANDS_OFFERED) || job->first.next ||
	    job->job_ptr->het_job_id || !_has_no_nodes(job))
		return false;
	chance_event(&job->first, SLURM_REFUSES);
	return true;
}

extern void chance_renew_offer(struct job *job, time_t now)
{
	_note_tried(job);
	job->offer.since = job_time(now);
}

static void _end_untried(struct job *job)
{
	job_record_t *job_ptr;

	job->offer.watched_since = 0;
	if (job->first.standing != STANDS_UNTRIED)
		return;
	chance_event(&job->first, SLURM_TRIES);
	job_ptr = find_job_record(job->job_id);
	if (job_ptr && IS_JOB_PENDING(job_ptr))
		shown_clear_untried(job_ptr);
}

extern void chance_withdraw_offer(struct job *job)
{
	job->offer.since = 0;
	_end_untried(job);
	chance_event(&job->first, PLAN_KEEPS);
}

extern void chance_end_wait(struct job *job, struct entry *entry)
{
	job->offer.evictions = 0;
	job->offer.plans_missed = 0;
	job->offer.planned_from = 0;
	job->offer.promised = 0;
	chance_withdraw_offer(job);
	if (entry)
		chance_event(entry, WAIT_ENDS);
}

extern void chance_reset(struct job *job)
{
	job->offer.promised = 0;
	chance_withdraw_offer(job);
	chance_event(&job->first, WAIT_ENDS);
}

/* ---- tries by several partitions ---- */

extern void chance_note_try(struct job *job)
{
	_note_tried(job);
	if (!job->offer.first_try)
		job->offer.first_try = (uint32_t) ctld.sorted;
}

extern bool chance_tried_all(const struct job *job)
{
	return job->offer.first_try + UINT64_C(1) < ctld.sorted;
}

/* ---- evictions ---- */

/* After the first eviction for a job that came to nothing (the second one has
 * just been told) others may be evicted for it in a minute, then in two, four,
 * ..., an hour. Its start ends that. */
#define FIRST_PAUSE 60
#define LONGEST_PAUSE 3600

static time_t _pause_after(uint32_t times)
{
	return MIN(FIRST_PAUSE << MIN(times - 1, 6), LONGEST_PAUSE);
}

extern void chance_count_eviction(struct job *preemptor)
{
	uint32_t in_vain = preemptor->offer.evictions++;
	time_t pause;

	if (!in_vain)
		return;
	pause = _pause_after(in_vain);
	preemptor->offer.evicts_from = job_time(time(NULL) + pause);
	info(PREFIX "%pJ: %u evictions for it came to nothing: no other one for %"PRId64" s",
	     preemptor->job_ptr, in_vain, (int64_t) pause);
}

/* What was in the way may be in the way again: wait, but not forever */
extern void chance_revoke_eviction(struct job *preemptor)
{
	struct offer *offer = &preemptor->offer;
	uint32_t later = job_time(time(NULL) + slurm_conf.kill_wait + slurm_conf.msg_timeout);

	offer->evictions -= offer->evictions != 0;
	offer->evicts_from = MAX(offer->evicts_from, later);
}

extern bool chance_may_evict(const struct job *preemptor, time_t now)
{
	return now >= preemptor->offer.evicts_from;
}

extern bool chance_pauses_evictions(const struct job *preemptor, time_t now)
{
	return (preemptor->offer.evictions > 1) && !chance_may_evict(preemptor, now);
}

/* ---- plans of backfill: the same pauses ---- */

extern void chance_miss_plan(struct job *job, time_t now)
{
	time_t pause = _pause_after(++job->offer.plans_missed);

	job->offer.planned_from = job_time(now + pause);
	job->offer.promised = 0;
	debug(PREFIX "%pJ did not start as planned: no nodes are kept for it for %"PRId64" s",
	      job->job_ptr, (int64_t) pause);
}

extern void chance_promise(struct job *job, time_t start)
{
	if (!job->offer.promised)
		job->offer.promised = job_time(start);
}

/* ---- a job that slurmctld does not try ---- */

/* A job in slurmctld's queue is tried in each pass that comes to it. Passes begin with
 * the first job of the queue. They end after so many jobs, or when they have taken too
 * long, whatever default_queue_depth says: where many are to be tried, it takes more
 * intervals until those that start have made way for the others. Passes that found no
 * queue count, too: it is the time that is to last. */
#define PASSES 3
#define INTERVALS 2
#define DEPTH 100		/* default_queue_depth, and no more than that */
#define SECONDS 10		/* at least */

static time_t _parameter(const char *key, time_t unset)
{
	const char *set = xstrcasestr(slurm_conf.sched_params, key);

	return set ? atol(set + strlen(key)) : unset;
}

extern time_t untried_patience(size_t startable, size_t waiting)
{
	time_t sched = _parameter("sched_interval=", 60);
	time_t pause = _parameter("bf_interval=", 30);
	time_t backfill = pause + _parameter("bf_max_time=", pause);
	time_t longest = MAX(sched, backfill);
	time_t set = _parameter("default_queue_depth=", DEPTH);
	time_t depth = MIN(MAX(set, 1), DEPTH);
	size_t queued = slurmctld_diag_stats.schedule_queue_len;
	size_t tried = queued > waiting ? queued - waiting : 0;
	time_t rounds = 1 + (time_t) MAX(startable, tried) / depth;

	return MAX(INTERVALS * longest * rounds, SECONDS);
}

extern bool untried_watch(struct job *job, time_t patience, time_t now)
{
	struct offer *offer = &job->offer;
	uint32_t tried_at = job_time(job->job_ptr->last_sched_eval);

	if (!offer->watched_since)	/* a text of ours may be left from before a restart */
		shown_clear_untried(job->job_ptr);
	if (!offer->watched_since || (now < offer->watched_since) ||
	    (offer->tried_at != tried_at)) {
		offer->watched_since = job_time(now);
		offer->watched_from = (uint32_t) ctld.passes;
		offer->tried_at = tried_at;
		return false;
	}
	if ((job->first.standing == STANDS_UNTRIED) ||
	    (now - offer->watched_since < patience) ||
	    (ctld.passes - offer->watched_from < PASSES))
		return false;
	chance_event(&job->first, SLURM_FORGETS);
	return true;
}

extern bool untried_is(const struct job *job, const job_record_t *job_ptr)
{
	return (job->first.standing == STANDS_UNTRIED) && IS_JOB_PENDING(job_ptr) &&
		(job->offer.tried_at == job_time(job_ptr->last_sched_eval));
}

extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line)
{
	/* when it is in line again, it is not missing at once */
	if (!in_line)
		job->offer.watched_since = 0;
	if (job->first.standing != STANDS_UNTRIED)
		return;
	if (in_line && untried_is(job, job_ptr))
		shown_put_untried(job_ptr);
	else
		_end_untried(job);
}

/* ---- one of its entries ---- */

extern bool chance_note_no_nodes(struct entry *entry)
{
	if (entry->standing == STANDS_NO_NODES)
		return false;
	_note_tried(entry->job);
	chance_event(entry, TRY_FINDS_NOTHING);
	return true;
}

extern void chance_note_offer(struct entry *entry, bool sorting)
{
	if (engine_verdict_kind(ctld.engine, entry->work) != VERDICT_START)
		entry->offered_in = 0;
	else if (!entry->offered_in)
		entry->offered_in = (uint32_t) ctld.sorted + !sorting;
	else if (entry->offered_in < ctld.sorted)
		(void) chance_note_no_nodes(entry);
}

extern bool chance_hold_if_behind(struct entry *entry)
{
	int64_t place, total;

	if (!engine_is_behind(ctld.engine, entry->work))
		return false;
	place = engine_place(ctld.engine, entry->work, &total);
	_note_tried(entry->job);
	entry->behind = (uint32_t) MIN(place, UINT32_MAX);	/* its text shows it */
	return true;
}

extern void chance_release_if_in_turn(struct entry *entry)
{
	int64_t total;

	if (!entry->behind)
		return;
	if ((engine_place(ctld.engine, entry->work, &total) < entry->behind) ||
	    !engine_is_behind(ctld.engine, entry->work))
		entry->behind = 0;
}

extern void chance_move(struct entry *to, const struct entry *from)
{
	to->behind = from->behind;
	to->standing = from->standing;
}
