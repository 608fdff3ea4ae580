/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_heads.h - the workload at the head of each queue of a plan
 *
 * doc/how-it-decides.md, section 3. StrictFIFO: the head is the first workload
 * that is not done; shapes that can never go are inadmissible. BestEffortFIFO:
 * the head is the first workload whose shape has not become inadmissible. No
 * workload is moved or marked: a queue has a cursor in its line. Where usage counts,
 * each start of the plan changes the order of its local queues: there a queue has a heap
 * of its shapes, each with a cursor.
 */
#ifndef COHORT_QUEUE_HEADS_H
#define COHORT_QUEUE_HEADS_H

#include <stdint.h>

struct tree;
struct engine;
struct shape;
struct queue;

/* From now on all waiting workloads of the tree are active and undecided, in the plan of
 * that new number. -1 with e->no_memory set. */
int heads_begin(struct engine *e, struct tree *tree, uint64_t plan);

/* The head of the queue, or NULL */
struct workload *heads_get(struct queue *q);

/* The rest of the shape has no chance in this plan. */
void heads_drop_shape(struct queue *q, struct shape *shape);

/* A dropped shape gets another chance. */
void heads_revive_shape(struct queue *q, struct shape *shape);

/* One that was decided about is undecided again. */
void heads_return(struct workload *w);

/* This plan tries no more workloads of the queue. */
void heads_stop(struct queue *q);

/* Any of its waiting members */
struct workload *shape_any(const struct shape *shape);

#endif /* COHORT_QUEUE_HEADS_H */
