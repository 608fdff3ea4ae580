/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.c - a cluster played forward: setting up, how time moves, results
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

/* ---- what there is ---- */

static int queue_init(struct sim_queue *q, const struct spec_queue *spec)
{
	q->strict = spec->strategy == STRATEGY_STRICT_FIFO;
	q->by_usage = spec->by_usage;
	q->pairs = calloc(spec->nquotas + 1, sizeof(*q->pairs));
	if (!q->pairs)
		return -1;
	for (size_t i = 0; i < spec->nquotas; i++)
		q->pairs[q->npairs++] = (struct sim_pair) {
			spec->quotas[i].flavor, spec->quotas[i].resource };
	return 0;
}

static int sim_init(struct sim *sim, const struct spec *spec)
{
	size_t npairs = spec->nflavors * spec->nresources;

	sim->nflavors = spec->nflavors;
	sim->nresources = spec->nresources;
	sim->room = malloc((npairs + 1) * sizeof(*sim->room));
	sim->left = malloc((npairs + 1) * sizeof(*sim->left));
	sim->flavor_ok = calloc(spec->nflavors + 1, sizeof(*sim->flavor_ok));
	sim->queues = calloc(spec->nqueues + 1, sizeof(*sim->queues));
	if (!sim->room || !sim->left || !sim->flavor_ok || !sim->queues)
		return -1;
	sim->nqueues = spec->nqueues;
	sim->fair_sharing = spec->fair_sharing;
	for (size_t i = 0; i < spec->nqueues; i++) {
		if (queue_init(&sim->queues[i], &spec->queues[i]) < 0)
			return -1;
	}
	for (size_t i = 0; i < npairs; i++)
		sim->room[i] = SPEC_UNLIMITED;
	sim->engine = engine_create(spec);
	if (!sim->engine)
		return -1;
	engine_advance(sim->engine, sim->now);
	return 0;
}

struct sim *sim_create(const struct spec *spec, int64_t now,
		       const struct sim_options *options)
{
	struct sim *sim = calloc(1, sizeof(*sim));

	if (!sim)
		return NULL;
	sim->options = *options;
	sim->last_job = &sim->jobs;
	sim->now = now;
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
	while (sim->occupants) {
		struct sim_occupant *occupant = sim->occupants;

		sim->occupants = occupant->next;
		free(occupant);
	}
	agenda_free(&sim->agenda);
	for (size_t i = 0; sim->queues && i < sim->nqueues; i++)
		free(sim->queues[i].pairs);
	free(sim->turns);
	free(sim->queues);
	free(sim->flavor_ok);
	free(sim->left);
	free(sim->room);
	free(sim);
	errno = saved_errno;
}

void sim_room(struct sim *sim, int flavor, int resource, int64_t amount)
{
	*sim_room_of(sim, flavor, resource) = amount;
}

int sim_occupy(struct sim *sim, const struct charge *charges, size_t n,
	       int64_t until)
{
	struct sim_occupant *occupant;
	struct appointment a = { .at = until, .kind = -1 };

	occupant = malloc(sizeof(*occupant) + n * sizeof(*charges));
	if (!occupant)
		return -1;
	occupant->n = n;
	memcpy(occupant->charges, charges, n * sizeof(*charges));
	occupant->next = sim->occupants;
	sim->occupants = occupant;
	sim_room_change(sim, charges, n, -1);
	a.what = occupant;
	return until == SIM_FOREVER ? 0 : agenda_add(&sim->agenda, &a);
}

struct sim_job *sim_submit(struct sim *sim, int64_t at,
			   const struct sim_desc *desc)
{
	struct sim_job *job = sim_job_create(sim, desc);

	if (!job || (desc->also && sim_job_come_also(sim, job, at) < 0))
		return NULL;
	job->counted = true;
	sim->unstarted++;
	return sim_job_enter(sim, job, at) < 0 ? NULL : job;
}

struct sim_job *sim_run(struct sim *sim, const struct sim_desc *desc,
			const struct charge *charges, size_t n, int64_t since,
			int64_t until)
{
	struct sim_desc one = *desc;
	struct sim_job *job;

	one.work.tasks = 1;
	job = sim_job_create(sim, &one);
	if (!job || sim_job_admit(sim, job) < 0)
		return NULL;
	if (until <= sim->now)		/* it is late, and may end at any
					 * time */
		until = sat_add(sim->now, SPEC_SEC);
	return sim_job_start(sim, job, charges, n, since, until) < 0 ? NULL : job;
}

int sim_leaves(struct sim *sim, struct sim_job *job, int64_t gone_at,
	       const struct victim *victim)
{
	return sim_job_go(sim, job, max64(gone_at, sat_add(sim->now, 1)), victim);
}

/* ---- time ---- */

static int appointment_keep(struct sim *sim, const struct appointment *a)
{
	struct sim_occupant *occupant = a->what;
	struct sim_job *job = a->what;
	int rc = 0;

	if (a->kind >= 0) {
		if (job->version == a->version)
			rc = sim_job_happens(sim, job, a->kind);
		sim_job_met(sim, job);
		return rc;
	}
	sim_room_change(sim, occupant->charges, occupant->n, 1);
	sim->releases++;
	sim->settled = false;
	return 0;
}

int64_t sim_next(const struct sim *sim)
{
	const struct appointment *first = agenda_first(&sim->agenda);
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
	const struct appointment *first;
	int64_t next = sim_next(sim), last = next;

	if (next == SIM_FOREVER || sim_costs_enough(sim))
		return 0;
	if (grain > 0 && sim->settled)
		last = sat_add(next, grain);
	sim->now = max64(sim->now, next);
	engine_advance(sim->engine, sim->now);
	while ((first = agenda_first(&sim->agenda)) && first->at <= last) {
		struct appointment a = agenda_take(&sim->agenda);

		sim->now = max64(sim->now, a.at);
		engine_advance(sim->engine, sim->now);
		if (appointment_keep(sim, &a) < 0)
			return -1;
	}
	return sim_carry_out_plans(sim) < 0 ? -1 : 1;
}

bool sim_idle(const struct sim *sim)
{
	return sim->settled && !agenda_first(&sim->agenda);
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
