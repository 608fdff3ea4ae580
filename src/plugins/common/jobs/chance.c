/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  chance.c - a job that may start by the plan, and has not
 *
 *  Quota is there, and slurmctld did not start the job: it found no nodes, did
 *  not even ask for any, or evicted others in vain. What is known of that is
 *  struct chance of the job (in its struct offer, if it has one) and struct
 *  entry_chance of each entry. Only this file changes them. The engine is told
 *  of a chance that was missed, and lets others go instead.
\*****************************************************************************/
#include "jobs/chance.h"

#include "state/job.h"
#include "slurm/passes.h"
#include "jobs/untried.h"
#include "query.h"

static struct chance *_get_chance(struct job *job)
{
	return &job_get_offer(job)->chance;
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
		return job_ptr->last_sched_eval > offer_of(job)->chance.since;
	case VERDICT_PREEMPT:	/* tried again while its victims go */
		return job_ptr->state_reason == WAIT_NODE_NOT_AVAIL;
	default:
		return false;
	}
}

extern bool chance_watch_job(struct job *job, time_t now)
{
	struct chance *chance = _get_chance(job);

	if (!chance->since) {
		chance->since = now;
		return false;
	}
	if (chance_was_missed(&job->first) || entry_next(&job->first) ||
	    job->job_ptr->het_job_id || !_has_no_nodes(job))
		return false;
	chance->passed_over = true;
	engine_blocked(ctld.engine, job->first.work, true);
	return true;
}

extern void chance_renew_offer(struct job *job, time_t now)
{
	_note_tried(job);
	_get_chance(job)->since = now;
}

extern void chance_withdraw_offer(struct job *job)
{
	if (!job_offer(job))
		return;
	job_offer(job)->chance.since = 0;
	job_offer(job)->chance.passed_over = false;
	untried_end(job);
	job_drop_empty_offer(job);
}

extern void chance_end_wait_of_task(struct job *array)
{
	if (job_offer(array)) {
		job_offer(array)->chance.evictions = 0;
		job_offer(array)->chance.plans_missed = 0;
		job_offer(array)->chance.planned_from = 0;
		job_offer(array)->chance.promised = 0;
	}
	chance_withdraw_offer(array);
}

extern void chance_end_wait(struct job *job)
{
	chance_end_wait_of_task(job);
	chance_forget_no_nodes(&job->first);
}

extern void chance_reset(struct job *job)
{
	if (job_offer(job))
		job_offer(job)->chance.promised = 0;
	chance_withdraw_offer(job);
	chance_forget_no_nodes(&job->first);
}

/* ---- tries by several partitions ---- */

extern void chance_note_try(struct job *job)
{
	struct chance *chance = _get_chance(job);

	_note_tried(job);
	if (!chance->first_try)
		chance->first_try = pass_number();
}

extern bool chance_tried_all(const struct job *job)
{
	return offer_of(job)->chance.first_try + 1 < pass_number();
}

extern void chance_forget_tries(struct job *job)
{
	if (job_offer(job))
		job_offer(job)->chance.first_try = 0;
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
	struct chance *chance = _get_chance(preemptor);
	uint32_t in_vain = chance->evictions++;
	time_t pause;

	if (!in_vain)
		return;
	pause = _pause_after(in_vain);
	chance->evicts_from = time(NULL) + pause;
	info(PREFIX "%pJ: %u evictions for it came to nothing: no other one for %"PRId64" s",
	     preemptor->job_ptr, in_vain, (int64_t) pause);
}

/* What was in the way may be in the way again: wait, but not forever */
extern void chance_revoke_eviction(struct job *preemptor)
{
	struct chance *chance = _get_chance(preemptor);

	chance->evictions -= chance->evictions != 0;
	chance->evicts_from = MAX(chance->evicts_from,
				  time(NULL) + slurm_conf.kill_wait +
				  slurm_conf.msg_timeout);
}

extern bool chance_may_evict(const struct job *preemptor, time_t now)
{
	return now >= offer_of(preemptor)->chance.evicts_from;
}

extern bool chance_pauses_evictions(const struct job *preemptor, time_t now)
{
	return (offer_of(preemptor)->chance.evictions > 1) &&
		!chance_may_evict(preemptor, now);
}

/* ---- plans of backfill: the same pauses ---- */

extern void chance_miss_plan(struct job *job, time_t now)
{
	struct chance *chance = _get_chance(job);
	time_t pause = _pause_after(++chance->plans_missed);

	chance->planned_from = now + pause;
	chance->promised = 0;
	debug(PREFIX "%pJ did not start as planned: no nodes are kept for it for %"PRId64" s",
	      job->job_ptr, (int64_t) pause);
}

extern void chance_promise(struct job *job, time_t start)
{
	struct chance *chance = _get_chance(job);

	if (!chance->promised)
		chance->promised = start;
}

extern bool chance_may_be_planned(const struct job *job, time_t now)
{
	return now >= offer_of(job)->chance.planned_from;
}

/* ---- one of its entries ---- */

extern bool chance_was_missed(const struct entry *entry)
{
	return entry->chance.no_nodes ||
		offer_of(entry->job)->chance.passed_over;
}

extern bool chance_note_no_nodes(struct entry *entry)
{
	if (entry->chance.no_nodes)
		return false;
	_note_tried(entry->job);
	entry->chance.no_nodes = true;
	engine_blocked(ctld.engine, entry->work, true);
	return true;
}

extern void chance_note_nodes(struct entry *entry)
{
	entry->chance.no_nodes = false;
	engine_blocked(ctld.engine, entry->work, false);
}

extern void chance_forget_no_nodes(struct entry *entry)
{
	entry->chance.no_nodes = false;
}

extern void chance_note_offer(struct entry *entry, bool sorting)
{
	struct entry_chance *chance = &entry->chance;

	if (engine_verdict_kind(ctld.engine, entry->work) != VERDICT_START)
		chance->offered_in = 0;
	else if (!chance->offered_in)
		chance->offered_in = (uint32_t) pass_number() + !sorting;
	else if (chance->offered_in < pass_number())
		(void) chance_note_no_nodes(entry);
}

extern bool chance_hold_if_behind(struct entry *entry)
{
	int64_t place, total;

	if (!engine_is_behind(ctld.engine, entry->work))
		return false;
	place = engine_place(ctld.engine, entry->work, &total);
	_note_tried(entry->job);
	entry->chance.behind = (uint32_t) MIN(place, MOST_BEHIND);	/* its text shows it */
	return true;
}

extern void chance_release_if_in_turn(struct entry *entry)
{
	int64_t total;

	if (!entry->chance.behind)
		return;
	if ((engine_place(ctld.engine, entry->work, &total) < entry->chance.behind) ||
	    !engine_is_behind(ctld.engine, entry->work))
		entry->chance.behind = 0;
}

extern void chance_move(struct entry *to, const struct entry *from)
{
	to->chance.behind = from->chance.behind;
	to->chance.no_nodes = from->chance.no_nodes;
}
