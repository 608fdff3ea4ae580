/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  shown.h - what squeue shows of our jobs: a text as REASON, a time as START_TIME
\*****************************************************************************/
#ifndef COHORT_RECORD_SHOWN_H
#define COHORT_RECORD_SHOWN_H

#include "state/job.h"

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

#endif /* COHORT_RECORD_SHOWN_H */
