/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - the workloads that wait in a cluster queue, and in a local queue of
 * it
 */
#ifndef COHORT_PENDING_H
#define COHORT_PENDING_H

#include "core/engine_state.h"

/* The order inside a queue: owners of freed quota first (BestEffortFIFO), then
 * higher priority, earlier time, smaller tiebreak */
bool workload_before(const struct workload *a, const struct workload *b);

void pending_init(struct queue *q);

/* Puts the workload into the queue, the local queue and the shape, and takes it
 * out. The workload has a shape and a local queue; pending_remove() leaves both
 * attached. */
void pending_add(struct engine *e, struct workload *w);
void pending_remove(struct workload *w);

/* The local queue, which is created if it is new, with one more user. NULL with
 * errno = ENOMEM. */
struct local *local_get(struct engine *e, struct queue *q, int number);

/* Takes one user off; the last one frees the local queue. NULL is allowed. */
void local_put(struct engine *e, struct local *local);

#endif /* COHORT_PENDING_H */
