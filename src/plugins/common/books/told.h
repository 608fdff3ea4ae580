/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  told.h - starts and ends, of which slurmctld tells
\*****************************************************************************/
#ifndef COHORT_BOOKS_TOLD_H
#define COHORT_BOOKS_TOLD_H

#include "state/job.h"

/* A job holds resources from now on, or no longer. */
extern void books_started(job_record_t *job_ptr);
extern void books_ended(job_record_t *job_ptr);
extern void books_resized(job_record_t *job_ptr);

#endif /* COHORT_BOOKS_TOLD_H */
