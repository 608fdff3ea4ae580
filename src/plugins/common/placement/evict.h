/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.h - victims, how they go, and which job gave way to which
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_EVICT_H
#define COHORT_PLACEMENT_EVICT_H

#include "placement/place.h"

/* Put the victims on Slurm's list, log them, leave a note for their owners. Victims that are
 * already on their way out are not listed again. Returns how many were. */
extern int evict_list(struct place *p);
/* Log the line of an eviction that is only observed. */
extern void evict_observe(const struct place *p, const struct victim *v);
/* Evict the jobs that run in queues with stopPolicy HoldAndDrain, and victims whose grace time is
 * over: Slurm itself looks for the latter every 30 seconds only. */
extern void evict_due(void);
/* Seconds between the order to end and the end, as QOS and partition have it */
extern uint32_t evict_grace_time(job_record_t *job_ptr);

#endif /* COHORT_PLACEMENT_EVICT_H */
