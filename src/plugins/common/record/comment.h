/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  comment.h - what is noted of an eviction in the victim's system_comment
\*****************************************************************************/
#ifndef COHORT_RECORD_COMMENT_H
#define COHORT_RECORD_COMMENT_H

#include "compat/slurm_compat.h"
#include "state/job.h"

/* What is said of a job that goes for this other job; why: the rest of the text,
 * from the rule on. xmalloc'd */
extern char *comment_of_preempted(uint32_t preemptor_id,
				  const char *preemptor_queue, const char *why,
				  time_t now);
/* Such a text becomes the job's. */
extern void comment_preempted(job_record_t *job_ptr, const char *text,
			      time_t now);
/* The job goes because its queue is stopped. */
extern void comment_drained(job_record_t *job_ptr, const char *queue,
			    time_t now);
/* The same as a part of its AdminComment, in brackets; what else is there stays.
 * slurmdbd gets it when the run ends. */
extern void comment_add_admin(job_record_t *job_ptr, const char *text);
/* That part goes: another run begins, or none has ended. */
extern void comment_clear_admin(job_record_t *job_ptr);
/* The job goes along with another component of the same job. */
extern void comment_copy(job_record_t *to, const job_record_t *from);
/* The eviction was not carried out: the job goes on. */
extern void comment_clear(job_record_t *job_ptr);
/* How often the job was evicted, as the part of such a text that says so; max: how often
 * that may count, or 0. Appended to an xmalloc'd text */
extern void comment_add_evictions(char **text, const struct evictions *evictions,
				  int max);
/* The same as its record says: the state file may be lost. */
extern struct evictions comment_evictions(const job_record_t *job_ptr);

#endif /* COHORT_RECORD_COMMENT_H */
