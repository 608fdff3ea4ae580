/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plans.c - what a controller does with the plans of a simulation
 *
 * Jobs that may go are tried by rank; then a new plan is made.
 */
#include <stdlib.h>

#include "sim/sim_state.h"

/* Plans at one time; what is left moves at a later time. Without this limit two
 * jobs that take from each other at no cost of time would never come to an
 * end. */
#define MAX_PLANS 1000
/* Of these, plans one after the other by which no job moves, but one more is
 * found to have no nodes. Where nodes are short, thousands are: one by one, each
 * would cost a plan. */
#define MAX_BLOCKING 4
/* So many tries of jobs on nodes are made between two looks at what it costs */
#define LOOK_TRIES 64

static int by_rank(const void *x, const void *y)
{
	const struct sim_turn *a = x, *b = y;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void turn_add(void *arg, const struct workload *w,
		     const struct verdict *v)
{
	struct sim *sim = arg;

	sim->turns[sim->nturns++] = (struct sim_turn) {
		workload_owner(w), v->rank, max64(1, v->starts),
		v->kind == VERDICT_PREEMPT, false,
	};
}

/* Collects the jobs that the plan starts, by rank: few, of all that wait. -1: no
 * memory */
static int turns_collect(struct sim *sim)
{
	if (sim->turns_size < sim->nwaiting) {
		size_t size = 2 * sim->nwaiting;
		struct sim_turn *turns = realloc(sim->turns, size * sizeof(*turns));

		if (!turns)
			return -1;
		sim->turns = turns;
		sim->turns_size = size;
	}
	sim->nturns = 0;
	engine_promises(sim->engine, turn_add, sim);
	if (sim->nturns)
		qsort(sim->turns, sim->nturns, sizeof(*sim->turns), by_rank);
	return 0;
}

/* A job that can never start is not waited for. In another queue it might
 * start. */
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
	sim->plans++;
	sim->work += 1 + sim->nwaiting;
	return engine_plan(sim->engine, sim->now);
}

/* ---- plans ---- */

/* Starts as many of its tasks as may start. Returns as sim_turn_take() for the last
 * one, and *moved. */
static int tasks_take(struct sim *sim, struct sim_turn *turn, int *moved)
{
	int rc = 1;

	while (rc == 1 && turn->starts-- > 0 && sim_job_in_line(turn->job)) {
		if (!(++sim->tries % LOOK_TRIES) && sim_costs_enough(sim))
			break;
		sim->work++;
		rc = sim_turn_take(sim, turn);
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
	for (int i = 0; rc > 0 && i < MAX_PLANS && blocking < MAX_BLOCKING;
	     i++) {
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
