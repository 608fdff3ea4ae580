/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_heads.h - the workload at the head of each queue of a plan
 *
 * doc/how-it-decides.md, section 3. StrictFIFO: the first one that is not done;
 * shapes that can never go are inadmissible. BestEffortFIFO: the first one with
 * a shape that has not become inadmissible. Nothing is moved or marked for each
 * workload: a StrictFIFO queue has a cursor, a BestEffortFIFO queue has a heap
 * of shapes, each with a cursor.
 */
#ifndef COHORT_QUEUE_HEADS_H
#define COHORT_QUEUE_HEADS_H

#include "core/engine_state.h"

/* All waiting workloads of the tree are active and undecided from now on: the
 * plan gets a new number. -1 with e->no_memory set. */
int heads_begin(struct engine *e, struct tree *tree);

/* The head of the queue, or NULL */
struct workload *heads_get(struct queue *q);

/* The rest of the shape has no chance in this plan */
void heads_drop_shape(struct queue *q, struct shape *shape);

/* A dropped shape gets another chance */
void heads_revive_shape(struct queue *q, struct shape *shape);

/* No workload of this queue is looked at any more. */
void heads_stop(struct queue *q);

/* One of its waiting members */
struct workload *shape_any(const struct shape *shape);

#endif /* COHORT_QUEUE_HEADS_H */
