/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  reason.h - the text that squeue shows as REASON
\*****************************************************************************/
#ifndef COHORT_TELL_REASON_H
#define COHORT_TELL_REASON_H

#include "state/job.h"

#include "text/reason.h"

/* The entry that users are told about: if this entry is the first of its job, the entry of
 * the job that is nearest to its start */
extern const struct entry *nearest_entry(const struct entry *entry);
/* The text for a job that waits by the plan, of its entry nearest_entry() */
extern void reason_text(const struct entry *entry, char text[REASON_SIZE]);
/* Put the text where squeue finds it, not more often than configured */
extern void reason_set(struct job *job, time_t now);
/* Does a job that has quota wait for nodes only? */
extern bool reason_is_nodes(const struct job *job);
/* Put back texts that the scheduler has overwritten */
extern void reason_restore(void);

#endif /* COHORT_TELL_REASON_H */
