/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room.c - how much room nodes have, as totals by flavor and resource
 */
#include "sim/sim_state.h"

int64_t *sim_room_of(struct sim *sim, const struct charge *c)
{
	return &sim->room[(size_t) c->flavor * sim->nresources + c->resource];
}

void sim_room_change(struct sim *sim, const struct charge *charges, size_t n,
		     int sign)
{
	for (size_t i = 0; i < n; i++) {
		int64_t *room = sim_room_of(sim, &charges[i]);

		if (*room != SPEC_UNLIMITED)
			*room += sign * charges[i].amount;
	}
}

void sim_room(struct sim *sim, int flavor, int resource, int64_t amount)
{
	sim->room[(size_t) flavor * sim->nresources + resource] = amount;
}

bool sim_room_lacks(struct sim *sim, const struct charge *charges, size_t n,
		    int *short_of)
{
	for (size_t i = 0; i < n; i++) {
		if (*sim_room_of(sim, &charges[i]) >= charges[i].amount)
			continue;
		*short_of = charges[i].flavor;
		return true;
	}
	return false;
}
