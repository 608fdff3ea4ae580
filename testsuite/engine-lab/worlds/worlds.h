/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.h - worlds in which the engine is measured
 *
 * Each is a site that could exist and grows in one dimension: usual ones, and larger
 * ones in which the engine has the most to do.
 */
#ifndef LAB_WORLDS_H
#define LAB_WORLDS_H

#include "worlds/site.h"

#define WORLD_SIZES 3			/* that a world is measured in */

struct world {
	const char *name;
	const char *grows;	/* what n counts */
	const char *what;	/* what is in the world, for people */
	void (*build)(struct site *s, size_t n, struct tree_plan plan);	/* with .plan */
	struct tree_plan plan;
	/* CPU time of one event in ms, or of what is asked in this world. The site is
	 * planned before, and then about as it was. -1 if the site has failed. */
	double (*sample)(struct site *s);
	size_t small;		/* for tests */
	size_t sizes[WORLD_SIZES];
};

extern const struct world worlds[];
extern const size_t nworlds;

/* NULL if there is none of this name */
const struct world *world_find(const char *name);

/* ---- measure.c ---- */

double sample_submit(struct site *s);		/* a submit, and its plan */
double sample_events(struct site *s);		/* submit, end, start, cancel: the mean */
double sample_reclaimable(struct site *s);	/* asks for all queues, after a start */

struct measured {
	double mb;		/* resident, of the engine with all jobs */
	double first_plan;	/* CPU ms */
	double event;		/* CPU ms, median of the samples */
};

/* -1 with errno */
int world_measure(const struct world *world, size_t n, struct measured *m);

/* The exponent k of cost = c * size^k; sizes and costs are above 0. */
double growth_exponent(double small, double large, double small_cost, double large_cost);

#endif /* LAB_WORLDS_H */
