/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  shown.h - what squeue shows of our jobs: a text as REASON, a time as START_TIME
\*****************************************************************************/
#ifndef COHORT_RECORD_SHOWN_H
#define COHORT_RECORD_SHOWN_H

#include "state/job.h"

/* Our text is over. One that slurmctld has put in its place stays. */
extern void shown_clear_reason(struct job *job);
/* It shows this time; 0: none. */
extern void shown_put_start(struct job *job, time_t at);
/* A job that waits by the plan shows what is known of it; one that does not
 * any more shows what Slurm says; one that is out of line shows nothing. */
extern void shown_update_start(struct job *job);
extern void shown_release_start(struct job *job);
extern void shown_clear_start(struct job *job);

#endif /* COHORT_RECORD_SHOWN_H */
