/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  glance.h - records for which a glance will do
 *
 *  Most jobs wait or run with nothing about them that could change by itself.
 *  For some seconds after a look in full a few words of such a record tell
 *  whether slurmctld has done anything with the job. An update of a job that
 *  waits is among that. Of a job that runs, a new QOS, and whether it may be
 *  requeued, are seen by the next look in full.
\*****************************************************************************/
#ifndef COHORT_RECORD_GLANCE_H
#define COHORT_RECORD_GLANCE_H

#include "state/job.h"

/* After a look in full: will glances do until the next one? */
extern void glance_settle(struct job *job);
/* Is the record as it was then, as far as a glance tells? */
extern bool glance_suffices(const struct job *job, const job_record_t *job_ptr);

#endif /* COHORT_RECORD_GLANCE_H */
