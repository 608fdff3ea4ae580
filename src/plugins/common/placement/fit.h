/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  fit.h - nodes for a job whose cost quota allows
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_FIT_H
#define COHORT_PLACEMENT_FIT_H

#include "state/state.h"
#include "placement/place.h"

/* Try the nodes of the nominated flavors. 0: selected, node_bitmap and
 * victims are set; -1: no nodes; -2: nodes, but more than quota allows (what
 * it takes is learned). */
extern int place_try(struct place *p, const struct nomination *nom,
		     int64_t now);

#endif /* COHORT_PLACEMENT_FIT_H */
