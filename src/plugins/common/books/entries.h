/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  entries.h - jobs that wait: their entries in cluster queues
\*****************************************************************************/
#ifndef COHORT_BOOKS_ENTRIES_H
#define COHORT_BOOKS_ENTRIES_H

#include "state/job.h"

/* Its priority in line by this partition. The components of one job have one priority. */
extern int64_t entry_priority(job_record_t *job_ptr, part_record_t *part_ptr);
/* Book the entry in this queue, or tell the engine what is new of it */
extern void entry_submit(struct entry *entry, int queue);

/* A waiting job has come, or may have changed. */
extern void waiting_sync(struct job *job);
/* The job got nodes in this partition: its other entries are void. */
extern void entries_settle(struct job *job, const part_record_t *part_ptr);
/* Take the job out of the books, waiting or running */
extern void entries_unbook(struct job *job);

#endif /* COHORT_BOOKS_ENTRIES_H */
