/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - the workloads that wait in a cluster queue, and in a local queue of
 * it
 */
#ifndef COHORT_PENDING_H
#define COHORT_PENDING_H

#include "usage/local.h"

void pending_init(struct queue *q);

/* Puts the workload into the queue, the local queue and the shape, and takes it
 * out. The workload has a shape and a local queue; pending_remove() leaves both
 * attached. */
void pending_add(struct engine *e, struct workload *w);
void pending_remove(struct engine *e, struct workload *w);

#endif /* COHORT_PENDING_H */
