/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.h - local queues: the workloads of one account inside a cluster queue
 *
 * Elsewhere a local queue is a number, and nothing else. In queues that are
 * by_usage the local queue goes first that has used less: doc/how-it-decides.md,
 * section 7; Kueue's admission fair sharing (KEP-4136), exact in place of sampled.
 *
 * Each local queue has, of each resource, a history of all that its running
 * workloads are charged (history_moved()). A start counts as if it had been
 * `sampling` earlier, and is not given back. The score is the sum of the
 * histories, each by its weight and per mille of the most that the cluster queue
 * could ever have, divided by the weight of the local queue; weight 0: it is
 * infinite.
 */
#ifndef COHORT_LOCAL_H
#define COHORT_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hash.h"

struct engine;
struct queue;
struct spec;
struct tree;
struct use;
struct workload;

/* Of one resource */
struct local_use {
	double past;			/* at the time of the local queue's `at` */
	double planned;			/* what starts of the plan add */
	int64_t used;			/* charged now */
};

struct local {
	struct keyed keyed;		/* by node of the queue, and number */
	struct local *next, **link;	/* in the list of its queue */
	struct queue *q;
	size_t users;			/* how many shapes */
	double weight;
	int64_t at;			/* when it was folded last */
	double key;			/* score of the last plan: the place in line */
	double key_planned;		/* with the starts of the plan */
	struct local_use uses[];	/* by resource */
};

/* The order inside a queue: owners of freed quota first (BestEffortFIFO), then, where usage counts,
 * the local queue that has used less, then higher priority, earlier time, smaller tiebreak */
bool workload_before(const struct workload *a, const struct workload *b);

/* What that order depends on, in one place */
struct line_place {
	bool owns;
	double key;			/* the score of its local queue */
	int64_t priority, queue_order_at;
	uint64_t tiebreak;
};

/* key: 0 where usage does not count */
struct line_place line_place(const struct workload *w, double key);

static inline bool line_place_before(const struct line_place *a, const struct line_place *b)
{
	if (a->owns != b->owns)
		return a->owns;
	if (a->key != b->key)
		return a->key < b->key;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->queue_order_at != b->queue_order_at)
		return a->queue_order_at < b->queue_order_at;
	return a->tiebreak < b->tiebreak;
}

/* How much one base unit of each resource counts in the queue: q->worth, in the arena of the books,
 * which says if it failed */
void worth_create(const struct engine *e, struct queue *q, const struct spec *spec);

/* The local queue, which is created if it is new, with one more user. NULL with errno = ENOMEM. */
struct local *local_get(struct engine *e, struct queue *q, int number);

/* The same, if there is one; no user more */
struct local *local_known(const struct engine *e, const struct queue *q, int number);

/* Takes one user off; the last one frees the local queue, unless what it has
 * used is to be remembered. */
void local_put(struct engine *e, struct local *local);

/* Frees a local queue without users that is not to be remembered. Returns whether it did. */
bool local_drop(struct engine *e, struct local *local);

/* Frees all local queues of a queue in which there are no workloads */
void locals_forget(struct engine *e, struct queue *q);

/* The score, with the starts of the plan */
double local_score(const struct engine *e, const struct local *local);

/* Counts up to e->now what the local queue uses */
void local_fold(const struct engine *e, struct local *local);

/* Shares and scores of the tree are those of `now`, and lines are in their order. Before a plan of
 * the tree, or another question that is about its order. (line.c) */
void usage_see(struct engine *e, struct tree *tree, int64_t now);

/* ---- NULL is allowed from here on: usage does not count ---- */

static inline double local_key(const struct local *local)
{
	return local ? local->key : 0;
}

static inline double local_key_planned(const struct local *local)
{
	return local ? local->key_planned : 0;
}

/* A workload is charged (1), or no more (-1) */
void local_change(const struct engine *e, struct local *local,
		  const struct use *uses, size_t n, int sign);

/* It starts, and is charged. */
void local_start(const struct engine *e, struct local *local, const struct use *uses, size_t n);

/* A workload would start in the plan that runs. */
void local_plan_start(const struct engine *e, struct local *local,
		      const struct use *uses, size_t n);

#endif /* COHORT_LOCAL_H */
