/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.h - job records into events for the engine
\*****************************************************************************/
#ifndef COHORT_BOOKS_BOOKS_H
#define COHORT_BOOKS_BOOKS_H

#include "state/job.h"

/* Look at the job records that may have changed, and report to the engine what changed. True if all
 * records were looked at. What else is new, ctld.changes and books_plans() tell: it may have been
 * seen between two scans. */
extern bool books_scan(void);
/* A job was submitted just now: look at the records that are new since the last
 * scan, as their jobs may go before it, and at jobs whose end went on, as they may be
 * over; or at all, if that scan was not in this second or the last one. */
extern void books_scan_new(const job_record_t *job_ptr);
/* Scans skip this record, which exists for a question only; 0: skip none. */
extern void books_skip_question(uint32_t job_id);
/* Were all records looked at lately? Enough where no job is ours. Asked for each
 * comparison of a sort: stamps that are below these ask for no look. */
extern struct books_rest {
	time_t jobs, parts;
} books_rest;
static inline bool books_may_wait(void)
{
	return (last_job_update < books_rest.jobs) &&
		(last_part_update < books_rest.parts);
}
/* The next scan looks at all records in any case; or only at those that it would look at
 * after a stamp: the new ones, and those that may have changed (record/seats.h). */
extern void books_request_scan(void);
extern void books_request_look(void);
/* Look at the records of all jobs of ours that run, as one may be evicted next; once in
 * a pass and second. False if that was done. */
extern bool books_look_at_running(void);
/* engine_plan(), at this time by the clock */
extern int books_plan(time_t now);
/* How many plans have been made: as long as this is the same, no verdict and no
 * position has changed. */
extern uint32_t books_plans(void);
/* At how many records all scans have looked */
extern uint64_t books_looks(void);
/* Has slurmctld stamped no change since the last scan? */
extern bool books_are_up_to_date(void);
/* The same as a scan, for one job */
extern struct job *books_sync(job_record_t *job_ptr);
/* The same for one that slurmctld asks nodes for: see job_is_in_line_as_asked() */
extern struct job *books_sync_asked(job_record_t *job_ptr);
/* Remove the job from the books and from our records. */
extern void books_forget(struct job *job);

#endif /* COHORT_BOOKS_BOOKS_H */
