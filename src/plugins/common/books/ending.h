/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ending.h - what a job still uses while its end goes on
\*****************************************************************************/
#ifndef COHORT_BOOKS_ENDING_H
#define COHORT_BOOKS_ENDING_H

#include "state/job.h"

/* Charges the job for the nodes that it still uses, if some of its nodes are free. */
extern void ending_sync(struct job *job);

/* Its end goes on: ending_look() looks at it. */
extern void ending_await(const struct job *job);
/* A walk begins, which looks at all of them. */
extern void ending_await_none(void);
/* Calls look() with the id of each job that is awaited: its record may be gone. Those that
 * are awaited again meanwhile are the awaited ones from then on. */
extern void ending_look(void (*look)(uint32_t job_id));

#endif /* COHORT_BOOKS_ENDING_H */
