/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  queue_of_job.h - which queue a job is of, and with which priority
\*****************************************************************************/
#ifndef COHORT_MATCH_QUEUE_OF_JOB_H
#define COHORT_MATCH_QUEUE_OF_JOB_H

#include "state/job.h"

/* The first of its partitions in Slurm's list; the one it runs in, if it runs */
extern part_record_t *partition_of_job(job_record_t *job_ptr);
/* The list of its partitions in Slurm's order, made from their names: Slurm's
 * own list may be locked. The caller frees it. */
extern compat_list_t partitions_by_name(const job_record_t *job_ptr);
/* Index of its cluster queue in that partition, or SPEC_NONE */
extern int queue_of_job(job_record_t *job_ptr, part_record_t *part_ptr);
/* The same, where slurmctld holds the job lock for reading only: what is found
 * is not remembered. */
extern int queue_of_job_seen(job_record_t *job_ptr, part_record_t *part_ptr);
/* Does none of its partitions lead to a queue? */
extern bool job_is_outside(job_record_t *job_ptr);
/* The queues of the configuration are no longer those that were matched. */
extern void queue_forget_matches(void);
/* Number of the entry's local queue: its account (or user) in that queue. The entry uses the
 * number until it gets another one, or until it is in no queue: that has to be told before its
 * record is freed, and only when it is out of the books. */
extern int local_queue_take(struct entry *entry, int queue);
extern void local_queue_release(struct entry *entry);
/* The number of a local queue by its name, for a queue where usage counts: what it
 * has used outlives its jobs, and so does the number. It is in use until the
 * engine has forgotten it (local_queues_sweep()), or until the queues are no longer
 * those of the configuration. 0: no memory */
extern int local_queue_hold(int queue, const char *name);
extern void local_queues_sweep(void);
/* How often a local queue came that was not held before */
extern uint32_t local_queue_holds(void);
/* NULL: the number is not in use */
extern const char *local_queue_name(int number);
/* How many numbers are in use */
extern size_t local_queue_count(void);
/* The priority of its class: QOS, partition or its own, as configured */
extern int64_t priority_of_job(job_record_t *job_ptr, part_record_t *part_ptr);

/* A number of the cohort tree that the queue is in: of its topmost cohort, or its
 * own, if it is in none */
extern int queue_root(int queue);

/* ---- can a job be preempted? ---- */

/* What the user says in --comment: cohort:preemptibility=non-preemptible, or
 * =preemptible; any other word says nothing. */
extern enum conf_preemptibility preemptibility_word(const job_record_t *job_ptr);
/* The rule of the queue (nonPreemptible of cohort.yaml), and the user's word
 * where the queue lets it count: never a victim, and capped? */
extern bool preemptibility_is_non(job_record_t *job_ptr, part_record_t *part_ptr, int queue,
				  int64_t priority);
/* Has the queue any such rule? */
extern bool preemptibility_has_rule(int queue);

#endif /* COHORT_MATCH_QUEUE_OF_JOB_H */
