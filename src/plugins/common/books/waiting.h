/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  waiting.h - what waits, and in which cluster queues
\*****************************************************************************/
#ifndef COHORT_BOOKS_WAITING_H
#define COHORT_BOOKS_WAITING_H

#include "state/job.h"

/* A waiting job has come, or may have changed. */
extern void waiting_sync(struct job *job);
/* One that runs and is not in the books. False if it is of no queue. */
extern bool waiting_submit(struct job *job);
/* It got nodes in this partition: its other entries are void. */
extern void waiting_settle(struct job *job, const part_record_t *part_ptr);
/* Out of the books, waiting or running */
extern void waiting_unbook(struct job *job);
/* slurmctld refuses some jobs before it asks for nodes: a node of their list is
 * down, their partition has too few, another of its limits holds them back. It
 * has looked at this one since it may start, and it still waits: others may go
 * instead. The components of a heterogeneous job wait for each other. */
extern void waiting_watch(struct job *job, time_t now);
/* The entry to speak of: if this one is the first of its job, that of them
 * which is nearest to its start */
extern const struct entry *waiting_nearest(const struct entry *entry);

#endif /* COHORT_BOOKS_WAITING_H */
