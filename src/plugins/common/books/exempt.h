/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  exempt.h - until when a running job may not be evicted
\*****************************************************************************/
#ifndef COHORT_BOOKS_EXEMPT_H
#define COHORT_BOOKS_EXEMPT_H

#include "state/job.h"

/* When may this running job be evicted at the earliest, in ns? Its record, the
 * pass and the other components decide; INT64_MAX: never. */
extern int64_t exempt_until(struct job *job);
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

#endif /* COHORT_BOOKS_EXEMPT_H */
