/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer.c - what a job of a simulation gets, and which jobs are evicted for it
 *
 * A job that has quota but no nodes evicts for nodes, where it may.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/sim_state.h"

/* Most often a few suffice: only then more are asked for. */
#define FIRST_CANDIDATES 4

/* sign: 1: the victims leave, -1: they are there again */
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

static bool offer_lacks_room(struct sim *sim, const struct offer *offer)
{
	int flavor;

	return sim_room_lacks(sim, offer->charges, offer->ncharges, &flavor);
}

bool job_is_tried(const struct sim *sim, const struct sim_job *job)
{
	return job->desc.no_nodes && !sim->released;
}

/* ---- an offer ---- */

void offer_free(struct offer *offer)
{
	free(offer->charges);
	free(offer->hidden);
	free(offer->victims);
	*offer = (struct offer) { 0 };
}

static int offer_copy(struct offer *offer, const struct nomination *nom)
{
	size_t n = nom->ncharges;

	*offer = (struct offer) {
		.charges = malloc((n + 1) * sizeof(*offer->charges)),
		.hidden = calloc(n + 1, sizeof(*offer->hidden)),
		.ncharges = n,
	};
	if (!offer->charges || !offer->hidden)
		return -1;
	for (size_t i = 0; i < n; i++)
		offer->charges[i] = nom->charges[i];
	return offer_add_victims(offer, nom->victims, nom->nvictims);
}

/* ---- nodes for it ---- */

/* Finds the jobs that may be evicted in addition to those of the offer, which
 * leave anyway. -1: no memory. */
static int offer_candidates(struct sim *sim, const struct sim_turn *turn,
			    const struct offer *offer, size_t most,
			    struct candidates *found)
{
	struct workload **gone = calloc(offer->nvictims + 1, sizeof(*gone));
	struct candidates_query query = {
		.charges = offer->charges,
		.ncharges = offer->ncharges,
		.gone = gone,
		.ngone = offer->nvictims,
		.most = most,
	};
	int rc;

	if (!gone)
		return -1;
	for (size_t i = 0; i < offer->nvictims; i++)
		gone[i] = offer->victims[i].workload;
	rc = engine_candidates(sim->engine, turn->job->work, sim->now, &query,
			       found);
	free(gone);
	return rc;
}

/* Do the first *used of them make room? */
static bool candidates_suffice(struct sim *sim, const struct sim_turn *turn,
			       const struct offer *offer,
			       const struct candidates *found, size_t *used)
{
	bool lacks = true;

	*used = 0;
	while (lacks && *used < found->n && !turn->looks) {
		leave_all(sim, &found->list[(*used)++], 1, 1);
		lacks = offer_lacks_room(sim, offer);
	}
	leave_all(sim, found->list, *used, -1);
	return !lacks;
}

/* Would jobs that may be evicted in addition make room? The first ones that do
 * are added to the offer. 1: they would, 0: they would not, -1: no memory.
 * Those of the offer have left. The end of a protection that keeps others from
 * leaving is noted here: the engine's next expiry is for quota and does not
 * know it. */
static int offer_extend(struct sim *sim, const struct sim_turn *turn,
			struct offer *offer)
{
	struct candidates found;
	size_t used, most = turn->looks ? 0 : FIRST_CANDIDATES;
	bool lacks;

	do {
		if (offer_candidates(sim, turn, offer, most, &found) < 0)
			return -1;
		sim->work += found.n;
		lacks = !candidates_suffice(sim, turn, offer, &found, &used);
		most = lacks && found.n == most ? 4 * most : 0;
	} while (most);
	if (!lacks)
		return offer_add_victims(offer, found.list, used) < 0 ? -1 : 1;
	earliest_note(&turn->job->free_at, found.protected_until);
	return 0;
}

/* No node has room for a job that was tried: it is taken to need that much more
 * than it asks for. sign: 1: what is free is hidden from it, -1: it is there again */
static void room_hide(struct sim *sim, struct offer *offer, int sign)
{
	for (size_t i = 0; i < offer->ncharges; i++) {
		const struct charge *c = &offer->charges[i];
		int64_t *room = sim_room_of(sim, c->flavor, c->resource);

		if (sign > 0)
			offer->hidden[i] = *room;
		*room -= sign * offer->hidden[i];
	}
}

/* 1: nodes have room when the offer's victims are gone, and perhaps others that
 * are added; 0 and *short_of: they have none; -1: no memory */
static int offer_make_fit(struct sim *sim, const struct sim_turn *turn,
			  struct offer *offer, int *short_of)
{
	bool tried = job_is_tried(sim, turn->job);
	size_t n = offer->nvictims;
	int rc = 1;

	if (tried)
		room_hide(sim, offer, 1);
	leave_all(sim, offer->victims, n, 1);
	if (sim_room_lacks(sim, offer->charges, offer->ncharges, short_of))
		rc = offer_extend(sim, turn, offer);
	leave_all(sim, offer->victims, n, -1);
	if (tried)
		room_hide(sim, offer, -1);
	return rc;
}

/* ---- not more than needed ---- */

/* Which victims do nodes need? The last ones stay if there is room without
 * them. */
static void offer_keep_for_nodes(struct sim *sim, const struct offer *offer,
				 bool *keep)
{
	size_t n = offer->nvictims;

	leave_all(sim, offer->victims, n, 1);
	for (size_t i = n; i-- > 0; ) {
		leave_all(sim, &offer->victims[i], 1, -1);
		keep[i] = offer_lacks_room(sim, offer);
		if (keep[i])
			leave_all(sim, &offer->victims[i], 1, 1);
	}
	for (size_t i = 0; i < n; i++) {
		if (keep[i])
			leave_all(sim, &offer->victims[i], 1, -1);
	}
}

/* Victims that neither quota nor nodes need stay, as the plan chose each by what
 * others had given so far. -1: no memory */
static int offer_drop_needless(struct sim *sim, const struct sim_turn *turn,
			       struct offer *offer)
{
	size_t n = offer->nvictims;
	bool *keep;

	if (n < 2)
		return 0;
	keep = malloc(n * sizeof(*keep));
	if (!keep)
		return -1;
	memset(keep, true, n * sizeof(*keep));
	if (!job_is_tried(sim, turn->job))
		offer_keep_for_nodes(sim, offer, keep);
	n = engine_drop_needless(sim->engine, turn->job->work, offer->charges,
				 offer->ncharges, offer->victims, keep, n);
	if (n)
		offer->nvictims = n;
	free(keep);
	return 0;
}

/* ---- flavors ---- */

/* Is there a flavor that was not tried in vain, of which the queue has quota? */
static bool is_flavor_left(struct sim *sim, const struct sim_job *job)
{
	const struct sim_queue *q = sim_queue_of(sim, job);

	for (size_t i = 0; i < q->npairs; i++) {
		if (sim->flavor_ok[q->pairs[i].flavor])
			return true;
	}
	return false;
}

static bool is_good(const struct sim_turn *turn, const struct nomination *nom)
{
	if (nom->mode == MODE_PREEMPT)
		return nom->nvictims && turn->may_evict;
	return nom->mode == MODE_FIT;
}

/* Do others leave as nodes have no room for it while they are there? */
static bool needs_nodes_of_victims(struct sim *sim,
				   const struct sim_turn *turn,
				   const struct offer *offer)
{
	return sim->options.loss && offer->nvictims
	       && !job_is_tried(sim, turn->job)
	       && offer_lacks_room(sim, offer);
}

int offer_find(struct sim *sim, const struct sim_turn *turn,
	       struct offer *offer)
{
	struct nomination nom;
	int rc, flavor;

	memset(sim->flavor_ok, true, sim->nflavors);
	do {
		if (engine_nominate(sim->engine, turn->job->work, sim->now,
				    sim->flavor_ok, &nom) < 0)
			return -1;
		if (!is_good(turn, &nom))
			return 0;
		if (offer_copy(offer, &nom) < 0)
			return -1;
		rc = offer_make_fit(sim, turn, offer, &flavor);
		if (rc > 0 && needs_nodes_of_victims(sim, turn, offer)
		    && offer_lighten(sim, turn, offer) < 0)
			rc = -1;
		if (rc > 0 && offer_drop_needless(sim, turn, offer) < 0)
			rc = -1;
		if (rc)
			return rc;
		offer_free(offer);
		sim->flavor_ok[flavor] = false;
	} while (is_flavor_left(sim, turn->job));
	return 0;
}
