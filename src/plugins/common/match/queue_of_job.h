/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.h - which queue a job is of, and with which priority
\*****************************************************************************/
#ifndef COHORT_MATCH_QUEUE_OF_JOB_H
#define COHORT_MATCH_QUEUE_OF_JOB_H

#include "state/job.h"

/* The first of its partitions in Slurm's list; where it runs, if it does */
extern part_record_t *partition_of_job(job_record_t *job_ptr);
/* The list of its partitions, as Slurm has it, made from their names: Slurm's own
 * may be locked. The caller frees it. */
extern compat_list_t partitions_by_name(const job_record_t *job_ptr);
/* Index of its cluster queue in that partition, or SPEC_NONE */
extern int queue_of_job(job_record_t *job_ptr, part_record_t *part_ptr);
/* Number of the entry's local queue: its account (or user) in that queue. The
 * entry uses it until it is told another one, or that it is in none: before its
 * record is freed, and only when it is out of the books. */
extern int local_queue_take(struct entry *entry, int queue);
extern void local_queue_release(struct entry *entry);
/* How many are in use */
extern size_t local_queue_count(void);
/* Of its class: QOS, partition or its own, as configured */
extern int64_t priority_of_job(job_record_t *job_ptr, part_record_t *part_ptr);

#endif /* COHORT_MATCH_QUEUE_OF_JOB_H */
