/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * twice.h - a random world, and what happens in it, played in two ways
 */
#ifndef COHORT_TWICE_H
#define COHORT_TWICE_H

#include "random/tree_world.h"

/* Writes the world of the seed and plays it side by side: with *plain false, and
 * true. Victims begin to end and jobs are over in between. Fails unless the turns
 * of a cycle, the verdicts and the victims are the same. */
void twice_play(struct text *t, uint64_t seed,
		void (*write)(struct text *t, uint64_t seed), bool *plain);

/* The same for seeds 1 and up: seeds_wanted(worlds), which it returns */
uint64_t twice_play_worlds(uint64_t worlds,
			   void (*write)(struct text *t, uint64_t seed), bool *plain);

#endif /* COHORT_TWICE_H */
