/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  keep.h - jobs of which the state file may have something to tell
 *
 *  Most jobs have nothing in it. Whatever may give a job something there puts it on
 *  this list; who writes the file takes it off again if there is nothing.
\*****************************************************************************/
#ifndef COHORT_STATE_KEEP_H
#define COHORT_STATE_KEEP_H

#include "state/job.h"

/* Put the job on the list, if it is not there. */
extern void keep_note(struct job *job);
/* Is the place of the job in the order not that of its record? */
extern bool keep_has_moved(const struct job *job, const job_record_t *job_ptr);
/* Put it on the list, if that is so. */
extern void keep_note_if_moved(struct job *job);
/* The record of the job is about to be freed. */
extern void keep_forget(struct job *job);
/* All of the list. Where f returns false the job is taken off. */
extern void keep_each(bool (*f)(struct job *job, void *arg), void *arg);

#endif /* COHORT_STATE_KEEP_H */
