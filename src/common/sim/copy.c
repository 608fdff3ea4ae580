/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy.c - a copy of a simulation
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

static int running_copy(struct sim *copy, struct sim_job *to,
			const struct sim_job *job)
{
	bool leaves = workload_evicting(job->work);
	const struct victim victim = {
		.reason = job->turn ? VICTIM_TIME_BASED : VICTIM_IN_CLUSTER_QUEUE,
		.pure = job->pure,
	};
	const struct charge *charges;
	size_t n;

	charges = workload_charges(job->work, &n);
	if (sim_job_admit(copy, to) < 0 ||
	    sim_job_start(copy, to, charges, n, job->since,
		      leaves ? SIM_FOREVER : job->due) < 0)
		return -1;
	engine_keep_settled(copy->engine, to->work, workload_settled(job->work));
	if (!leaves)
		return 0;
	if (sim_job_go(copy, to, job->due, job->no_loss ? NULL : &victim) < 0)
		return -1;
	to->evicted_at = job->evicted_at;
	return 0;
}

static int owned_copy(struct sim *copy, struct sim_job *to,
		      const struct sim *sim, const struct sim_job *job)
{
	struct charge *charges = calloc(sim->nflavors * sim->nresources + 1,
					sizeof(*charges));
	size_t n;
	int rc = 0;

	if (!charges)
		return -1;
	n = engine_owned(sim->engine, job->work, charges);
	if (n)
		rc = sim_own(copy, to, charges, n, job->due);
	free(charges);
	return rc;
}

static int waiting_copy(struct sim *copy, struct sim_job *to,
			const struct sim *sim, const struct sim_job *job)
{
	if (sim_job_enter(copy, to) < 0)
		return -1;
	if (!to->work || !job->work)
		return 0;
	sim_job_set_blocked(copy, to, job->blocked);
	engine_blocked(copy->engine, to->work, job->blocked);
	return owned_copy(copy, to, sim, job);
}

static bool is_parked(const struct sim_job *job)
{
	const struct sim_job *other = job->array ? job->array->waiting : NULL;

	if (job->parked)
		return true;
	while (other && other != job)
		other = other->next_in_array;
	return other;
}

static int job_copy(struct sim *copy, const struct sim *sim,
		    struct sim_job *job)
{
	struct sim_desc desc = sim_job_desc(job);
	struct sim_job *to;

	job->copy = NULL;
	if (!job->work && !job->coming && !is_parked(job))
		return 0;	/* it has ended */
	to = sim_job_create(copy, &desc);
	if (!to)
		return -1;
	job->copy = to;
	to->first_start = job->first_start;
	to->first_queue = job->first_queue;
	to->counted = job->counted;
	to->restarts = job->restarts;
	if (job->coming)
		return sim_job_come(copy, to, job->due);
	if (job->work && workload_running(job->work))
		return running_copy(copy, to, job);
	return waiting_copy(copy, to, sim, job);
}

static int bonds_copy(struct sim *copy, const struct sim *sim)
{
	for (const struct sim_job *job = sim->jobs; job; job = job->next) {
		if (!job->bonded || job->copy->bonded)
			continue;
		for (const struct sim_job *other = job->bonded; other != job;
		     other = other->bonded) {
			if (sim_bind(copy, other->copy, job->copy,
				     sim_bond_kind(job)) < 0)
				return -1;
		}
	}
	return 0;
}

static int all_copy(struct sim *copy, const struct sim *sim)
{
	for (struct sim_job *job = sim->jobs; job; job = job->next) {
		if (job_copy(copy, sim, job) < 0)
			return -1;
	}
	for (const struct sim_occupant *o = sim->occupants; o; o = o->next) {
		if (o->n && sim_occupy(copy, o->charges, o->n, o->until) < 0)
			return -1;
	}
	if (bonds_copy(copy, sim) < 0)
		return -1;
	memcpy(copy->room, sim->room, sim->nflavors * sim->nresources
	       * sizeof(*copy->room));
	copy->unstarted = sim->unstarted;
	copy->released = sim->released;
	copy->tasks = sim->tasks;
	return 0;
}

struct sim *sim_copy(const struct spec *spec, const struct sim *sim,
		     const struct sim_options *options)
{
	struct sim *copy = sim_create(spec, sim->now, options);

	if (copy && (all_copy(copy, sim) < 0
		     || sim_remember(copy, spec, sim->engine) < 0)) {
		sim_destroy(copy);
		return NULL;
	}
	return copy;
}

struct sim_job *sim_job_copy(const struct sim_job *job)
{
	return job->copy;
}
