/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  find.h - a place for a job: flavor by flavor
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_FIND_H
#define COHORT_PLACEMENT_FIND_H

#include "placement/place.h"

/* Nominate the job and place it as nominated, flavor by flavor: it finds no
 * nodes if there are none in any flavor with quota. */
extern enum found place_find(struct place *p, int64_t now);

#endif /* COHORT_PLACEMENT_FIND_H */
