/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  demand.h - the resources that quota is about, as Slurm knows them
\*****************************************************************************/
#ifndef COHORT_REQUEST_DEMAND_H
#define COHORT_REQUEST_DEMAND_H

#include "state/state.h"

extern void demand_init(void);
extern void demand_fini(void);
/* Licenses, and hierarchical resources, of a job on so many nodes */
extern int64_t demand_licenses(job_record_t *job_ptr, const struct resource *r, int64_t nodes);
/* Of one of Slurm's TRES arrays */
extern int64_t demand_tres(const uint64_t *counts, const struct resource *r);
/* What a job with so much is billed in its partition (TRESBillingWeights). gres_of(r, arg):
 * of GRES; NULL: as requested */
extern int64_t demand_billing(const job_record_t *job_ptr, int64_t cpus,
			      int64_t mem, int64_t nodes,
			      int64_t (*gres_of)(const struct resource *r, void *arg), void *arg);
/* --comment=cohort:min-available=N of an array, or -1 */
extern int64_t demand_min_available(const job_record_t *job_ptr);

#endif /* COHORT_REQUEST_DEMAND_H */
