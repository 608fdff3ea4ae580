/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  find.h - a place for a job: flavor by flavor
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_FIND_H
#define COHORT_PLACEMENT_FIND_H

#include "placement/place.h"

/* Nominates the job and places it as nominated, flavor by flavor. 0 and p
 * filled in; -1: no nodes in any flavor with quota; -2: no quota */
extern int place_find(struct place *p, int64_t now);

#endif /* COHORT_PLACEMENT_FIND_H */
