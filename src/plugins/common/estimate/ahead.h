/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  ahead.h - nodes for a job that will have quota later
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_AHEAD_H
#define COHORT_ESTIMATE_AHEAD_H

#include "jobs/planned.h"
#include "placement/place.h"

/* Backfill asks when the job can start. False: it can't be said; p->node_bitmap is
 * of no use then. */
extern bool ahead_plan(struct place *p, struct planned *planned);

#endif /* COHORT_ESTIMATE_AHEAD_H */
