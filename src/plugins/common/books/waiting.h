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
/* The entry by which it starts in a partition, or NULL */
extern struct job *waiting_entry(struct job *job,
				 const part_record_t *part_ptr);
/* The n-th partition by which an entry may start, the first is 0; or NULL */
extern part_record_t *waiting_partition(const struct job *entry, int n);
/* slurmctld refuses some jobs before it asks for nodes: a node of their list is
 * down, their partition has too few, another of its limits holds them back. It
 * has looked at this one since it may start, and it still waits: others may go
 * instead. The components of a heterogeneous job wait for each other. */
extern void waiting_watch(struct job *job, time_t now);
/* The entry that is nearest to its start */
extern const struct job *waiting_nearest(const struct job *job);

#endif /* COHORT_BOOKS_WAITING_H */
