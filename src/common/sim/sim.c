/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.c - a cluster played forward: setting up and asking
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

static int queue_init(struct sim_queue *q, const struct spec_queue *spec)
{
	q->strict = spec->strategy == STRATEGY_STRICT_FIFO;
	q->by_usage = spec->by_usage;
	q->parks = !q->strict && !spec->by_usage;
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
	sim->flavor_ok = calloc(spec->nflavors + 1, sizeof(*sim->flavor_ok));
	sim->queues = calloc(spec->nqueues + 1, sizeof(*sim->queues));
	if (!sim->room || !sim->flavor_ok || !sim->queues)
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
	sim_arrays_free(sim);
	while (sim->jobs) {
		struct sim_job *job = sim->jobs;

		sim->jobs = job->next;
		sim_job_free(sim, job);
	}
	while (sim->occupants) {
		struct sim_occupant *occupant = sim->occupants;

		sim->occupants = occupant->next;
		free(occupant);
	}
	engine_destroy(sim->engine);	/* it has what jobs ask for */
	hash_destroy(&sim->asks);
	agenda_free(&sim->agenda);
	for (size_t i = 0; sim->queues && i < sim->nqueues; i++)
		free(sim->queues[i].pairs);
	free(sim->turns);
	free(sim->offer_charges);
	free(sim->offer_hidden);
	free(sim->queues);
	free(sim->flavor_ok);
	free(sim->room);
	free(sim);
	errno = saved_errno;
}

/* ---- setting up ---- */

int sim_occupy(struct sim *sim, const struct charge *charges, size_t n,
	       int64_t until)
{
	struct sim_occupant *occupant;
	struct appointment a = { .at = until };

	occupant = malloc(sizeof(*occupant) + n * sizeof(*charges));
	if (!occupant)
		return -1;
	occupant->until = until;
	occupant->n = n;
	memcpy(occupant->charges, charges, n * sizeof(*charges));
	occupant->next = sim->occupants;
	sim->occupants = occupant;
	sim_room_change(sim, charges, n, -1);
	a.kind = -1;
	a.what = occupant;
	return until == SIM_FOREVER ? 0 : agenda_add(&sim->agenda, &a);
}

struct sim_job *sim_submit(struct sim *sim, int64_t at,
			   const struct sim_desc *desc)
{
	struct sim_job *job = sim_job_create(sim, desc);
	int rc;

	if (!job)
		return NULL;
	if (desc->also && sim_job_come_also(sim, job, at) < 0)
		return NULL;
	job->counted = true;
	sim->unstarted++;
	if (at > sim->now)
		rc = sim_job_come(sim, job, at);
	else
		rc = sim_job_enter(sim, job);
	return rc < 0 ? NULL : job;
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
	if (sim_job_start(sim, job, charges, n, since, until) < 0)
		return NULL;
	engine_keep_settled(sim->engine, job->work, desc->settled);
	return job;
}

int sim_leaves(struct sim *sim, struct sim_job *job, int64_t gone_at,
	       const struct victim *victim)
{
	return sim_job_go(sim, job, max64(gone_at, sat_add(sim->now, 1)), victim);
}

void sim_limit(struct sim *sim, const struct sim_limit *limit)
{
	sim->limit = *limit;
	sim->stopped = false;
}

/* ---- results ---- */

uint64_t sim_work(const struct sim *sim)
{
	return sim->work;
}

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

size_t sim_unstarted(const struct sim *sim)
{
	return sim->unstarted;
}

const struct engine *sim_engine(const struct sim *sim)
{
	return sim->engine;
}
