/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.h - the question for flavors, and the draft of an answer
 */
#ifndef COHORT_ASK_H
#define COHORT_ASK_H

#include "quota/books.h"
#include "steps.h"

/* An assignment as the engine works with it: uses[i] is public.usage[i] */
struct draft {
	struct assignment public;
	struct use *uses;
};

/* Which workload asks, and under which conditions */
struct ask {
	const struct workload *w;
	struct queue *q;
	int64_t now;
	const int64_t *counts;		/* by pod set; NULL: the full counts */
	const bool *flavor_ok;		/* by flavor; NULL: all */
	const struct draft *like;	/* only flavors that it has; NULL:
					 * any */
	const struct oracle *oracle;	/* NULL: search for victims */
};

#endif /* COHORT_ASK_H */
