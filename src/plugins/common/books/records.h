/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  records.h - jobs in our books
 *
 *  Part of ctld_priv.h, which includes it.
\*****************************************************************************/
#ifndef COHORT_RECORDS_H
#define COHORT_RECORDS_H

/* ---- jobs.c ---- */

extern struct job *jobs_find(uint32_t job_id);
extern struct job *jobs_get(job_record_t *job_ptr);	/* added if new */
/* Its record, if slurmctld still has it: job_ptr is as of the last scan. */
extern job_record_t *jobs_record(const struct job *job);
extern void jobs_drop(struct job *job);
/* Another entry beside the first one, and away with one of those */
extern struct entry *jobs_add_entry(struct job *job);
extern void jobs_drop_entry(struct entry *entry);

extern void jobs_clear(void);		/* forget all, also what is stored */
extern uint32_t jobs_count(void);
/* It owns freed quota until then; 0: no longer */
extern void jobs_set_own(struct entry *entry, time_t until);
extern void jobs_unbook(void);		/* the engine is gone: no workloads */
extern void jobs_each(void (*f)(struct job *job, void *arg), void *arg);

/* ---- queue_of_job.c ---- */

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

/* ---- books.c ---- */

/* Look at every job record once and report to the engine what changed. False
 * if there was no need to, as nothing has. */
extern bool books_scan(void);
/* Scans pass this record over, which is only a question; 0: none is. */
extern void books_skip_question(uint32_t job_id);
/* The next scan is to look in any case. */
extern void books_request_scan(void);
/* The same for one job. */
extern struct job *books_sync(job_record_t *job_ptr);
/* When may this running job be evicted at the earliest, in ns? As its record,
 * the pass and the other components have it; INT64_MAX: never. */
extern int64_t books_exempt_until(struct job *job);
/* Out of the books and our records */
extern void books_forget(struct job *job);
/* A job holds resources from now on, or no longer. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);
/* ---- charge.c ---- */

/* Amounts by resource -> charges, with the flavor chosen for each resource.
 * Resources without one (not covered) are left out. Returns the number. */
extern size_t books_charges(const int *flavors, const int64_t *amounts,
			    struct charge *charges);
/* The flavor of each resource (by index, -1: not covered) that a running job
 * is taken to use, judged by its nodes. */
extern void books_flavors_by_nodes(int queue, bitstr_t *nodes, int *flavors);
/* The same where flavors of some resources are known: those of the same group
 * go with them. */
extern void books_fill_flavors(int queue, bitstr_t *nodes, int *flavors);
/* Charge a job that has an allocation. selected: from job_begin, where GRES and
 * whole nodes are chosen, but not yet entered in the record. The next scan
 * charges what was. */
extern void books_charge(struct job *job, bool selected);

/* ---- waiting.c ---- */

/* A waiting job has come, or may have changed. */
extern void waiting_sync(struct job *job);
/* One that runs and is not in the books. False if it is of no queue. */
extern bool waiting_submit(struct job *job);
/* It got nodes in this partition: its other entries are void. */
extern void waiting_settle(struct job *job, const part_record_t *part_ptr);
/* Out of the books, waiting or running */
extern void waiting_unbook(struct job *job);
/* The entry by which it starts in a partition, or NULL */
extern struct entry *waiting_entry(struct job *job,
				   const part_record_t *part_ptr);
/* The n-th partition by which an entry may start, the first is 0; or NULL */
extern part_record_t *waiting_partition(const struct entry *entry, int n);
/* slurmctld refuses some jobs before it asks for nodes: a node of their list is
 * down, their partition has too few, another of its limits holds them back. It
 * has looked at this one since it may start, and it still waits: others may go
 * instead. The components of a heterogeneous job wait for each other. */
extern void waiting_watch(struct job *job, time_t now);
/* The entry to speak of: if this one is the first of its job, that of them
 * which is nearest to its start */
extern const struct entry *waiting_nearest(const struct entry *entry);

#endif /* COHORT_RECORDS_H */
