/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict.h - victims: who may be one, and how they go
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_EVICT_H
#define COHORT_PLACEMENT_EVICT_H

#include "state/job.h"
#include "placement/place.h"

/* Put the victims on Slurm's list, log, note for the victims' owners. Those
 * already on their way out are not listed again. Returns how many were. */
extern int evict_list(struct place *p);
/* Evictions for this job came to nothing: nobody goes for it for a while. */
extern bool evict_pauses(const struct job *preemptor, time_t now);
/* Evict what runs in queues with stopPolicy HoldAndDrain. */
extern void evict_drained(void);
/* Evict victims whose grace time is over: Slurm itself looks for them every
 * 30 seconds only. */
extern void evict_graced(void);
/* When may this running job be evicted at the earliest, in ns? 0: now;
 * INT64_MAX: never. */
extern int64_t evict_exempt_until(job_record_t *job_ptr);
/* PreemptMode of a managed job: its QOS's, its partition's or the cluster's */
extern uint16_t evict_mode(const job_record_t *job_ptr);
/* Of equal candidates the cheaper one is evicted: 0 for a job that would be
 * requeued, 1 for one that would be cancelled. */
extern int64_t evict_cost(const job_record_t *job_ptr);

#endif /* COHORT_PLACEMENT_EVICT_H */
