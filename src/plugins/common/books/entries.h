/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  entries.h - the entries of a job in the books
\*****************************************************************************/
#ifndef COHORT_BOOKS_ENTRIES_H
#define COHORT_BOOKS_ENTRIES_H

#include "state/job.h"

/* Its priority in line by this partition. Components of one job stand there as
 * one. */
extern int64_t entry_priority(job_record_t *job_ptr, part_record_t *part_ptr);
/* Into the books of this queue, or what is new of it */
extern void entry_submit(struct entry *entry, int queue);
/* Out of the books */
extern void entry_clear(struct entry *entry);
/* What belongs to an entry, to another one of the same job, which has to be out of
 * the books */
extern void entry_move(struct entry *to, struct entry *from);
/* All but the first */
extern void entries_drop_others(struct job *job);

/* A job that runs and is not in the books. False if it is of no queue. */
extern bool entries_submit(struct job *job);
/* It got nodes in this partition: its other entries are void. */
extern void entries_settle(struct job *job, const part_record_t *part_ptr);
/* Out of the books, waiting or running */
extern void entries_unbook(struct job *job);

#endif /* COHORT_BOOKS_ENTRIES_H */
