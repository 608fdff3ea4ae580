/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_world.h - simulations for tests, described in words
 *
 * The workloads of a world (world.h), as they stand at time `now`, with how
 * long they take: "NAME=N[,KEY=N]... .." in plain numbers. Keys: come (it is
 * not in line before), evict (time to evict it), exempt, array, limit, min
 * (elastic), leaves (it is on its way out, gone then), cancel, nonodes (with any N),
 * either=NAME (an earlier one; it is the same job in another queue),
 * together=NAME (an earlier one; components of a job).
 * A running one needs requests besides its charges to come back; it began
 * at 1 and ends at N; N = 0: never. Besides "requeue=N",
 * "own=N", "depth=N" and "light=1" (the victims for nodes that lose least) as
 * options, and "room=RES@FLAVOR=N".
 */
#ifndef COHORT_TEST_SIM_WORLD_H
#define COHORT_TEST_SIM_WORLD_H

#include "sim.h"
#include "world.h"

struct sim_world {
	struct world *world;
	struct sim *sim;
	struct sim_job *jobs[WORLD_WORKLOADS];
	char log[4096];		/* "T start NAME; T evict NAME for NAME; .." */
};

struct sim_world *sim_world_create(const char *told, const char *times, int64_t now);
void sim_world_destroy(struct sim_world *sw);

void sim_world_options(struct sim_world *sw, const char *times, struct sim_options *options);

/* Plays to the end, or this many steps; returns the log */
const char *sim_world_play(struct sim_world *sw, int steps);

struct sim_job *sim_world_job(const struct sim_world *sw, const char *name);

#endif /* COHORT_TEST_SIM_WORLD_H */
