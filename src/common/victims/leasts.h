/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leasts.h - fair sharing: by how much a cohort uses less without any of its jobs
 *
 * least.h says what all jobs of a queue use, at the least. A cohort has queues with
 * jobs of several kinds: it keeps a few such amounts, and whatever goes below it takes
 * away one of them, or more. So a strategy that lets the preemptor have none of these
 * lets it have no job of the cohort.
 */
#ifndef COHORT_LEASTS_H
#define COHORT_LEASTS_H

#include "core/engine_state.h"

#define LEASTS 8			/* kinds that are told apart */

struct least_kind {
	struct use *uses;
	size_t n;
};

struct leasts {
	struct least_kind kinds[LEASTS];
	size_t n;
	bool lowered;			/* two kinds became what is in both */
};

/* Of no jobs; in the arena of the cycle, in which jobs may leave and none comes. NULL:
 * no memory, which e->no_memory says as for all here. */
struct leasts *leasts_create(struct engine *e);

/* Adds what the cohort uses less, at the least, without any job of a queue. False: it is
 * nothing new, nor will it be to any cohort above. */
bool leasts_add(struct engine *e, struct leasts *l, const struct use *less,
		size_t n);

/* The largest share that the cohort may have without one of its jobs */
struct share leasts_share(const struct engine *e, const struct leasts *l,
			  int cohort);

#endif /* COHORT_LEASTS_H */
