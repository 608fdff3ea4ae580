/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.h - which queue a job is of, with which priority, and whether it is in
 *  line at all
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
extern int local_queue_take(struct job *entry, int queue);
extern void local_queue_release(struct job *entry);
/* How many are in use */
extern size_t local_queue_count(void);
/* Of its class: QOS, partition or its own, as configured */
extern int64_t priority_of_job(job_record_t *job_ptr, part_record_t *part_ptr);
/* Waiting tasks it stands for */
extern int64_t job_waiting_tasks(job_record_t *job_ptr);
/* Tasks of an array that its own limit (%N) lets start; 0: no limit, -1: none
 * now */
extern int64_t job_max_starts(job_record_t *job_ptr);
/* Is it in line? One that is held, depends on others or is not yet due has no
 * place and blocks nobody. */
extern bool job_is_in_line(job_record_t *job_ptr, time_t now);
/* Can its deadline not be met any more? */
extern bool job_is_too_late(const job_record_t *job_ptr, time_t now);
extern bool job_holds_nodes(job_record_t *job_ptr);
/* Has it ended, and its nodes are not free yet? */
extern bool job_leaves_nodes(job_record_t *job_ptr);

#endif /* COHORT_MATCH_QUEUE_OF_JOB_H */
