/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  asked.h - what sbatch --test-only has no words for, for scohort whatif
\*****************************************************************************/
#ifndef COHORT_TELL_ASKED_H
#define COHORT_TELL_ASKED_H

#include "placement/place.h"

/* sbatch --test-only was answered: the job would go now, with the charges and
 * victims of p; or it waits, with a time unless 0 and whom it would evict then
 * (unsure: somebody, not to be foreseen), `later` if that is because its user
 * wants it then, and whether the nodes could ever hold it; or it is of no queue,
 * or held; or it was not looked at (false: and nobody would find the answer).
 * publish_soon() has to be called for what is kept. */
extern void asked_goes(const struct place *p);
extern void asked_waits(const struct place *p, time_t start, bool later,
			bool unsure, bool fits);
extern void asked_apart(job_record_t *job_ptr);
extern bool asked_postponed(const job_record_t *job_ptr);

/* The last answers to sbatch --test-only */
extern struct json_object *asked_json(void);

#endif /* COHORT_TELL_ASKED_H */
