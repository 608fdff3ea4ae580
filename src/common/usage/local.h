/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.h - local queues: the workloads of one account inside a cluster queue
 */
#ifndef COHORT_LOCAL_H
#define COHORT_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hash.h"
#include "lib/rankset.h"

struct engine;
struct workload;

/* The entries of an account (or user) in a queue in which usage counts: elsewhere a local
 * queue is a number, and nothing else */
struct local {
	struct hash_link link;
	struct queue *q;
	int number;
	size_t users;			/* how many shapes */
	struct local_usage *usage;	/* by_usage.h */
};

/* The order inside a queue: owners of freed quota first (BestEffortFIFO), then,
 * where usage counts, the local queue that has used less, then higher priority,
 * earlier time, smaller tiebreak */
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

static inline bool line_place_before(const struct line_place *a,
				     const struct line_place *b)
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

/* The local queue, which is created if it is new, with one more user. NULL with
 * errno = ENOMEM. */
struct local *local_get(struct engine *e, struct queue *q, int number);

/* The same, if there is one; no user more */
struct local *local_known(const struct engine *e, const struct queue *q,
			  int number);

/* Takes one user off; the last one frees the local queue, unless what it has
 * used is to be remembered. NULL is allowed. */
void local_put(struct engine *e, struct local *local);

/* Frees a local queue without users */
void local_free(struct engine *e, struct local *local);

/* Frees all local queues of a queue in which there are no workloads */
void locals_forget(struct engine *e, struct queue *q);

#endif /* COHORT_LOCAL_H */
