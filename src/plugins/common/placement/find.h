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
/* Could any of these nodes hold the job, with no other job on them? Changes `nodes` */
extern bool place_could_ever(struct place *p, bitstr_t *nodes);

#endif /* COHORT_PLACEMENT_FIND_H */
