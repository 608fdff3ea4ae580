/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * play.h - random worlds, and random events in them
 */
#ifndef COHORT_TEST_PLAY_H
#define COHORT_TEST_PLAY_H

#include "world.h"

#define JOBS 40

struct job {
	struct workload *w;
	struct workload_desc desc;
	struct podset_desc podset;
	struct request requests[2];
	bool ineligible[2];
	struct charge charges[4], claim[4];
	size_t ncharges, nclaim;
	uint64_t claimed;
	int64_t since;
	bool there, running, evicting, blocked;
};

struct play {
	uint64_t state;			/* of the random numbers */
	struct spec *spec;
	struct engine *engine;
	struct job jobs[JOBS];
	uint64_t claims;
	int64_t now;
};

/* The same seed gives the same world and the same events. */
void play_begin(struct play *play, uint64_t seed);
void play_end(struct play *play);

/* Plays one random event */
void play_event(struct play *play);

/* One in `undone` bonds that it comes to is undone; one in `rare` is not of the usual kind */
struct bond_odds {
	uint64_t undone, rare;
	enum bond_kind rare_kind, usual_kind;
};

/* Changes the bonds of two waiting jobs, or joins two running ones, if possible */
void play_bond_event(struct play *play, uint64_t *random, const struct bond_odds *odds);

/* Starts a waiting job, or lets it own what it would get by evicting others */
void job_start(struct play *play, struct job *job,
	       const struct charge *charges, size_t n, int64_t since);
void job_own(struct play *play, struct job *job);

#endif /* COHORT_TEST_PLAY_H */
