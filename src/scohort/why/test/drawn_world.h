/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drawn_world.h - small random worlds, with jobs that run in them
 */
#ifndef SCOHORT_TEST_DRAWN_WORLD_H
#define SCOHORT_TEST_DRAWN_WORLD_H

#include "world.h"

#define NOW 100		/* seconds, which are the units of the world */
#define MOST_JOBS 12
#define MOST_QUEUES 8

struct running {
	char name[8], queue[8], flavor[8];
	int cpu, gpu, since, priority;
	bool lost;			/* a run before, to others than owners */
};

struct drawn {
	uint64_t random;
	char text[4096];
	struct running jobs[MOST_JOBS];
	int njobs, nqueues;
	bool yields;
};

/* The same seed draws the same: queues a, b.., jobs r0, r1.. of cpu and gpu. yields: in
 * some queues jobs that were evicted yield, and settle. */
struct world *world_draw(struct drawn *d, uint64_t seed, bool yields);

#endif /* SCOHORT_TEST_DRAWN_WORLD_H */
