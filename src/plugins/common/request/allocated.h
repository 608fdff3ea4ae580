/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  allocated.h - what a job got, or is about to get
\*****************************************************************************/
#ifndef COHORT_REQUEST_ALLOCATED_H
#define COHORT_REQUEST_ALLOCATED_H

#include "state/state.h"

/* What a job got. nodes: before job_begin, those that cons_tres has selected; else NULL.
 * If cons_tres has only looked whether other jobs would leave enough, there is no
 * job_resrcs; then memory by CPU may be more than this for whole nodes of which the job
 * leaves cores or threads alone. */
extern void allocated_of(job_record_t *job_ptr, bitstr_t *nodes, int64_t *amounts);
/* How much of that is on one node of a job that has job_resrcs, by the number of the node
 * there; 0 for what is on no node. Billing is counted in CPUs. */
extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r, uint32_t host);

#endif /* COHORT_REQUEST_ALLOCATED_H */
