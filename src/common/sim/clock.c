/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c - how time moves in a simulation
 */
#include "sim/sim_state.h"

/* A newcomer may be parked instead of joining the line. */
static int job_happens(struct sim *sim, struct sim_job *job, int kind)
{
	int parked = kind == APPOINTMENT_COME ? sim_park_newcomer(sim, job) : 0;

	if (parked)
		return parked < 0 ? -1 : 0;
	return sim_job_happens(sim, job, kind);
}

static int appointment_keep(struct sim *sim, const struct appointment *a)
{
	struct sim_occupant *occupant = a->what;
	struct sim_job *job = a->what;

	if (a->kind >= 0) {
		int rc = job->version == a->version
			 ? job_happens(sim, job, a->kind) : 0;

		sim_job_met(sim, job);
		return rc;
	}
	sim_room_change(sim, occupant->charges, occupant->n, 1);
	occupant->n = 0;
	sim->released = true;
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

/* A protection has ended, or something else that time alone changes. */
static bool is_due(const struct sim *sim)
{
	return (sim->free_at && sim->free_at <= sim->now)
	       || engine_stale(sim->engine, sim->now);
}

int sim_step(struct sim *sim, int64_t grain)
{
	const struct appointment *first;
	int64_t next = sim_next(sim), last = next;
	bool quiet;

	if (next == SIM_FOREVER || sim_costs_enough(sim))
		return 0;
	if (grain > 0 && sim->settled)
		last = sat_add(next, grain);
	if (next > sim->now)
		sim->now = next;
	engine_advance(sim->engine, sim->now);
	quiet = sim->options.depth && sim->settled && !is_due(sim);
	while ((first = agenda_first(&sim->agenda)) && first->at <= last) {
		struct appointment a = agenda_take(&sim->agenda);

		if (a.at > sim->now)
			sim->now = a.at;
		engine_advance(sim->engine, sim->now);
		if (appointment_keep(sim, &a) < 0)
			return -1;
	}
	if (quiet && sim->settled && !is_due(sim))	/* jobs were parked */
		return 1;
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
