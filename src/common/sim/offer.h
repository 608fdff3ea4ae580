/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer.h - what a job of a simulation gets, and which jobs leave for it
 */
#ifndef COHORT_OFFER_H
#define COHORT_OFFER_H

#include "sim/sim_state.h"

/* A job that the plan lets go, and its verdict */
struct sim_turn {
	struct sim_job *job;
	uint64_t rank;
	int64_t starts;
	bool may_evict;
	bool looks;			/* it only finds out when it may evict
					 * for nodes */
};

/* An offer, copied from the engine's arrays. Charges and hidden room are the
 * simulation's, and are those of its last offer. */
struct offer {
	struct charge *charges;
	int64_t *hidden;		/* free room that is hidden from the
					 * job */
	size_t ncharges;
	struct victim *victims;
	size_t nvictims;
};

/* Tries flavor by flavor, as a controller does (doc/how-it-decides.md, section
 * 10): 1 and *offer, 0: nothing, -1: no memory. Notes in job->free_at when one
 * more job may be evicted for it. */
int offer_find(struct sim *sim, const struct sim_turn *turn,
	       struct offer *offer);

void offer_free(struct offer *offer);

/* It was tried on the nodes as they are now: what is free is of no use to
 * it. */
bool job_is_tried(const struct sim *sim, const struct sim_job *job);

/* The earlier one of two times, where 0 is none */
static inline void earliest_note(int64_t *earliest, int64_t at)
{
	if (at && (!*earliest || at < *earliest))
		*earliest = at;
}

#endif /* COHORT_OFFER_H */
