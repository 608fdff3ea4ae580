/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  evict_terms.h - on which terms Slurm's settings let a running job be evicted
\*****************************************************************************/
#ifndef COHORT_MATCH_EVICT_TERMS_H
#define COHORT_MATCH_EVICT_TERMS_H

#include "compat/slurm_compat.h"

/* When may this running job be evicted at the earliest, in ns? 0: now; INT64_MAX: never. */
extern int64_t evict_exempt_until(job_record_t *job_ptr);
/* By its time limit, and what slurmctld allows beyond it, this running job has ended by then, in
 * ns. 0: not known, or never */
extern int64_t evict_ends_by(const job_record_t *job_ptr);
/* May other jobs run on its nodes beside it? Of a component of a heterogeneous job that is
 * not asked. */
extern bool evict_shares_nodes(const job_record_t *job_ptr);
/* PreemptMode of a managed job: that of its QOS, its partition or the
 * cluster. OFF if it is neither REQUEUE nor CANCEL: a suspended job would resume
 * without quota. slurmctld shows then no time from which the job can be evicted. */
extern uint16_t evict_mode(const job_record_t *job_ptr);
/* Of equal candidates the cheaper one is evicted: 0 for a job that would be
 * requeued, 1 for one that would be cancelled. */
extern int64_t evict_cost(const job_record_t *job_ptr);

/* Logs which partitions and QOS have jobs that can't be evicted. */
extern void evict_warn_of_settings(void);

#endif /* COHORT_MATCH_EVICT_TERMS_H */
