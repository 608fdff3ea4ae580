/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer.c - who starts, and who goes for it
 *
 * What a controller does with a plan: those that may go are tried by rank,
 * flavor by flavor; victims are told to go, and what they leave is kept for
 * who evicted them. Quota without nodes evicts for nodes, where it may.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

/* Plans at one time; what is left then moves at the next one. Two that take
 * from each other at no cost of time would else never come to an end. */
#define MAX_ROUNDS 1000

/* ---- nodes ---- */

static int64_t *room_of(struct sim *sim, const struct charge *c)
{
	return &sim->room[(size_t) c->flavor * sim->nresources + c->resource];
}

void sim_room_change(struct sim *sim, const struct charge *charges, size_t n,
		 int sign)
{
	for (size_t i = 0; i < n; i++) {
		int64_t *room = room_of(sim, &charges[i]);

		if (*room != SPEC_UNLIMITED)
			*room += sign * charges[i].amount;
	}
}

/* Protections end that kept it from evicting for nodes: of these the engine's
 * next expiry, which is for quota, does not tell. */
static void free_note(int64_t *earliest, int64_t at)
{
	if (at && (!*earliest || at < *earliest))
		*earliest = at;
}

static void leave_all(struct sim *sim, const struct victim *victims, size_t n,
		      int sign)
{
	for (size_t i = 0; i < n; i++) {
		const struct charge *charges;
		size_t ncharges;

		charges = workload_charges(victims[i].workload, &ncharges);
		sim_room_change(sim, charges, ncharges, sign);
	}
}

/* It was tried on the nodes as they are now: what is free does not help it. */
static bool is_tried(const struct sim *sim, const struct sim_job *job)
{
	return job->desc.no_nodes && !sim->released;
}

/* Nodes have no room for it: in *short_of, the first flavor that has none */
static bool room_lacks(struct sim *sim, const struct charge *charges, size_t n,
		       int *short_of)
{
	for (size_t i = 0; i < n; i++) {
		if (*room_of(sim, &charges[i]) >= charges[i].amount)
			continue;
		*short_of = charges[i].flavor;
		return true;
	}
	return false;
}

/* ---- one job ---- */

/* What it gets and who goes, out of the engine's arrays */
struct offer {
	struct charge *charges;
	int64_t *hidden;		/* room_hide() */
	size_t ncharges;
	struct victim *victims;
	size_t nvictims;
};

static void offer_free(struct offer *offer)
{
	free(offer->charges);
	free(offer->hidden);
	free(offer->victims);
	*offer = (struct offer) { 0 };
}

static int victims_append(struct offer *offer, const struct victim *more,
			  size_t n)
{
	struct victim *all = realloc(offer->victims, (offer->nvictims + n + 1)
				     * sizeof(*all));

	if (!all)
		return -1;
	offer->victims = all;
	if (n)
		memcpy(all + offer->nvictims, more, n * sizeof(*all));
	offer->nvictims += n;
	return 0;
}

static int offer_copy(struct offer *offer, const struct nomination *nom)
{
	*offer = (struct offer) { .ncharges = nom->ncharges };
	offer->charges = malloc((nom->ncharges + 1) * sizeof(*offer->charges));
	offer->hidden = calloc(nom->ncharges + 1, sizeof(*offer->hidden));
	if (!offer->charges || !offer->hidden || victims_append(offer, nom->victims,
					      nom->nvictims) < 0) {
		offer_free(offer);
		return -1;
	}
	if (nom->ncharges)
		memcpy(offer->charges, nom->charges,
		       nom->ncharges * sizeof(*offer->charges));
	return 0;
}

static struct workload **offer_gone(const struct offer *offer)
{
	struct workload **gone = calloc(offer->nvictims + 1, sizeof(*gone));

	for (size_t i = 0; gone && i < offer->nvictims; i++)
		gone[i] = offer->victims[i].workload;
	return gone;
}

/* Would those who may be evicted besides make room? The first that do are
 * added. 1: they would, 0: no, -1: no memory. Those of the offer have left. */
static int offer_extend(struct sim *sim, const struct sim_turn *turn,
			struct offer *offer)
{
	struct workload **gone = offer_gone(offer);
	const struct victim *more;
	struct candidates_query query = {
		.charges = offer->charges,
		.ncharges = offer->ncharges,
		.ngone = offer->nvictims,
	};
	struct candidates found;
	size_t n, used = 0;
	bool lacks = true;
	int flavor, rc;

	if (!gone)
		return -1;
	query.gone = gone;
	rc = engine_candidates(sim->engine, turn->job->work, sim->now, &query,
			       &found);
	free(gone);
	if (rc < 0)
		return -1;
	more = found.list;
	n = found.n;
	while (lacks && used < n && !turn->looks) {
		leave_all(sim, &more[used++], 1, 1);
		lacks = room_lacks(sim, offer->charges, offer->ncharges,
				   &flavor);
	}
	leave_all(sim, more, used, -1);
	if (!lacks)
		return victims_append(offer, more, used) < 0 ? -1 : 1;
	free_note(&turn->job->free_at, found.protected_until);
	return 0;
}

/* No node has room for one that was tried: it is taken to need as much more as
 * it asks for. */
static void room_hide(struct sim *sim, struct offer *offer)
{
	for (size_t i = 0; i < offer->ncharges; i++) {
		int64_t *room = room_of(sim, &offer->charges[i]);

		offer->hidden[i] = *room;
		*room = 0;
	}
}

static void room_show(struct sim *sim, const struct offer *offer)
{
	for (size_t i = 0; i < offer->ncharges; i++)
		*room_of(sim, &offer->charges[i]) += offer->hidden[i];
}

/* 1: nodes have room, with the offer's victims gone; 0 and *short_of: no */
static int offer_fits(struct sim *sim, const struct sim_turn *turn,
		      struct offer *offer, int *short_of)
{
	bool tried = is_tried(sim, turn->job);
	size_t n = offer->nvictims;
	int rc = 1;

	if (tried)
		room_hide(sim, offer);
	leave_all(sim, offer->victims, n, 1);
	if (room_lacks(sim, offer->charges, offer->ncharges, short_of))
		rc = offer_extend(sim, turn, offer);
	leave_all(sim, offer->victims, n, -1);
	if (tried)
		room_show(sim, offer);
	return rc;
}

/* Flavor by flavor, as job_test does. 1 and *offer, 0: nothing, -1: no memory */
static int offer_find(struct sim *sim, const struct sim_turn *turn,
		      struct offer *offer)
{
	struct nomination nom;
	int rc, flavor;

	memset(sim->flavor_ok, true, sim->nflavors);
	do {
		if (engine_nominate(sim->engine, turn->job->work, sim->now,
				    sim->flavor_ok, &nom) < 0)
			return -1;
		if (nom.mode == MODE_NOFIT || (nom.mode == MODE_PREEMPT
		    && (!nom.nvictims || !turn->may_evict)))
			return 0;
		if (offer_copy(offer, &nom) < 0)
			return -1;
		rc = offer_fits(sim, turn, offer, &flavor);
		if (rc)
			return rc;
		offer_free(offer);
		sim->flavor_ok[flavor] = false;
	} while (true);
}

/* How many had not been told before; -1: no memory */
static int victims_tell(struct sim *sim, const struct sim_job *job,
			const struct offer *offer)
{
	int told = 0;

	for (size_t i = 0; i < offer->nvictims; i++) {
		const struct victim *v = &offer->victims[i];
		struct sim_job *victim = workload_owner(v->workload);

		if (workload_evicting(v->workload))
			continue;
		sim_tell(sim, SIM_EVICT, victim, job, v->reason);
		if (sim_job_go(sim, victim,
			       sat_add(sim->now, victim->desc.evict_time),
			       v->reason == VICTIM_TIME_BASED) < 0)
			return -1;
		told++;
	}
	return told;
}

/* For others of its bond as well */
static void job_note_evicts(struct sim_job *job)
{
	struct sim_job *other = job;

	do {
		other->evicts = true;
		other = other->bonded;
	} while (other && other != job);
}

/* The freed quota is its own, as long as it is configured. 1: it is from now
 * on, 0: it was already, and all victims are on their way; -1: no memory */
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

/* 1, or -1: no memory */
static int job_starts(struct sim *sim, struct sim_job *job,
		      const struct offer *offer)
{
	struct sim_job *task = job;
	int64_t until = sat_add(sim->now, job->desc.duration);

	if (job->first_start == SIM_NOT_YET)
		job->first_start = sim->now;
	if (job->counted)
		sim->unstarted--;
	job->counted = false;
	if (job->desc.work.tasks > 1)
		task = sim_job_task(sim, job);
	if (!task)
		return -1;
	if (sim_job_start(sim, task, offer->charges, offer->ncharges, sim->now,
		      until) < 0
	    || sim_bond_started(sim, job, task == job ? 0
				: job->desc.work.tasks) < 0)
		return -1;
	sim_tell(sim, SIM_START, task, NULL, 0);
	return 1;
}

/* It has quota and no nodes: others may go instead. */
static int job_block(struct sim *sim, struct sim_job *job)
{
	if (job->blocked)
		return 0;
	job->blocked = true;
	engine_blocked(sim->engine, job->work, true);
	return 2;
}

/* 1: it moves, 2: others may, 0: it stays, -1: no memory */
static int turn_take(struct sim *sim, struct sim_turn *turn)
{
	struct sim_job *job = turn->job;
	bool tried = is_tried(sim, job);
	struct offer offer = { 0 };
	int rc = 0;

	if (!tried || job->free_at <= sim->now) {
		turn->looks = tried && !job->free_at;
		job->free_at = 0;
		rc = offer_find(sim, turn, &offer);
		if (tried && !job->free_at)
			job->free_at = SIM_FOREVER;
	}
	free_note(&sim->free_at, job->free_at);
	if (rc == 0)
		return job_block(sim, job);
	if (rc > 0 && offer.nvictims)
		rc = job_preempts(sim, job, &offer);
	else if (rc > 0)
		rc = job_starts(sim, job, &offer);
	offer_free(&offer);
	return rc;
}

/* ---- all of them ---- */

/* One that can never start is not waited for; it might in another queue. */
static void job_judge(struct sim *sim, struct sim_job *job,
		      const struct verdict *v)
{
	bool elsewhere = job->bonded && job->bond == BOND_EITHER;

	if (!job->counted || elsewhere || v->kind != VERDICT_WAIT
	    || (v->reason != WAIT_IS_NEVER && v->reason != WAIT_IS_HELD))
		return;
	job->counted = false;
	sim->unstarted--;
}

static int by_rank(const void *x, const void *y)
{
	const struct sim_turn *a = x, *b = y;

	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int turns_reserve(struct sim *sim)
{
	struct sim_turn *turns;

	if (sim->nwaiting <= sim->turns_size)
		return 0;
	turns = realloc(sim->turns, 2 * sim->nwaiting * sizeof(*turns));
	if (!turns)
		return -1;
	sim->turns = turns;
	sim->turns_size = 2 * sim->nwaiting;
	return 0;
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

/* Those that the plan lets go, by rank */
static void turns_collect(struct sim *sim)
{
	sim->nturns = 0;
	engine_promises(sim->engine, turn_add, sim);
	if (sim->nturns)
		qsort(sim->turns, sim->nturns, sizeof(*sim->turns), by_rank);
}

static void newcomers_judge(struct sim *sim)
{
	if (!sim->newcomers)
		return;
	sim->newcomers = false;
	for (struct sim_job *job = sim->waiting; job; job = job->next_waiting)
		job_judge(sim, job, engine_verdict(sim->engine, job->work));
}

/* 1: somebody moved, 0: nobody, -1: no memory. One that is blocked anew makes
 * the rest of the plan void. */
static int turns_take(struct sim *sim)
{
	int moved = 0;

	sim->free_at = 0;
	for (size_t i = 0; i < sim->nturns; i++) {
		struct sim_turn *turn = &sim->turns[i];
		int rc = 1;

		while (rc == 1 && turn->starts-- > 0 && turn->job->work
		       && !workload_running(turn->job->work)) {
			rc = turn_take(sim, turn);
			moved |= rc > 0;
		}
		if (rc < 0 || rc == 2)
			return rc < 0 ? -1 : 1;
	}
	return moved;
}

int sim_settle(struct sim *sim)
{
	int rc = 1;

	for (int i = 0; rc > 0 && i < MAX_ROUNDS; i++) {
		if (engine_plan(sim->engine, sim->now) < 0)
			return -1;
		if (turns_reserve(sim) < 0)
			return -1;
		newcomers_judge(sim);
		turns_collect(sim);
		rc = turns_take(sim);
	}
	sim->settled = true;
	return rc < 0 ? -1 : 0;
}
