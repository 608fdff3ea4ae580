/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook_times.h - how long jobs run, and how long it takes until others run in their place
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_OUTLOOK_TIMES_H
#define COHORT_ESTIMATE_OUTLOOK_TIMES_H

#include "compat/slurm_compat.h"

/* From the end of a victim until the next job runs on its nodes, in seconds */
#define HANDOVER 1

/* Its time limit in ns, or SIM_FOREVER */
extern int64_t outlook_duration(const job_record_t *job_ptr);
/* When a running job is to end at the latest, in ns; or SIM_FOREVER */
extern int64_t outlook_end(const job_record_t *job_ptr);

/* How long an eviction takes until another job can start, in seconds */
extern time_t outlook_evict_time(job_record_t *job_ptr);

#endif /* COHORT_ESTIMATE_OUTLOOK_TIMES_H */
