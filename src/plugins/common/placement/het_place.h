/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het_place.h - nodes for all components of a heterogeneous job, or for none
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_HET_PLACE_H
#define COHORT_PLACEMENT_HET_PLACE_H

#include "placement/place.h"

/* As place_find(); of a heterogeneous job for all components, if the first one
 * is to start. What backfill sees of a component is noted in its record. */
extern enum found het_place_find(struct place *p, int64_t now);
extern void het_place_free(struct place *p);
/* Of which component `victim` is a victim, once places were found for all. If of several,
 * of the one that is to start now (p). */
extern const struct place *het_place_asking(const struct place *p, const struct workload *victim);

#endif /* COHORT_PLACEMENT_HET_PLACE_H */
