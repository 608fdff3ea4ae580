/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turn.c - the turn of one job that the plan lets go
 *
 * It starts; or its victims are told to leave, and what they free is kept for
 * it, as a controller would do it. A job with several ways to start that takes
 * one of them drops the others, or reduces them by as many tasks. Components of
 * a job have one turn (doc/how-it-decides.md, section 9): all of them move, or
 * none.
 */
#include <stdlib.h>

#include "sim/sim_state.h"

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
					      .by = job->desc.work.owner,
					      .reason = v->reason,
					      .pure = v->pure });
		if (sim_job_go(sim, victim,
			       sat_add(sim->now, victim->desc.evict_time), v) < 0)
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

/* So many tasks are left: the other ways to start are reduced or dropped. -1:
 * no memory */
static int others_drop(struct sim *sim, struct sim_job *job, int64_t tasks)
{
	struct sim_job *other = job->either ? job->bonded : NULL, *next;

	for (; other && other != job; other = next) {
		next = other->bonded;
		other->first_start = job->first_start;
		other->first_queue = job->first_queue;
		other->evicts = job->evicts;
		sim_job_uncount(sim, other);
		other->desc.work.tasks = tasks;
		if (!tasks) {
			sim_job_unbind(other);
			sim_job_withdraw(sim, other);
		} else if (other->work && sim_job_line_up(sim, other) < 0) {
			return -1;
		}
	}
	if (!tasks && job->bonded)
		sim_job_unbind(job);
	return 0;
}

/* Starts a task of an array, or the job itself. 1, or -1: no memory */
static int job_starts(struct sim *sim, struct sim_job *job,
		      const struct offer *offer)
{
	int64_t until = sat_add(sim->now, job->desc.duration);
	int64_t left = job->desc.work.tasks - 1;
	struct sim_job *task = left ? sim_job_task(sim, job) : job;

	if (!task || sim_job_start(sim, task, offer->charges, offer->ncharges,
				   sim->now, until) < 0)
		return -1;
	if (job->first_start == SIM_NOT_YET) {
		job->first_start = sim->now;
		job->first_queue = job->desc.work.queue;
	}
	sim_job_uncount(sim, job);
	if (others_drop(sim, job, left) < 0)
		return -1;
	sim_tell(sim, task, (struct sim_event) { .kind = SIM_START });
	return 1;
}

/* ---- no nodes ---- */

/* A job before it has found no nodes: it waits with that one (StrictFIFO), or
 * for it (components). The present plan did not know. */
static bool job_must_wait(struct sim *sim, const struct sim_job *job)
{
	const struct sim_job *other = job->bonded;

	if (sim_queue_of(sim, job)->denied == sim->plans)
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
	struct sim_queue *queue = sim_queue_of(sim, job);
	int rc = job->blocked ? 0 : TURN_BLOCKS;

	job->denied = sim->plans;
	if (queue->strict)
		queue->denied = sim->plans;
	sim_job_set_blocked(sim, job, true);
	return sim_aside_denied(sim, job) < 0 ? -1 : rc;
}

/* ---- a turn ---- */

/* A job that was tried in vain is not tried again before time has moved, or one more may
 * be evicted for it. Returns as offer_find(). */
static int turn_offer(struct sim *sim, struct sim_turn *turn,
		      struct offer *offer)
{
	struct sim_job *job = turn->job;
	bool tried = job_is_tried(sim, job);
	int rc = 0;

	if (!job_is_denied(sim, job) && !(tried && job->free_at > sim->now)) {
		turn->looks = tried && !job->free_at;
		job->free_at = 0;
		rc = offer_find(sim, turn, offer);
		if (tried && !job->free_at)
			job->free_at = SIM_FOREVER;
	}
	earliest_note(&sim->free_at, job->free_at);
	return rc;
}

static int job_take(struct sim *sim, struct sim_turn *turn)
{
	struct offer offer = { 0 };
	int rc = turn_offer(sim, turn, &offer);

	if (rc == 0)
		return job_block(sim, turn->job);
	if (rc > 0)
		rc = offer.nvictims ? job_preempts(sim, turn->job, &offer)
				    : job_starts(sim, turn->job, &offer);
	offer_free(&offer);
	return rc;
}

/* ---- the turn of all components of a job ---- */

struct component {
	struct sim_turn turn;
	struct offer offer;
	bool evicts;
	bool owned;			/* it owned quota before */
};

/* The plan lets it go, or it waits only for victims of the others. */
static bool component_goes(const struct verdict *v)
{
	return v->kind == VERDICT_START || v->kind == VERDICT_PREEMPT
	       || (v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PREEMPTING);
}

/* Collects those that go. Returns how many; 0: they must wait */
static size_t components_collect(struct sim *sim, struct sim_job *first,
				 struct component *all)
{
	struct sim_job *job = first;
	bool evict = false;
	size_t n = 0;

	do {
		const struct verdict *v = sim_job_in_line(job)
			? engine_verdict(sim->engine, job->work) : NULL;

		if (v && (job == first || component_goes(v))) {
			if (job_must_wait(sim, job))
				return 0;
			evict |= v->kind == VERDICT_PREEMPT;
			all[n++].turn.job = job;
		}
		job = job->bonded;
	} while (job && job != first);
	for (size_t i = 0; i < n; i++)
		all[i].turn.may_evict = evict;
	return n;
}

/* Its victims leave: those that were told before are not the offer's any more. */
static void victims_leave(struct sim *sim, struct offer *offer)
{
	size_t n = 0;

	for (size_t i = 0; i < offer->nvictims; i++) {
		if (workload_evicting(offer->victims[i].workload))
			continue;
		engine_evicting(sim->engine, offer->victims[i].workload, true);
		offer->victims[n++] = offer->victims[i];
	}
	offer->nvictims = n;
}

/* What it is offered beside those before it is its own until component_undo(). Returns as
 * offer_find(). */
static int component_try(struct sim *sim, struct component *c)
{
	struct offer *offer = &c->offer;
	int rc = turn_offer(sim, &c->turn, offer);

	if (rc <= 0)
		return rc;
	c->evicts = offer->nvictims > 0;
	victims_leave(sim, offer);
	sim_room_change(sim, offer->charges, offer->ncharges, -1);
	c->owned = workload_owns(c->turn.job->work);
	return c->owned || engine_own(sim->engine, c->turn.job->work, offer->charges,
				      offer->ncharges) == 0 ? 1 : -1;
}

static void component_undo(struct sim *sim, const struct component *c)
{
	for (size_t i = 0; i < c->offer.nvictims; i++)
		engine_evicting(sim->engine, c->offer.victims[i].workload, false);
	sim_room_change(sim, c->offer.charges, c->offer.ncharges, 1);
	if (!c->owned)
		engine_disown(sim->engine, c->turn.job->work);
}

/* If one of them evicts, all own their quota, and none starts. Returns as sim_turn_take(). */
static int components_go(struct sim *sim, const struct component *all, size_t n)
{
	bool evict = false;
	int moved = 0;

	for (size_t i = 0; i < n; i++)
		evict |= all[i].evicts;
	for (size_t i = 0; i < n; i++) {
		struct sim_job *job = all[i].turn.job;
		int rc = evict ? job_preempts(sim, job, &all[i].offer)
			       : job_starts(sim, job, &all[i].offer);

		if (rc < 0)
			return -1;
		moved |= rc;
	}
	return moved;
}

/* All of them are tried before the first one starts or evicts. Returns as sim_turn_take(). */
static int components_take(struct sim *sim, struct sim_job *first, struct component *all)
{
	size_t n = components_collect(sim, first, all), tried = 0;
	int rc = n ? 1 : 0;

	while (rc > 0 && tried < n) {
		rc = component_try(sim, &all[tried]);
		tried += rc > 0;
	}
	for (size_t i = tried; i-- > 0; )
		component_undo(sim, &all[i]);
	if (rc > 0)
		rc = components_go(sim, all, n);
	else if (rc == 0 && n)
		rc = job_block(sim, all[tried].turn.job);
	for (size_t i = 0; i < n; i++)
		offer_free(&all[i].offer);
	return rc;
}

int sim_turn_take(struct sim *sim, struct sim_turn *turn)
{
	struct sim_job *job = turn->job;
	struct component *all;
	size_t n = 1;
	int rc;

	if (!job->bonded || job->either)
		return job_must_wait(sim, job) ? 0 : job_take(sim, turn);
	for (const struct sim_job *other = job->bonded; other != job; other = other->bonded)
		n++;
	all = calloc(n, sizeof(*all));
	rc = all ? components_take(sim, job, all) : -1;
	free(all);
	return rc;
}
