/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  preemptibility.h - can a job be preempted?
\*****************************************************************************/
#ifndef COHORT_MATCH_PREEMPTIBILITY_H
#define COHORT_MATCH_PREEMPTIBILITY_H

#include "state/job.h"

/* What the user says in --comment: cohort:preemptibility=non-preemptible, or
 * =preemptible; any other word says nothing. */
extern enum conf_preemptibility preemptibility_word(const job_record_t *job_ptr);
/* The rule of the queue (nonPreemptible of cohort.yaml), and the user's word
 * where the queue lets it count: never a victim, and capped? */
extern bool preemptibility_is_non(job_record_t *job_ptr, part_record_t *part_ptr, int queue,
				  int64_t priority);
/* Has the queue any such rule? */
extern bool preemptibility_has_rule(int queue);

#endif /* COHORT_MATCH_PREEMPTIBILITY_H */
