/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fit.h - nodes for a job whose cost quota allows
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_FIT_H
#define COHORT_PLACEMENT_FIT_H

#include "state/state.h"
#include "placement/place.h"

/* Try the nodes of the nominated flavors. If they cost more than quota allows,
 * that cost is learned. */
extern enum found place_try(struct place *p, const struct nomination *nom,
			    int64_t now);

#endif /* COHORT_PLACEMENT_FIT_H */
