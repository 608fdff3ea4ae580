/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asked.h - questions of sbatch --test-only: what they may cost, and what sbatch can't
 *  show, for scohort whatif
\*****************************************************************************/
#ifndef COHORT_TELL_ASKED_H
#define COHORT_TELL_ASKED_H

#include "placement/place.h"

/* Before a question, under the job lock: may it be answered now? If so, the
 * caller has to call questions_end() after the answer. */
extern bool questions_begin(void);
extern void questions_end(void);
/* Has the present question cost so much that no more work is to be done for
 * it? */
extern bool questions_cost_enough(void *arg);

/* sbatch --test-only was answered. Either the job would go now, with the
 * charges and victims of p. Or it waits, with a time unless 0 and the jobs that
 * it would evict then (unsure: some jobs, not to be foreseen), `later` if that
 * is because its user wants it then, and whether the nodes could ever hold it.
 * Or it is of no queue, or held. Or a plan used up its budget. Or it was not looked at (false: the answer
 * could not be found). publish_soon() has to be called for a kept answer. */
extern void asked_goes(const struct place *p);
extern void asked_waits(const struct place *p, time_t start, bool later,
			bool unsure, bool fits);
extern void asked_apart(job_record_t *job_ptr);
extern bool asked_postponed(const job_record_t *job_ptr);
extern void asked_unfinished(const job_record_t *job_ptr);

/* The last answers to sbatch --test-only */
extern struct json_object *asked_json(void);

#endif /* COHORT_TELL_ASKED_H */
