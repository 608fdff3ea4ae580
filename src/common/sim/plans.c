/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plans.c - what a controller does with the plans of a simulation
 *
 * Jobs that the plan starts are tried by rank; then a new plan is made. A job starts; or its
 * victims are told to leave, and what they free is kept for it. A job with several ways to
 * start that takes one of them drops the others, or reduces them by as many tasks. Components
 * of a job have one turn (doc/how-it-decides.md, section 9): all of them move, or none.
 */
#include <stdlib.h>

#include "sim/sim_state.h"

/* Plans at one time; what is left moves at a later time. Without this limit two jobs that take from
 * each other at no cost of time would never come to an end. */
#define MAX_PLANS 1000
/* Of these, plans one after the other by which no job moves, but one more is found to have no
 * nodes. Where nodes are short, thousands are: one by one, each would cost a plan. */
#define MAX_BLOCKING 4
/* So many tries of jobs on nodes are made between two looks at what it costs */
#define LOOK_TRIES 64

/* The job is blocked from now on: others may start instead of it. */
#define TURN_BLOCKS 2

/* Tells the victims to leave. Returns how many had not been told before */
static int victims_tell(struct sim *sim, const struct sim_job *job, const struct offer *offer)
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
		sim_job_go(sim, victim, sat_add(sim->now, victim->desc.evict_time), v);
		told++;
	}
	return told;
}

/* The job owns the freed quota, as long as is configured. 1: it owns it from now on, 0: it owned it
 * already, and all victims are on their way out; -1: no memory */
static int job_preempts(struct sim *sim, struct sim_job *job, const struct offer *offer)
{
	int64_t own = sim->options.own_time;
	int told = victims_tell(sim, job, offer);
	struct sim_job *other = job;
	struct workload_memory m;

	do {	/* the others of its bond, too */
		other->evicts = true;
		other = other->bonded;
	} while (other && other != job);
	if (!told && workload_owns(job->work))
		return 0;
	workload_recall(job->work, &m);
	m.owns = true;
	m.owns_since = 0;
	m.owned = offer->charges;
	m.nowned = offer->ncharges;
	return sim_remind(sim, job, &m, own ? sat_add(sim->now, own) : SIM_FOREVER) < 0 ? -1 : 1;
}

/* So many tasks are left: the other ways to start are reduced or dropped. -1: no memory */
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
static int job_starts(struct sim *sim, struct sim_job *job, const struct offer *offer)
{
	int64_t until = sat_add(sim->now, job->desc.duration);
	int64_t left = job->desc.work.tasks - 1;
	struct sim_job *task = left ? sim_job_task(sim, job) : job;

	if (!task || sim_job_start(sim, task, offer->charges, offer->ncharges,
				   sim->now, until) < 0)
		return -1;
	sim_job_began(sim, job, sim->now);
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
	for (; other && other != job && !job->either; other = other->bonded) {
		if (job_is_denied(sim, other))
			return true;
	}
	return false;
}

/* It has quota but no nodes: others may start instead, as far as they fit beside
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
static int turn_offer(struct sim *sim, struct sim_turn *turn, struct offer *offer)
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

/* ---- the turn of a job, with all components of it ---- */

struct component {
	struct sim_turn turn;
	struct offer offer;
	bool evicts;
	bool owned;			/* it owned quota before */
};

/* The plan starts it, or it waits only for victims of the others. */
static bool component_goes(const struct verdict *v)
{
	return verdict_goes(v)
	       || (v->kind == VERDICT_WAIT && v->reason == WAIT_IS_PREEMPTING);
}

/* Collects those that move with the job, itself first. Returns how many; 0: they must wait */
static size_t components_collect(struct sim *sim, const struct sim_turn *turn,
				 struct component *all)
{
	struct sim_job *job = turn->job;
	bool evict = turn->may_evict;
	size_t n = 1;

	all[0].turn = *turn;
	for (struct sim_job *other = job->either ? NULL : job->bonded;
	     other && other != job; other = other->bonded) {
		const struct verdict *v = sim_job_in_line(other)
			? engine_verdict(sim->engine, other->work) : NULL;

		if (!v || !component_goes(v))
			continue;
		evict |= v->kind == VERDICT_PREEMPT;
		all[n++].turn.job = other;
	}
	for (size_t i = 0; i < n; i++) {
		if (job_must_wait(sim, all[i].turn.job))
			return 0;
		all[i].turn.may_evict = evict;
	}
	return n;
}

/* What it is offered beside those before it is its own until component_undo(); victims that
 * were told before are not the offer's any more. -1: no memory */
static int component_reserve(struct sim *sim, struct component *c)
{
	struct offer *offer = &c->offer;
	size_t n = 0;

	for (size_t i = 0; i < offer->nvictims; i++) {
		if (workload_evicting(offer->victims[i].workload))
			continue;
		engine_evicting(sim->engine, offer->victims[i].workload, true);
		offer->victims[n++] = offer->victims[i];
	}
	offer->nvictims = n;
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

/* If one of them evicts, all own their quota, and none starts. Returns as turn_take(). */
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

/* All of them are tried before the first one starts or evicts. Returns as turn_take(). */
static int components_take(struct sim *sim, struct component *all, size_t n)
{
	size_t tried = 0;
	int rc = n ? 1 : 0;

	while (rc > 0 && tried < n) {
		struct component *c = &all[tried];

		rc = turn_offer(sim, &c->turn, &c->offer);
		c->evicts = c->offer.nvictims;
		if (rc > 0 && n > 1)
			rc = component_reserve(sim, c);
		tried += rc > 0;
	}
	for (size_t i = n > 1 ? tried : 0; i-- > 0; )
		component_undo(sim, &all[i]);
	if (rc > 0)
		return components_go(sim, all, n);
	return rc == 0 && n ? job_block(sim, all[tried].turn.job) : rc;
}

/* 1: it moves, TURN_BLOCKS: it is blocked, 0: it stays, -1: no memory */
static int turn_take(struct sim *sim, const struct sim_turn *turn)
{
	struct component *all;
	size_t n = 1;

	for (const struct sim_job *other = turn->job->bonded; other && other != turn->job;
	     other = other->bonded)
		n++;
	arena_reset(&sim->turn);
	all = arena_alloc(&sim->turn, n, sizeof(*all));
	return all ? components_take(sim, all, components_collect(sim, turn, all)) : -1;
}

/* ---- plans ---- */

static int by_rank(const void *x, const void *y)
{
	const struct sim_turn *a = x, *b = y;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void turn_add(void *arg, const struct workload *w, const struct verdict *v)
{
	struct sim *sim = arg;

	sim->turns[sim->nturns++] = (struct sim_turn) {
		workload_owner(w), v->rank, max64(1, v->starts),
		v->kind == VERDICT_PREEMPT, false,
	};
}

/* Collects the jobs that the plan starts, by rank: few, of all that wait. -1: no memory */
static int turns_collect(struct sim *sim)
{
	arena_reset(&sim->plan);
	sim->turns = arena_alloc(&sim->plan, sim->nwaiting, sizeof(*sim->turns));
	if (!sim->turns)
		return -1;
	sim->nturns = 0;
	engine_promises(sim->engine, turn_add, sim);
	if (sim->nturns)
		qsort(sim->turns, sim->nturns, sizeof(*sim->turns), by_rank);
	return 0;
}

/* A job that can never start is not waited for. In another queue it might start. */
static void job_judge(struct sim *sim, struct sim_job *job)
{
	const struct verdict *v = engine_verdict(sim->engine, job->work);

	if (v->kind == VERDICT_WAIT && !(job->bonded && job->either)
	    && (v->reason == WAIT_IS_NEVER || v->reason == WAIT_IS_HELD))
		sim_job_uncount(sim, job);
}

/* Judges those that have come since the last time: they stand first in the
 * list. What an older one waits for may have changed: when as many have come as
 * there are, all are judged again, which costs as much in total. */
static void newcomers_judge(struct sim *sim)
{
	struct sim_job *job = sim->waiting;
	bool all = job && job->fresh && sim->judged >= sim->nwaiting;

	if (all)
		sim->judged = 0;
	for (; job && (all || job->fresh); job = job->next_waiting) {
		sim->judged += job->fresh;
		job->fresh = false;
		if (job->counted)
			job_judge(sim, job);
	}
}

/* ---- cost ---- */

bool sim_costs_enough(struct sim *sim)
{
	const struct forecast_bounds *b = &sim->bounds;

	if (!sim->stopped)
		sim->stopped = (b->work && sim->work >= b->work)
			       || (b->enough && b->enough(b->arg));
	return sim->stopped;
}

/* A plan looks at all that wait. */
static int plan_make(struct sim *sim)
{
	int rc = engine_plan(sim->engine, sim->now);

	sim->plans++;
	sim->work += 1 + sim->nwaiting;
	sim->stopped |= engine_cut_plans(sim->engine) > 0;
	return rc;
}

/* Starts as many of its tasks as may start. Returns as turn_take() for the last one, and *moved. */
static int tasks_take(struct sim *sim, struct sim_turn *turn, int *moved)
{
	int rc = 1;

	while (rc == 1 && turn->starts-- > 0 && sim_job_in_line(turn->job)) {
		if (!(++sim->tries % LOOK_TRIES) && sim_costs_enough(sim))
			break;
		sim->work++;
		rc = turn_take(sim, turn);
		if (rc > 0 && *moved != 1)
			*moved = rc;
	}
	return rc;
}

/* 1: some job moved, TURN_BLOCKS: none did, but some are blocked that were not,
 * 0: neither, -1: no memory */
static int turns_take(struct sim *sim)
{
	int moved = 0;

	sim->free_at = 0;
	for (size_t i = 0; i < sim->nturns && !sim->stopped; i++) {
		if (tasks_take(sim, &sim->turns[i], &moved) < 0)
			return -1;
	}
	return moved;
}

/* One plan. Returns as turns_take(). */
static int plan_carry_out(struct sim *sim)
{
	if (plan_make(sim) < 0)
		return -1;
	newcomers_judge(sim);
	return turns_collect(sim) < 0 ? -1 : turns_take(sim);
}

int sim_carry_out_plans(struct sim *sim)
{
	int rc = 1, blocking = 0;

	sim->first_plan = sim->plans + 1;
	for (int i = 0; rc > 0 && i < MAX_PLANS && blocking < MAX_BLOCKING; i++) {
		if (i && sim_costs_enough(sim))
			break;
		if (sim_aside_return(sim) < 0)
			return -1;
		rc = plan_carry_out(sim);
		blocking = rc == TURN_BLOCKS ? blocking + 1 : 0;
	}
	sim->settled = !sim->stopped;
	return rc < 0 ? -1 : 0;
}
