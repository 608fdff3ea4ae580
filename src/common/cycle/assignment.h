/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assignment.h - which flavors a workload would get
 */
#ifndef COHORT_ASSIGNMENT_H
#define COHORT_ASSIGNMENT_H

#include "state/state.h"
#include "steps.h"

/* An assignment as the engine works with it: uses[i] is public.usage[i] */
struct draft {
	struct assignment public;
	struct use *uses;
};

/* Who asks, and under which conditions */
struct ask {
	const struct workload *w;
	struct queue *q;
	int64_t now;
	const int64_t *counts;		/* by pod set; NULL: the full ones */
	const bool *flavor_ok;		/* by flavor; NULL: all */
	const struct draft *like;	/* only the flavors chosen there; NULL */
	const struct oracle *oracle;	/* NULL: search for victims */
};

/* Fills d, with memory of e->arena. -1 with e->no_memory set. */
int assign_flavors(struct engine *e, const struct ask *ask, struct draft *d);

/* Total of a request for `count` pods instead of the pod set's own count */
int64_t request_scale(const struct podset_desc *ps, int64_t amount,
		      int64_t count);

/* What the pod set asks for by requests[i] in a flavor, for `count` pods */
int64_t request_in(const struct engine *e, const struct podset_desc *ps,
		   size_t i, int flavor, int64_t count);

#endif /* COHORT_ASSIGNMENT_H */
