/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  lighten.h - no victim that is not needed
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_LIGHTEN_H
#define COHORT_PLACEMENT_LIGHTEN_H

#include "placement/place.h"

/* place_select() has found nodes for up to so many, with p->victims: the jobs
 * among them that the job could do without stay, the one that would lose most
 * first. p->victims and p->node_bitmap are then those of the best answer. cons_tres
 * is asked a bounded number of times. Source: doc/how-it-decides.md, section 10. */
extern void lighten_victims(struct place *p, uint32_t max_nodes, int64_t now);

#endif /* COHORT_PLACEMENT_LIGHTEN_H */
