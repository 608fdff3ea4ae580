/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * over_world.h - random trees, most of which use more than their quota
 */
#ifndef COHORT_TEST_RANDOM_OVER_WORLD_H
#define COHORT_TEST_RANDOM_OVER_WORLD_H

#include "random/text.h"

/* What tells one kind of them from another */
struct over_world {
	void (*queue_draw)(struct text *t, int i, int cohorts);	/* queue 'a' + i */
	void (*running_draw)(struct text *t, int i, int queues);	/* its job r<i> */
	int runtimes;			/* percent have a min-runtime against reclaim, */
	int owners;			/* have waiting jobs that own quota, */
	int units;			/* and have units */
	int most_cpus;			/* of a job that waits */
	bool fair;			/* a flat cohort with fair sharing */
};

/* Writes the world of that seed: r0, r1.. that run, w0, w1.. that wait; cpu and mem of one
 * flavor */
void over_world_draw(struct text *t, uint64_t seed, const struct over_world *kind);

#endif /* COHORT_TEST_RANDOM_OVER_WORLD_H */
