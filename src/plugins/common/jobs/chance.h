/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  chance.h - a job that may start by the plan, and has not
\*****************************************************************************/
#ifndef COHORT_JOBS_CHANCE_H
#define COHORT_JOBS_CHANCE_H

#include "state/job.h"

/* ---- a job ---- */

/* The plan lets the job start: note it with the time, if it is news. slurmctld
 * refuses some jobs before it asks for nodes: a node of their list is down,
 * their partition has too few, another of its limits holds them back. True: slurmctld
 * has looked at this job since it may start, and it still waits. That is news, and others
 * may go instead. The components of a heterogeneous job wait for each other. */
extern bool chance_watch_job(struct job *job, time_t now);
/* The job was tried, and waits for nodes that are being cleared: count from now
 * the time since which it may start. */
extern void chance_renew_offer(struct job *job, time_t now);
/* The plan does not let it start any more. */
extern void chance_withdraw_offer(struct job *job);
/* The job has started by this entry; or, of an array, one of its tasks has (NULL: by none that
 * is known). */
extern void chance_end_wait(struct job *job, struct entry *entry);
/* There is a new engine, and the job is in no books. */
extern void chance_reset(struct job *job);

/* A job with several partitions was tried in this pass, and evicts no job
 * yet. */
extern void chance_note_try(struct job *job);
/* Has a whole pass found no room for it in any of them? */
extern bool chance_tried_all(const struct job *job);

/* Other jobs were told to go for it. After the first eviction that came to
 * nothing the next ones follow after longer and longer pauses; its start ends
 * that. */
extern void chance_count_eviction(struct job *preemptor);
/* slurmctld did not carry out the eviction. */
extern void chance_revoke_eviction(struct job *preemptor);
/* May other jobs be told to go for it again? */
extern bool chance_may_evict(const struct job *preemptor, time_t now);
/* Does it have to pause, as evictions for it came to nothing? */
extern bool chance_pauses_evictions(const struct job *preemptor, time_t now);

/* Backfill planned a start of the job that did not come true. It does not plan the
 * job again for longer and longer times, until the job has started. */
extern void chance_miss_plan(struct job *job, time_t now);
/* The first start that it planned counts, until the job has started or missed it. */
extern void chance_promise(struct job *job, time_t start);

/* ---- a job that slurmctld does not try ---- */

/* For how many seconds a job that slurmctld tries may be without a try. startable:
 * about how many of ours may start; waiting: how many have to wait, which slurmctld
 * walks past. What others have in its queue counts, too. */
extern time_t untried_patience(size_t startable, size_t waiting);
/* Call it in each pass as long as the job may start. True, once, if so many passes
 * and so much time went by without a try that nobody should wait for the job. */
extern bool untried_watch(struct job *job, time_t patience, time_t now);
/* The job would be in line: is it still one that slurmctld does not try? Its text is
 * brought up to date. */
extern void untried_look(struct job *job, job_record_t *job_ptr, bool in_line);
/* Is the job still out of line because slurmctld does not try it? */
extern bool untried_is(const struct job *job, const job_record_t *job_ptr);

/* ---- an entry ---- */

/* By the plan it may go, or must wait. */
extern void chance_follow_plan(struct entry *entry, bool goes);
/* A try found no nodes for it, or is of no use. False if that was known. */
extern bool chance_note_no_nodes(struct entry *entry);
/* The entry will have nodes, or is to be tried again. */
extern void chance_note_nodes(struct entry *entry);
/* Call it in each pass, if the job has several entries. An entry that could
 * start in the last pass and did not has found no nodes, or was not even tried:
 * the others are to have a chance. sorting: the pass that looks at the entry
 * has just begun. */
extern void chance_note_offer(struct entry *entry, bool sorting);
/* In a StrictFIFO queue no job passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass: the entry is held back as
 * long as it is behind such a job. True if it is. */
extern bool chance_hold_if_behind(struct entry *entry);
/* Hold the entry back no more if the jobs before it have left. */
extern void chance_release_if_in_turn(struct entry *entry);
/* The entry goes on as another entry of the same job. */
extern void chance_move(struct entry *to, const struct entry *from);

#endif /* COHORT_JOBS_CHANCE_H */
