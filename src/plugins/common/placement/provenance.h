/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  provenance.h - which job gave way to which, by which rule, and why
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_PROVENANCE_H
#define COHORT_PLACEMENT_PROVENANCE_H

#include "state/job.h"
#include "placement/place.h"

/* The eviction for the job of this place is decided: count it, log it, leave a note for the
 * victim's owner. `first` is the place of the first component of the job: that of the job
 * itself, if it is not heterogeneous. */
extern void provenance_note(const struct place *p, const struct place *first,
			    const struct victim *v);
/* Log the line of an eviction that is only observed */
extern void provenance_observe(const struct place *p, const struct victim *v);
/* The job is sent away because its queue is stopped */
extern void provenance_drained(struct job *job);
/* The job goes along with another component of the same job */
extern void provenance_follow(const struct job *job, struct job *component);

#endif /* COHORT_PLACEMENT_PROVENANCE_H */
