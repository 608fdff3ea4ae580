/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.h - workloads in their queue
 */
#ifndef COHORT_WAITING_H
#define COHORT_WAITING_H

#include "core/engine_state.h"

/* The order inside a queue: who owns freed quota (BestEffortFIFO), higher
 * priority, earlier, smaller tiebreak */
bool workload_before(const struct workload *a, const struct workload *b);

void waiting_init(struct queue *q);

/* Into and out of the queue, the local queue and the shape. The workload has
 * a shape and a local queue; waiting_unlink() leaves both attached. */
void waiting_link(struct engine *e, struct workload *w);
void waiting_unlink(struct workload *w);

#endif /* COHORT_WAITING_H */
