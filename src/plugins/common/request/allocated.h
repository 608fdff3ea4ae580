/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  allocated.h - what a job got, or is about to get
\*****************************************************************************/
#ifndef COHORT_REQUEST_ALLOCATED_H
#define COHORT_REQUEST_ALLOCATED_H

#include "state/state.h"

/* What a job got (`selected`: before job_begin) */
extern void allocated_of(job_record_t *job_ptr, bool selected,
			 int64_t *amounts);
/* How much of it is on one node of a job that has job_resrcs, by the number of
 * the node there; 0 for what is on no node. Billing is counted in CPUs. */
extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r,
			    uint32_t host);

#endif /* COHORT_REQUEST_ALLOCATED_H */
