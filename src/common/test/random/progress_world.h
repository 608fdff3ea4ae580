/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress_world.h - random clusters and jobs that are played to their end
 */
#ifndef COHORT_TEST_PROGRESS_WORLD_H
#define COHORT_TEST_PROGRESS_WORLD_H

#include "lib/sat.h"
#include "sim.h"
#include "world.h"

#define PROGRESS_JOBS 60

struct progress_job {
	struct sim_desc desc;		/* owner: its number + 1 */
	int64_t come;
	size_t with;			/* a component of that job: number + 1; 0: none */
	struct podset_desc podset;
	struct request requests[2];
};

struct progress_world {
	struct spec *spec;
	struct progress_job jobs[PROGRESS_JOBS];
	size_t njobs, nflavors;
	int64_t room;			/* of the first resource in each flavor; 0: no bound */
	int64_t requeue_time;
	uint64_t random;
};

/* Any policies, trees, limits, times, arrays and units */
struct progress_world *progress_world_draw(uint64_t seed);

/* An ordinary load. row: classical, fair sharing, fair sharing with the first strategy only,
 * borrowWithinCohort */
struct progress_world *progress_world_load(uint64_t seed, int row);

void progress_world_free(struct progress_world *pw);

/* Prints the jobs, as comments */
void progress_world_tell(const struct progress_world *pw);

#endif /* COHORT_TEST_PROGRESS_WORLD_H */
