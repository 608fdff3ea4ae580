/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.h - local queues: the workloads of one account inside a cluster queue
 */
#ifndef COHORT_LOCAL_H
#define COHORT_LOCAL_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/hash.h"
#include "lib/rankset.h"

struct engine;
struct workload;

/* The entries of an account (or user) in a queue */
struct local {
	struct hash_link link;
	struct queue *q;
	int number;
	size_t users;			/* how many workloads, waiting or not */
	struct rankset waiting;
	struct local_usage *usage;	/* by_usage.h; NULL: it does not count */
};

/* The order inside a queue: owners of freed quota first (BestEffortFIFO), then,
 * where usage counts, the local queue that has used less, then higher priority,
 * earlier time, smaller tiebreak */
bool workload_before(const struct workload *a, const struct workload *b);

/* The same, with these scores of their local queues */
bool workload_before_by(const struct workload *a, double key_a,
			const struct workload *b, double key_b);

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
