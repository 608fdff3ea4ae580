/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  books.h - job records into events for the engine
\*****************************************************************************/
#ifndef COHORT_BOOKS_BOOKS_H
#define COHORT_BOOKS_BOOKS_H

#include "state/job.h"

/* Look at every job record once and report to the engine what changed. False
 * if there was no need to, as nothing has. */
extern bool books_scan(void);
/* Scans pass this record over, which is only a question; 0: none is. */
extern void books_skip_question(uint32_t job_id);
/* The next scan is to look in any case. */
extern void books_request_scan(void);
/* The same for one job. */
extern struct job *books_sync(job_record_t *job_ptr);
/* Out of the books and our records */
extern void books_forget(struct job *job);
/* A job holds resources from now on, or no longer. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);

#endif /* COHORT_BOOKS_BOOKS_H */
