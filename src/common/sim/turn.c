/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.c - the turn of one job that the plan lets go
 *
 * It starts; or its victims are told to leave, and what they free is kept for
 * it, as a controller would do it. A job with several ways to start that takes
 * one of them drops the others, or reduces them by as many tasks.
 */
#include "sim/turn.h"

/* Tells the victims to leave. Returns how many had not been told before; -1: no
 * memory */
static int victims_tell(struct sim *sim, const struct sim_job *job,
			const struct offer *offer)
{
	int told = 0;

	for (size_t i = 0; i < offer->nvictims; i++) {
		const struct victim *v = &offer->victims[i];
		struct sim_job *victim = workload_owner(v->workload);

		if (workload_evicting(v->workload))
			continue;
		sim_tell(sim, victim,
			 (struct sim_event) { .kind = SIM_EVICT,
					      .by = job->owner,
					      .reason = v->reason,
					      .pure = v->pure });
		if (sim_job_go(sim, victim,
			       sat_add(sim->now, victim->ask->evict_time), v) < 0)
			return -1;
		told++;
	}
	return told;
}

/* Notes it for the others of its bond as well */
static void job_note_evicts(struct sim_job *job)
{
	struct sim_job *other = job;

	do {
		other->evicts = true;
		other = other->bonded;
	} while (other && other != job);
}

/* The job owns the freed quota, as long as is configured. 1: it owns it from
 * now on, 0: it owned it already, and all victims are on their way out; -1: no
 * memory */
static int job_preempts(struct sim *sim, struct sim_job *job,
			const struct offer *offer)
{
	int64_t own = sim->options.own_time;
	int told = victims_tell(sim, job, offer);

	if (told < 0)
		return -1;
	job_note_evicts(job);
	if (!told && workload_owns(job->work))
		return 0;
	if (sim_own(sim, job, offer->charges, offer->ncharges,
		    own ? sat_add(sim->now, own) : SIM_FOREVER) < 0)
		return -1;
	return 1;
}

/* Reduces another way to start to the tasks that are left, or drops it */
static int other_shrink(struct sim *sim, struct sim_job *other,
			const struct sim_job *job, int64_t tasks)
{
	other->first_start = job->first_start;
	other->first_queue = job->first_queue;
	other->evicts = job->evicts;
	sim_job_uncount(sim, other);
	if (!tasks) {
		sim_job_unbind(other);
		return sim_job_withdraw(sim, other);
	}
	other->tasks = tasks;
	return other->work ? sim_job_line_up(sim, other) : 0;
}

/* So many tasks are left: the other ways to start are reduced or dropped. -1:
 * no memory */
static int others_drop(struct sim *sim, struct sim_job *job, int64_t tasks)
{
	struct sim_job *other = job->bonded, *next;

	if (!other)
		return 0;
	for (; job->either && other && other != job;
	     other = next) {
		next = other->bonded;
		if (other_shrink(sim, other, job, tasks) < 0)
			return -1;
	}
	if (!tasks && job->bonded)
		sim_job_unbind(job);
	return 0;
}

/* Starts a task of an array, or the job itself. 1, or -1: no memory */
static int job_starts(struct sim *sim, struct sim_job *job,
		      const struct offer *offer)
{
	struct sim_job *task = job;
	int64_t until = sat_add(sim->now, job->duration);
	int64_t left;

	sim_job_note_start(sim, job, sim->now);
	if (job->tasks > 1)
		task = sim_job_task(sim, job);
	if (!task)
		return -1;
	left = task == job ? 0 : job->tasks;
	if (sim_job_start(sim, task, offer->charges, offer->ncharges, sim->now,
			  until) < 0
	    || others_drop(sim, job, left) < 0)
		return -1;
	sim_tell(sim, task, (struct sim_event) { .kind = SIM_START });
	return 1;
}

/* ---- no nodes ---- */

/* It was tried in vain since time moved: nothing has become free since. */
static bool job_is_denied(const struct sim *sim, const struct sim_job *job)
{
	return job->denied && job->denied >= sim->first_plan;
}

/* A job before it has found no nodes: it waits with that one (StrictFIFO), or
 * for it (components). The present plan did not know. */
static bool job_must_wait(const struct sim *sim, const struct sim_job *job)
{
	const struct sim_job *other = job->bonded;

	if (sim->queues[job->ask->queue].denied == sim->plans)
		return true;
	for (; other && other != job && !job->either;
	     other = other->bonded) {
		if (job_is_denied(sim, other))
			return true;
	}
	return false;
}

/* It has quota but no nodes: others may go instead, as far as they fit beside
 * what the plan has given to this one. */
static int job_block(struct sim *sim, struct sim_job *job)
{
	struct sim_queue *queue = &sim->queues[job->ask->queue];
	int rc;

	job->denied = sim->plans;
	if (queue->strict)
		queue->denied = sim->plans;
	if (job->blocked)
		return 0;
	rc = sim_park_denied(sim, job);
	if (rc)
		return rc < 0 ? -1 : TURN_BLOCKS;
	sim_job_set_blocked(sim, job, true);
	engine_blocked(sim->engine, job->work, true);
	return TURN_BLOCKS;
}

/* ---- a turn ---- */

/* A job that was tried in vain is not tried again before one more may be
 * evicted for it. Returns as offer_find(). */
static int turn_offer(struct sim *sim, struct sim_turn *turn,
		      struct offer *offer)
{
	struct sim_job *job = turn->job;
	bool tried = job_is_tried(sim, job);
	int rc;

	if (tried && job->free_at > sim->now)
		return 0;
	turn->looks = tried && !job->free_at;
	job->free_at = 0;
	rc = offer_find(sim, turn, offer);
	if (tried && !job->free_at)
		job->free_at = SIM_FOREVER;
	return rc;
}

int turn_take(struct sim *sim, struct sim_turn *turn)
{
	struct sim_job *job = turn->job;
	struct offer offer = { 0 };
	int rc = 0;

	if (job_must_wait(sim, job))
		return 0;
	if (!job_is_denied(sim, job))
		rc = turn_offer(sim, turn, &offer);
	earliest_note(&sim->free_at, job->free_at);
	if (rc == 0)
		return job_block(sim, job);
	if (rc > 0 && offer.nvictims)
		rc = job_preempts(sim, job, &offer);
	else if (rc > 0)
		rc = job_starts(sim, job, &offer);
	offer_free(&offer);
	return rc;
}
