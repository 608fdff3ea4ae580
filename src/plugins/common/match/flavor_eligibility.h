/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_eligibility.h - which flavors can hold a job at all
\*****************************************************************************/
#ifndef COHORT_MATCH_FLAVOR_ELIGIBILITY_H
#define COHORT_MATCH_FLAVOR_ELIGIBILITY_H

#include "state/job.h"
#include "placement/place.h"

/* May nodes of the flavor in this partition ever hold the job? */
extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr,
			 part_record_t *part_ptr);
/* Of the flavors (by index) that may, those where it is of no use to wait
 * become ineligible, as long as one is left. */
extern void flavor_exclude_useless(const struct job *job, bool *ineligible);
/* A try found no nodes: could it ever, in that flavor? */
extern void flavor_learn_from_try(struct place *p);

#endif /* COHORT_MATCH_FLAVOR_ELIGIBILITY_H */
