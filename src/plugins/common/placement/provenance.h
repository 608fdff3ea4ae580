/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  provenance.h - who gave way to whom, by which rule, and why it had to be
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_PROVENANCE_H
#define COHORT_PLACEMENT_PROVENANCE_H

#include "state/job.h"
#include "placement/place.h"

/* The eviction is decided: count it, log it, note it for the victim's owner */
extern void provenance_note(const struct place *p, const struct victim *v);
/* The line of an eviction that is only observed */
extern void provenance_observe(const struct place *p, const struct victim *v);
/* It is sent away because its queue is stopped */
extern void provenance_drained(struct job *job);
/* Another component of the same job goes along */
extern void provenance_follow(const struct job *job, struct job *component);

#endif /* COHORT_PLACEMENT_PROVENANCE_H */
