/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  het_place.h - nodes for all components of a heterogeneous job, or for none
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_HET_PLACE_H
#define COHORT_PLACEMENT_HET_PLACE_H

#include "placement/place.h"

/* Backfill would start the component, now or later */
extern void het_note_test(const struct place *p);
/* As gate_find_place(), for all components if the first one is to start */
extern int het_find_place(struct place *p, int64_t now);
extern void het_place_free(struct place *p);

#endif /* COHORT_PLACEMENT_HET_PLACE_H */
