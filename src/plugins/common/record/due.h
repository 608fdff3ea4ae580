/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  due.h - when the clock, or another job, changes the standing of a job
 *
 *  slurmctld stamps most changes of a record, but not that a time has come, or that a
 *  dependency is met. A scan notes when the next one has to look for that.
\*****************************************************************************/
#ifndef COHORT_RECORD_DUE_H
#define COHORT_RECORD_DUE_H

#include "compat/slurm_compat.h"

/* A scan begins: nothing is noted yet. */
extern void due_forget(time_t now);
/* Something has to be looked at then; 0: never */
extern void due_at(time_t at);
/* The same, of what a job's record says. A job that is held waits for no time: its release
 * is stamped. */
extern void due_note(const job_record_t *job_ptr);
/* Is a scan due, even if nothing was stamped? */
extern bool due_is(time_t now);

#endif /* COHORT_RECORD_DUE_H */
