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
/* The entry to speak of: if this one is the first of its job, that of them
 * which is nearest to its start */
extern const struct entry *waiting_nearest(const struct entry *entry);

#endif /* COHORT_BOOKS_WAITING_H */
