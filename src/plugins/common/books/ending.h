/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ending.h - what a job still uses while its end goes on
\*****************************************************************************/
#ifndef COHORT_BOOKS_ENDING_H
#define COHORT_BOOKS_ENDING_H

#include "state/job.h"

/* The end of a job that is charged has begun, or is found to have begun. */
extern void ending_begin(struct job *job);
/* Charges the job for the nodes that it still uses, if these are fewer now. */
extern void ending_sync(struct job *job);
/* Its end is over, or it runs anew. */
extern void ending_over(struct job *job);

#endif /* COHORT_BOOKS_ENDING_H */
