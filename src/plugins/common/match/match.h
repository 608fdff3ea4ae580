/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  match.h - what slurmctld's records say of a job: is it in line, of which queue, on which
 *  nodes, on which terms may it be evicted
\*****************************************************************************/
#ifndef COHORT_MATCH_MATCH_H
#define COHORT_MATCH_MATCH_H

#include "state/job.h"

#include "lib/hash.h"

/* ---- is a job in line, does it hold nodes? job_standing.c ---- */

/* Ids of the components of one job, as Slurm writes them: "7-9,12". The list of
 * their records may be locked when we are called (26.05 cancels and requeues
 * under its lock), and a function that reads the list then ends slurmctld. */
struct het_ids {
	uint32_t het_job_id;
	uint32_t next, last;
	const char *rest;
};

/* Empty for a job that is not heterogeneous, or still being submitted */
extern struct het_ids het_components(const job_record_t *job_ptr);
/* The next component, or NULL */
extern job_record_t *het_next_record(struct het_ids *ids);
/* Each of them; none of a job that is not heterogeneous */
#define for_each_het_record(c_, job_ptr_)				\
	for (struct het_ids ids_ = het_components(job_ptr_), *once_ = &ids_;	\
	     once_; once_ = NULL)					\
		for (job_record_t *c_; (c_ = het_next_record(&ids_));)
/* The record that Slurm preempts and requeues: of a heterogeneous job the
 * first component's, else the job's own */
extern job_record_t *het_leader(job_record_t *job_ptr);

/* Waiting tasks it stands for */
extern int64_t job_waiting_tasks(job_record_t *job_ptr);
/* Tasks of an array that its own limit (%N) lets start; 0: no limit, -1: none
 * now. The limit counts for tasks with a record of their own, too. */
extern int64_t job_max_starts(job_record_t *job_ptr);
/* Does it name more than one partition? */
extern bool job_names_several(const job_record_t *job_ptr);
/* Is the job in line? A job that is held, depends on others or is not yet due, or that
 * slurmctld refuses for a reason outside of our quota (limits, licenses, a reservation
 * that has not begun, ...: compat/wait_reasons.h), has no place and blocks no other.
 * asked: slurmctld asks nodes for this job. That proves that nothing keeps it back, whatever its
 * record says; other components of its heterogeneous job may be kept back. */
extern bool job_is_in_line(job_record_t *job_ptr, time_t now, bool asked);
/* Does Slurm's reason alone keep it out of line, until slurmctld asks for nodes for it? */
extern bool job_is_kept_out(const job_record_t *job_ptr);
/* Would the job be in line, if slurmctld did not refuse it? */
extern bool job_is_kept_back(job_record_t *job_ptr, time_t now);
/* Did slurmctld refuse the job last by a limit of partitions, and does the limit of
 * this one refuse it? False if the job names several QOS: they may differ. */
extern bool job_is_refused_by(const job_record_t *job_ptr, const part_record_t *part_ptr);
/* Is it too late for its deadline? */
extern bool job_is_too_late(const job_record_t *job_ptr, time_t now);
/* How long a run may take, in seconds; INT64_MAX: there is no limit */
extern int64_t job_longest_run(const job_record_t *job_ptr);
/* How long its present run has been suspended so far, in seconds */
extern time_t job_suspended_for(const job_record_t *job_ptr, time_t now);
/* How long that run has run, in seconds, without the time in which it was suspended; and what an
 * eviction now would lose of that: what came after its last checkpoint, if its comment tells
 * of checkpoints (value/checkpoint.h) */
extern time_t job_ran_for(const job_record_t *job_ptr, time_t now);
extern time_t job_would_lose(const job_record_t *job_ptr, time_t now);
extern bool job_holds_nodes(job_record_t *job_ptr);
/* Has the job ended, and its nodes are not free yet? */
extern bool job_leaves_nodes(job_record_t *job_ptr);
/* Has it ended, with nothing left to do? */
extern bool job_is_over(const job_record_t *job_ptr);

/* ---- which queue a job is of, and with which priority: queue_of_job.c ---- */

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

/* ---- which nodes are of a flavor: flavor_nodes.c ---- */

/* Bring the node bitmaps of all flavors up to date. changed: nodes or partitions have, but for
 * the states of nodes. True if that is so, or other nodes are up. */
extern bool flavor_refresh(bool changed);
extern void flavor_free(void);
/* Nodes of the flavor, or NULL for all nodes */
extern bitstr_t *flavor_nodes(int flavor);
/* May nodes come that slurm.conf does not have yet? */
extern bool nodes_may_come(void);

/* ---- flavors that can hold a job ---- */

/* May nodes of the flavor in this partition ever hold the job? up: those that are neither down
 * nor drained */
extern bool flavor_suits(int flavor, job_record_t *job_ptr, part_record_t *part_ptr, bool up);
/* Which these are in the partition that is tried. The caller frees the bitmap. */
extern bitstr_t *flavor_nodes_up(int flavor, job_record_t *job_ptr);

/* Nodes that have a feature, owned by Slurm; or NULL: none */
extern bitstr_t *feature_nodes(const char *name);
/* Clear the nodes that the --constraint excludes, or none if that is hard to
 * tell: nodes that any of its alternatives leaves are kept. */
extern void constraint_keep_any(bitstr_t *nodes, compat_list_t features);
/* ---- has a job been changed? fingerprint.c ---- */

/* NULL counts as "" */
static inline uint64_t fingerprint_mix_text(uint64_t hash, const char *s)
{
	return hash_u64(s ? hash_bytes(hash, s, strlen(s)) : hash, 0xff);
}

/* A hash of what the user asks for; the records of an array's tasks agree */
extern uint64_t fingerprint_of_request(job_record_t *job_ptr);
/* A hash of everything that request_of() and the queue depend on, and of the time limit: an
 * estimate of the start depends on that */
extern uint64_t fingerprint_of_demand(job_record_t *job_ptr);

/* ---- on which terms Slurm's settings let a running job be evicted: evict_terms.c ---- */

/* When may this running job be evicted at the earliest, in ns? 0: now; INT64_MAX: never. */
extern int64_t evict_exempt_until(job_record_t *job_ptr);
/* By its time limit, and what slurmctld allows beyond it, this running job has ended by then, in
 * ns. 0: not known, or never */
extern int64_t evict_ends_by(const job_record_t *job_ptr);
/* May other jobs run on its nodes beside it? Of a component of a heterogeneous job that is
 * not asked. */
extern bool evict_shares_nodes(const job_record_t *job_ptr);
/* PreemptMode of a managed job: that of its QOS, its partition or the
 * cluster. OFF if it is neither REQUEUE nor CANCEL: a suspended job would resume
 * without quota. slurmctld shows then no time from which the job can be evicted. */
extern uint16_t evict_mode(const job_record_t *job_ptr);
/* Of equal candidates the cheaper one is evicted: 0 for a job that would be
 * requeued, 1 for one that would be cancelled. */
extern int64_t evict_cost(const job_record_t *job_ptr);

/* Logs which partitions and QOS have jobs that can't be evicted. */
extern void evict_warn_of_settings(void);

#endif /* COHORT_MATCH_MATCH_H */
