/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * by_usage.h - inside a queue, the local queue goes first that has used less
 *
 * doc/how-it-decides.md, section 7; Kueue's admission fair sharing (KEP-4136),
 * exact in place of sampled. Only in queues that are by_usage: elsewhere there is
 * no struct local, and what is told of NULL changes nothing.
 *
 * Each local queue has, of each resource, a history of all that its running
 * workloads are charged (history_moved()). A start counts as if it had been
 * `sampling` earlier, and is not given back. The score is the sum of the
 * histories, each by its weight and per mille of the most that the cluster queue
 * could ever have, divided by the weight of the local queue; weight 0: it is
 * infinite.
 */
#ifndef COHORT_BY_USAGE_H
#define COHORT_BY_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "usage/local.h"

struct use;
struct spec;
struct queue;
struct engine;


struct local_usage {
	struct local *next, **link;	/* in the list of its queue; */
	struct local *local;
	double weight;
	int64_t at;			/* when it was folded last */
	double *past;			/* by resource, at that time */
	double *planned;		/* what starts of the plan add */
	int64_t *used;			/* charged now */
	double key;			/* score of the last plan: the place in
					 * line */
	double key_planned;		/* with the starts of the plan */
	double next_key;		/* while places are renewed, */
	bool moves;			/* ... and its place is another one */
};

/* How much one base unit of each resource counts in the queue: q->worth. -1:
 * no memory */
int worth_create(const struct engine *e, struct queue *q,
		 const struct spec *spec);

/* -1 with errno = ENOMEM; the caller then destroys it. */
int local_usage_create(struct engine *e, struct local *local);
void local_usage_destroy(struct local *local);

/* Has it used anything that still counts, or a weight of its own? */
bool local_is_remembered(const struct local *local);

/* The score, with the starts of the plan */
double local_score(const struct engine *e, const struct local *local);

static inline double local_key(const struct local *local)
{
	return local ? local->usage->key : 0;
}

static inline double local_key_planned(const struct local *local)
{
	return local ? local->usage->key_planned : 0;
}

/* What it has used until now is counted up to e->now */
void local_fold(const struct engine *e, struct local *local);

/* One of its workloads starts; is charged; is charged no more. */
void local_start(const struct engine *e, struct local *local,
		 const struct use *uses, size_t n);
void local_charge(const struct engine *e, struct local *local,
		  const struct use *uses, size_t n);
void local_release(const struct engine *e, struct local *local,
		   const struct use *uses, size_t n);

/* One of them would start in the plan that runs. */
void local_plan_start(const struct engine *e, struct local *local,
		      const struct use *uses, size_t n);

#endif /* COHORT_BY_USAGE_H */
