/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  turn.h - a job whose queue lets nobody pass those before it
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_TURN_H
#define COHORT_PLACEMENT_TURN_H

#include "state/job.h"

/* In a StrictFIFO queue nobody passes another, not even one that has quota but
 * no nodes, or that Slurm did not try in this pass. The entry notes it. */
extern bool turn_hold_behind(struct entry *entry);

#endif /* COHORT_PLACEMENT_TURN_H */
