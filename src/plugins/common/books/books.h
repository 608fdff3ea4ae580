/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.h - job records into events for the engine
\*****************************************************************************/
#ifndef COHORT_BOOKS_BOOKS_H
#define COHORT_BOOKS_BOOKS_H

#include <json-c/json.h>

#include "match/match.h"

/* ---- walks, and plans: books.c ---- */

/* Walk slurmctld's list of jobs: report to the engine what has changed of those that wait, and
 * each few seconds, or if that is said, of all. What is new, ctld.changes and ctld.plans tell. */
extern void books_scan(bool all);
/* A job was submitted just now: look at the records that are new since the last
 * walk, as their jobs may go before it, and at jobs whose end went on, as they may be
 * over; or walk, if that was not done in this second or the last one. */
extern void books_scan_new(const job_record_t *job_ptr);
/* Walks skip this record, which exists for a question only; 0: skip none. */
extern void books_skip_question(uint32_t job_id);
/* Look at the records of all jobs of ours that run, as one may be evicted next; once in
 * a pass and second. False if that was done. */
extern bool books_look_at_running(void);
/* Look at the records of these jobs, which are to be evicted next. True: something has changed
 * since they were chosen; then the records of all jobs that run are looked at. */
extern bool books_look_at_victims(const struct victim *victims, size_t n);
/* engine_plan(), at this time by the clock, by the records of its victims as they are */
extern int books_plan(time_t now);
/* The same as a walk, for one job */
extern struct job *books_sync(job_record_t *job_ptr);
/* The same for one that slurmctld asks nodes for: see job_is_in_line() */
extern struct job *books_sync_asked(job_record_t *job_ptr);
/* Remove the job from the books and from our records. */
extern void books_forget(struct job *job);

/* ---- jobs that wait, and their entries in cluster queues: entries.c ---- */

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

/* ---- heterogeneous jobs, all components or none: het.c ---- */

/* Does an earlier component wait in the same queue? It holds the place of both. That goes by
 * the records: which of them is booked first says nothing. */
extern bool het_is_follower(job_record_t *job_ptr);
/* The component waits, with the other components. */
extern void het_bind(struct job *job);
/* May all components start, or evict? Must any evict? */
extern bool het_goes(const struct job *job);
extern bool het_evicts(const struct job *job);
/* Running: the component with which it is evicted together, or not at all. NULL
 * if it is that component itself, or not of a heterogeneous job. */
extern struct workload *het_joined_to(struct job *job);
/* Are some components of no cluster queue? */
extern bool het_is_mixed(const struct job *job);
/* A component has ended. */
extern void het_ended(const job_record_t *job_ptr);

/* The next component that waits in the books, or (`running`) runs in them */
extern struct job *het_next(struct het_ids *ids, bool running);

#define for_each_component(c_, job_ptr_, running_)			\
	for (struct het_ids ids_ = het_components(job_ptr_), *once_ = &ids_;	\
	     once_; once_ = NULL)					\
		for (struct job *c_ = het_next(&ids_, running_); c_;	\
		     c_ = het_next(&ids_, running_))

/* Is the job out of line because slurmctld does not try it, or another component of
 * its heterogeneous job? */
extern bool het_is_untried(const job_record_t *job_ptr);

/* ---- jobs that run, and the terms of their eviction: running.c ---- */

/* The job has its nodes. selected: as charge_job() */
extern void running_book(struct job *job, bool selected);
/* The job runs, and something of it may have changed. */
extern void running_sync(struct job *job);
/* The same. True if the terms on which the job may be evicted are others now */
extern bool running_sync_terms(struct job *job);
/* The books go: which runs are settled is noted. */
extern void running_note_settled(void);
/* The books have all that runs: those runs are settled again, as far as quota covers them. */
extern void running_keep_settled(void);
/* Does the job run, and is there no rule or event by which each walk has to sync it? */
extern bool running_is_plain(const struct job *job, const job_record_t *job_ptr);

/* The job has started in the present pass, which may not evict it. */
extern void exempt_started(struct job *job);
/* Is a job exempt because it has started in the present pass, or after it? */
extern bool exempt_any_started(void);
/* A scheduler tries a job: the pass goes on. */
extern void exempt_renew_started(void);
/* The pass is over. */
extern void exempt_forget_started(void);
/* A job is tried as it is submitted: the main scheduler's pass is over. */
extern void exempt_note_submission(void);

/* ---- starts and ends, as slurmctld tells of them: starts.c ---- */

/* A job holds resources from now on, or no longer; or has another size. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);

/* The job has ended, and its nodes are not free yet. */
extern bool ending_is(const struct job *job);
/* Its end goes on, or is found to have begun: some of its nodes may be free now. */
extern void ending_sync(struct job *job);
/* Its nodes are free. */
extern void ending_over(struct job *job);
/* A walk begins, which looks at all jobs whose end goes on. */
extern void ending_await_none(void);
/* Calls look() with the id of each job whose end went on at the last look: its record may be
 * gone. */
extern void ending_look(void (*look)(uint32_t job_id));

/* ---- what was used lately, over restarts and reconfigures: history.c ---- */

/* No job record tells it. All functions under the job lock. */

/* Events happen now. Before anything of a job is told to the engine; costs as
 * much as a look at the clock. */
extern void history_advance_now(void);
/* Local queues have the weights of cohort.yaml. For a new engine */
extern void history_weigh_locals(void);
/* The histories by names, or NULL if there are none; the caller's */
extern struct json_object *history_dump(void);
/* These histories count from now on: all that runs is in the books. What is no history is
 * ignored. */
extern void history_restore(struct json_object *histories);

#endif /* COHORT_BOOKS_BOOKS_H */
