/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clock.c - how time moves in a simulation
 */
#include "sim/sim_state.h"

static int appointment_keep(struct sim *sim, const struct appointment *a)
{
	struct sim_occupant *occupant = a->what;
	struct sim_job *job = a->what;

	if (a->kind >= 0) {
		int rc = job->version == a->version
			 ? sim_job_happens(sim, job, a->kind) : 0;

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

int sim_step(struct sim *sim, int64_t grain)
{
	const struct appointment *first;
	int64_t next = sim_next(sim), last = next;

	if (next == SIM_FOREVER || sim_costs_enough(sim))
		return 0;
	if (grain > 0 && sim->settled)
		last = sat_add(next, grain);
	if (next > sim->now)
		sim->now = next;
	engine_advance(sim->engine, sim->now);
	while ((first = agenda_first(&sim->agenda)) && first->at <= last) {
		struct appointment a = agenda_take(&sim->agenda);

		if (a.at > sim->now)
			sim->now = a.at;
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
