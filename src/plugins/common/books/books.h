/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.h - job records into events for the engine
\*****************************************************************************/
#ifndef COHORT_BOOKS_BOOKS_H
#define COHORT_BOOKS_BOOKS_H

#include "state/job.h"

/* Walk slurmctld's list of jobs: report to the engine what has changed of those that wait, and
 * each few seconds of all. What is new, ctld.changes and books_plans() tell. */
extern void books_scan(void);
/* A job was submitted just now: look at the records that are new since the last
 * walk, as their jobs may go before it, and at jobs whose end went on, as they may be
 * over; or walk, if that was not done in this second or the last one. */
extern void books_scan_new(const job_record_t *job_ptr);
/* Walks skip this record, which exists for a question only; 0: skip none. */
extern void books_skip_question(uint32_t job_id);
/* The next walk is of all records. */
extern void books_request_scan(void);
/* Do jobs of no queue wait, as of the last walk? */
extern bool books_others_wait(void);
/* Look at the records of all jobs of ours that run, as one may be evicted next; once in
 * a pass and second. False if that was done. */
extern bool books_look_at_running(void);
/* Look at the records of these jobs, which are to be evicted next. True: something has changed
 * since they were chosen; then the records of all jobs that run are looked at. */
extern bool books_look_at_victims(const struct victim *victims, size_t n);
/* engine_plan(), at this time by the clock, by the records of its victims as they are */
extern int books_plan(time_t now);
/* How many plans have been made: as long as this is the same, no verdict and no
 * position has changed. */
extern uint32_t books_plans(void);
/* The same as a walk, for one job */
extern struct job *books_sync(job_record_t *job_ptr);
/* The same for one that slurmctld asks nodes for: see job_is_in_line_as_asked() */
extern struct job *books_sync_asked(job_record_t *job_ptr);
/* Remove the job from the books and from our records. */
extern void books_forget(struct job *job);

#endif /* COHORT_BOOKS_BOOKS_H */
