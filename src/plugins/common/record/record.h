/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  record.h - what is shown of jobs, counted, and kept of their evictions
\*****************************************************************************/
#ifndef COHORT_RECORD_RECORD_H
#define COHORT_RECORD_RECORD_H

#include <json-c/json.h>

#include "state/job.h"

/* ---- what squeue shows of our jobs, a text as REASON, a time as START_TIME: shown.c ---- */

/* Each text of ours begins so. */
#define SHOWN_REASON "Cohort:"
#define SHOWN_UNTRIED SHOWN_REASON "untried"

/* The record of a job that is in no queue: slurmctld saves our text with it, and
 * a restart or reconfigure may have left it there. */
extern void shown_clear_saved(job_record_t *job_ptr);
/* Our text is out of date, also one that an earlier run has put there: slurmctld saves it over
 * a restart, and copies it to the record of what is left of an array. A text that
 * slurmctld has put in its place stays. */
extern void shown_clear_reason(struct job *job);
/* Does the record have a text of ours with a place in line? Slurm may have put a reason of its
 * own there since. */
extern bool shown_is_there(const struct job *job);
/* slurmctld does not try the job (untried_is()): say so, unless Slurm has a
 * reason of its own for that. */
extern void shown_put_untried(job_record_t *job_ptr);
extern void shown_clear_untried(job_record_t *job_ptr);
/* Update START_TIME, after preempt_in_progress. A job that waits by the plan shows the
 * time that is known; a job that may start shows Slurm's time, or the estimate where
 * Slurm has none; a job that is out of line shows nothing. While a cycle of backfill is
 * under way no record that backfill may plan has a time of ours. */
extern void shown_update_start(struct job *job);
extern void shown_release_start(struct job *job);
extern void shown_clear_start(struct job *job);

/* ---- counters of admissions, evictions, waits, passes: count.c ---- */

struct json_object;

/* A job of the queue has started, after so many seconds in line. within_nominal: its queue
 * stays within nominal quota with it. */
extern void count_admission(int queue, time_t waited, bool within_nominal);
/* A job of the queue was evicted, for one of queue `by`, or SPEC_NONE. */
extern void count_eviction(int queue, int by, enum victim_reason reason);
/* What the run of that job has used, for nothing */
extern void count_loss(int queue, const struct charge *charge, time_t lost);
extern void count_pass(uint64_t usec, bool planned);
/* A thread of ours has held the job lock for so long. */
extern void count_hold(uint64_t usec);
/* All of them for the state file, and back */
extern struct json_object *count_dump(void);
extern void count_load(struct json_object *o);
extern void count_clear(void);
/* For publication: the counters of one queue; and those that are of no queue */
extern struct json_object *count_queue_json(int queue);
extern struct json_object *count_json(void);
/* Work, and what passes and the lock have cost since slurmctld was started */
extern struct json_object *count_work_json(void);

/* ---- what is kept of an eviction, texts in the victim's record, and an event: eviction.c ---- */

/* Numbers of the flavor and resource that the preemptor lacks most, before the
 * eviction; pair.amount: what it needs */
struct event_numbers {
	struct charge pair;
	int64_t used, nominal;		/* of the victim's queue */
	int64_t by_used, by_nominal;	/* of the preemptor's */
	int64_t free;			/* that it could have had without any eviction */
};

/* What is known when it is decided. numbers: NULL if the two have no resource
 * in common; why: what the victim's record says, from the rule on */
struct eviction_decided {
	const job_record_t *by;
	int by_queue;
	enum victim_reason rule;
	const struct event_numbers *numbers;
	const char *why;
	time_t at;
};

/* The job is evicted: that takes the place of any older eviction. */
extern void eviction_note(struct job *job, const struct eviction_decided *d);
/* The event that it would be evicted if quota was not only observed, and that it would wait,
 * with that REASON. The caller's */
extern struct json_object *eviction_observed(const struct job *job,
					     const struct eviction_decided *d);
extern struct json_object *wait_observed(const struct job *job, const char *text);
/* It goes along with this other component, for the same reason. */
extern void eviction_note_along(struct job *job, const struct job *leader);
/* It is told to go because its queue is stopped. */
extern void eviction_note_drained(job_record_t *job_ptr, const char *queue);
/* The eviction was not carried out: the job goes on. */
extern void eviction_revoke(struct job *job);
/* Nothing of it stays in AdminComment: another run begins, or none has ended. */
extern void eviction_clear_admin(job_record_t *job_ptr);
/* The run is over, after so many seconds, of which so many are lost: the event is complete.
 * The caller's; NULL if nothing is known of the eviction. Charges are still in the books. */
extern struct json_object *eviction_ended(struct job *job, time_t ran, time_t lost);

/* How often the job was evicted, as the part of such a text that says so; max: how often
 * that may count, or 0. Appended to an xmalloc'd text */
extern void eviction_add_counts(char **text, const struct evictions *evictions, int max);
/* The same as its record says: the state file may be lost. */
extern struct evictions eviction_counts(const job_record_t *job_ptr);

/* For the state file, to be freed by the caller: NULL, or what is known of an
 * eviction that is not over; and back, if the job's record still shows it. */
extern struct json_object *eviction_dump(const struct job *job);
extern void eviction_load(struct job *job, struct json_object *evicted);

#endif /* COHORT_RECORD_RECORD_H */
