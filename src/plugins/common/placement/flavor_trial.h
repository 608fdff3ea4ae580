/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_trial.h - could the nodes of a flavor ever hold a job?
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_FLAVOR_TRIAL_H
#define COHORT_PLACEMENT_FLAVOR_TRIAL_H

#include "placement/place.h"

/* A try found no nodes: could the job ever run, in that flavor? */
extern void flavor_learn_from_try(struct place *p);

#endif /* COHORT_PLACEMENT_FLAVOR_TRIAL_H */
