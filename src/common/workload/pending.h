/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.h - the workloads that wait in a cluster queue
 */
#ifndef COHORT_PENDING_H
#define COHORT_PENDING_H

#include "usage/local.h"

void pending_init(struct queue *q);

/* Puts the workload, which has a shape, into the line of its queue and of the shape, and
 * takes it out */
void pending_add(struct engine *e, struct workload *w);
void pending_remove(struct engine *e, struct workload *w);

#endif /* COHORT_PENDING_H */
