/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.c - a cluster played forward: setting up, how time moves, results
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "query.h"
#include "sim/sim_state.h"
#include "usage/local.h"

/* ---- what there is ---- */

static void queue_init(struct sim *sim, struct sim_queue *q, const struct spec_queue *spec)
{
	q->strict = spec->strategy == STRATEGY_STRICT_FIFO;
	q->by_usage = spec->by_usage;
	q->pairs = arena_alloc(&sim->arena, spec->nquotas, sizeof(*q->pairs));
	for (size_t i = 0; q->pairs && i < spec->nquotas; i++)
		q->pairs[q->npairs++] = (struct pair) {
			spec->quotas[i].flavor, spec->quotas[i].resource };
}

static int sim_init(struct sim *sim, const struct spec *spec)
{
	size_t npairs = spec->nflavors * spec->nresources;

	sim->nflavors = spec->nflavors;
	sim->nresources = spec->nresources;
	sim->nqueues = spec->nqueues;
	sim->fair_sharing = spec->fair_sharing;
	sim->room = arena_alloc(&sim->arena, npairs, sizeof(*sim->room));
	sim->left = arena_alloc(&sim->arena, npairs, sizeof(*sim->left));
	sim->flavor_ok = arena_alloc(&sim->arena, spec->nflavors, sizeof(*sim->flavor_ok));
	sim->queues = arena_alloc(&sim->arena, spec->nqueues, sizeof(*sim->queues));
	for (size_t i = 0; sim->queues && i < spec->nqueues; i++)
		queue_init(sim, &sim->queues[i], &spec->queues[i]);
	sim->engine = engine_create(spec);
	if (sim->arena.failed || !sim->engine)
		return -1;
	for (size_t i = 0; i < npairs; i++)
		sim->room[i] = SPEC_UNLIMITED;
	engine_advance(sim->engine, sim->now);
	return 0;
}

struct sim *sim_create(const struct spec *spec, int64_t now, const struct sim_options *options)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return NULL;
	sim->options = *options;
	sim->last_job = &sim->jobs;
	sim->now = now;
	sim_agenda_init(sim);
	if (sim_init(sim, spec) < 0) {
		sim_destroy(sim);
		return NULL;
	}
	return sim;
}

void sim_destroy(struct sim *sim)
{
	int saved_errno = errno;

	if (!sim)
		return;
	while (sim->jobs) {
		struct sim_job *job = sim->jobs;

		sim->jobs = job->next;
		sim_job_free(sim, job);
	}
	engine_destroy(sim->engine);
	sim_arrays_free(sim);
	arena_destroy(&sim->turn);
	arena_destroy(&sim->plan);
	arena_destroy(&sim->arena);
	free(sim);
	errno = saved_errno;
}

void sim_room(struct sim *sim, int flavor, int resource, int64_t amount)
{
	*sim_room_of(sim, flavor, resource) = amount;
}

int sim_occupy(struct sim *sim, const struct charge *charges, size_t n, int64_t until)
{
	struct sim_occupant *occupant = arena_alloc(&sim->arena, 1, sizeof(*occupant)
						    + n * sizeof(*charges));

	if (!occupant)
		return -1;
	occupant->n = n;
	memcpy(occupant->charges, charges, n * sizeof(*charges));
	sim_room_change(sim, charges, n, -1);
	sim_appoint(sim, &occupant->due, APPOINTMENT_RELEASE, until);
	return 0;
}

struct sim_job *sim_submit(struct sim *sim, int64_t at, const struct sim_desc *desc)
{
	struct sim_job *job = sim_job_create(sim, desc);

	if (!job || (desc->also && sim_job_come_also(sim, job, at) < 0))
		return NULL;
	job->counted = true;
	sim->unstarted++;
	return sim_job_enter(sim, job, at) < 0 ? NULL : job;
}

struct sim_job *sim_run(struct sim *sim, const struct sim_desc *desc,
			const struct charge *charges, size_t n, int64_t since, int64_t until)
{
	struct sim_desc one = *desc;
	struct sim_job *job;

	one.work.tasks = 1;
	job = sim_job_create(sim, &one);
	if (!job || sim_job_admit(sim, job) < 0)
		return NULL;
	if (until <= sim->now)		/* it is late, and may end at any time */
		until = sat_add(sim->now, SPEC_SEC);
	return sim_job_start(sim, job, charges, n, since, until) < 0 ? NULL : job;
}

void sim_leaves(struct sim *sim, struct sim_job *job, int64_t gone_at, const struct victim *victim)
{
	sim_job_go(sim, job, max64(gone_at, sat_add(sim->now, 1)), victim);
}

/* ---- usage histories ---- */

static int local_remember(struct engine *to, const struct engine *from, int queue, int local)
{
	struct usage_history h;

	if (engine_weigh_local(to, queue, local, engine_local_weight(from, queue, local)) < 0)
		return -1;
	for (int r = 0; r < (int) from->books->nresources; r++) {
		if (engine_local_history(from, queue, local, r, &h)
		    && engine_restore_local(to, queue, local, r, &h) < 0)
			return -1;
	}
	return 0;
}

static int node_remember(struct engine *to, const struct engine *from, bool is_cohort, int node)
{
	struct usage_history h;

	for (int r = 0; r < (int) from->books->nresources; r++) {
		if (engine_history(from, is_cohort, node, r, &h)
		    && engine_restore_history(to, is_cohort, node, r, &h) < 0)
			return -1;
	}
	return 0;
}

int sim_remember(struct sim *sim, const struct engine *from)
{
	for (int i = 0; i < (int) from->books->ncohorts; i++) {
		if (node_remember(sim->engine, from, true, i) < 0)
			return -1;
	}
	for (int i = 0; i < (int) from->nqueues; i++) {
		const struct local *l = from->queues[i].locals;

		if (node_remember(sim->engine, from, false, i) < 0)
			return -1;
		for (; l; l = l->next) {
			if (local_remember(sim->engine, from, i, (int) l->keyed.key) < 0)
				return -1;
		}
	}
	return 0;
}

int sim_weigh_local(struct sim *sim, int queue, int local_queue, double weight)
{
	return engine_weigh_local(sim->engine, queue, local_queue, weight);
}

/* ---- time ---- */

static int appointment_keep(struct sim *sim, struct appointment *a)
{
	struct sim_occupant *occupant;

	sim_appoint(sim, a, a->kind, SIM_FOREVER);
	if (a->kind != APPOINTMENT_RELEASE)
		return sim_job_happens(sim, container_of(a, struct sim_job, due));
	occupant = container_of(a, struct sim_occupant, due);
	sim_room_change(sim, occupant->charges, occupant->n, 1);
	sim->releases++;
	sim->settled = false;
	return 0;
}

int64_t sim_next(const struct sim *sim)
{
	const struct appointment *first = appointment_at(rankset_first(&sim->agenda));
	int64_t expiry = engine_next_expiry(sim->engine);
	int64_t next = first ? first->at : SIM_FOREVER;

	if (!sim->settled)
		return sim->now;
	if (!first && !sim->nwaiting)	/* quotas may still change */
		return SIM_FOREVER;
	if (expiry > sim->now && expiry < next)
		next = expiry;
	if (sim->free_at > sim->now && sim->free_at < next)
		next = sim->free_at;
	return next;
}

int sim_step(struct sim *sim, int64_t grain)
{
	struct appointment *first;
	int64_t next = sim_next(sim), last = next;

	if (next == SIM_FOREVER || sim_costs_enough(sim))
		return 0;
	if (grain > 0 && sim->settled)
		last = sat_add(next, grain);
	sim->now = max64(sim->now, next);
	engine_advance(sim->engine, sim->now);
	while ((first = appointment_at(rankset_first(&sim->agenda))) && first->at <= last) {
		sim->now = max64(sim->now, first->at);
		engine_advance(sim->engine, sim->now);
		if (appointment_keep(sim, first) < 0)
			return -1;
	}
	return sim_carry_out_plans(sim) < 0 ? -1 : 1;
}

bool sim_idle(const struct sim *sim)
{
	return sim->settled && !sim->agenda.root;
}

int64_t sim_now(const struct sim *sim)
{
	return sim->now;
}

/* ---- results ---- */

int64_t sim_job_started(const struct sim_job *job)
{
	return job->first_start;
}

int sim_job_started_in(const struct sim_job *job)
{
	return job->first_queue;
}

bool sim_job_evicts(const struct sim_job *job)
{
	return job->evicts;
}

bool sim_is_cut(const struct sim *sim)
{
	return engine_cut_plans(sim->engine) > 0;
}

size_t sim_unstarted(const struct sim *sim)
{
	return sim->unstarted;
}

bool sim_waits(const struct sim *sim)
{
	return sim->nwaiting;
}

/* ---- forecast ---- */

/* Later events are less certain anyway. As the grain grows with the time looked
 * ahead, the number of plans grows only with its logarithm. */
#define GRAINS 64

static bool is_over(const struct sim *sim, const struct sim_job *watched)
{
	return watched ? watched->first_start != SIM_NOT_YET : !sim->unstarted;
}

int forecast_play(struct sim *sim, const struct sim_job *watched,
		  const struct forecast_bounds *bounds)
{
	int64_t begin = sim->now, grain = 0;

	sim->bounds = *bounds;
	sim->stopped = false;
	engine_set_plan_budget(sim->engine, bounds->plan_budget);
	for (size_t i = 0; i < bounds->steps && !is_over(sim, watched); i++) {
		int64_t next = sim_next(sim);
		int rc;

		if (next == SIM_FOREVER || sat_sub(next, begin) > bounds->horizon)
			break;
		if (i >= bounds->exact)
			grain = sat_sub(next, begin) / GRAINS;
		rc = sim_step(sim, grain);
		if (rc <= 0)
			return rc;
	}
	return is_over(sim, watched);
}
