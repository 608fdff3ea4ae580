/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  chance.h - a job that may start by the plan, and has not
\*****************************************************************************/
#ifndef COHORT_JOBS_CHANCE_H
#define COHORT_JOBS_CHANCE_H

#include "state/job.h"

/* ---- a job ---- */

/* The plan lets it start: this is noted with the time, if it is news.
 * slurmctld refuses some jobs before it asks for nodes: a node of their list is
 * down, their partition has too few, another of its limits holds them back. It
 * has looked at this one since it may start, and it still waits: others may go
 * instead. The components of a heterogeneous job wait for each other. */
extern void chance_watch_job(struct job *job, time_t now);
/* It was tried, and waits for nodes that are being cleared: as if it might start
 * since now only. */
extern void chance_renew_offer(struct job *job, time_t now);
/* The plan lets it start no more. */
extern void chance_withdraw_offer(struct job *job);
/* It has started; or, of an array, one of its tasks has. */
extern void chance_end_wait(struct job *job);
extern void chance_end_wait_of_task(struct job *array);
/* The engine is another one. */
extern void chance_reset(struct job *job);

/* A job with several partitions was tried in this pass, and evicts nobody yet. */
extern void chance_note_try(struct job *job);
/* Has a whole pass found room for it by none of them? */
extern bool chance_tried_all(const struct job *job);
extern void chance_forget_tries(struct job *job);

/* Others were told to go for it. After the first eviction that came to nothing
 * the next ones follow after longer and longer pauses; its start ends that. */
extern void chance_count_eviction(struct job *preemptor);
/* slurmctld did not go through with it. */
extern void chance_revoke_eviction(struct job *preemptor);
/* May others be told to go for it again? */
extern bool chance_may_evict(const struct job *preemptor, time_t now);
/* Not for a while, as evictions for it came to nothing? */
extern bool chance_pauses_evictions(const struct job *preemptor, time_t now);

/* ---- an entry ---- */

/* Did it have its chance, so that others may go instead? */
extern bool chance_was_missed(const struct entry *entry);
/* A try found no nodes for it, or is of no use. False if that was known. */
extern bool chance_note_no_nodes(struct entry *entry);
/* It will have nodes, or is to be tried again. */
extern void chance_note_nodes(struct entry *entry);
/* One of an array's tasks has had nodes. */
extern void chance_forget_no_nodes(struct entry *entry);
/* In each pass, if its job has several entries. One that could start in the last
 * pass and did not has found no nodes, or was not even tried: the others are to
 * have a chance. sorting: the pass that looks at it has just begun. */
extern void chance_note_offer(struct entry *entry, bool sorting);
/* In a StrictFIFO queue nobody passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass: it is held back as long as
 * it is behind such a one. True if it is. */
extern bool chance_hold_if_behind(struct entry *entry);
/* It is held back no more if those before it are not there any more. */
extern void chance_release_if_in_turn(struct entry *entry);
/* It goes on as another entry of the same job. */
extern void chance_move(struct entry *to, const struct entry *from);

#endif /* COHORT_JOBS_CHANCE_H */
