/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  charge.h - what a job got or is about to get, and what it is charged
\*****************************************************************************/
#ifndef COHORT_REQUEST_CHARGE_H
#define COHORT_REQUEST_CHARGE_H

#include "state/job.h"

/* What a job got. nodes: before job_begin, those that cons_tres has selected; else NULL.
 * If cons_tres has only looked whether other jobs would leave enough, there is no
 * job_resrcs; then memory by CPU may be more than this for whole nodes of which the job
 * leaves cores or threads alone. */
extern void allocated_of(job_record_t *job_ptr, bitstr_t *nodes, int64_t *amounts);
/* How much of that is on one node of a job that has job_resrcs, by the number of the node
 * there; 0 for what is on no node. Billing is counted in CPUs. */
extern int64_t allocated_on(job_record_t *job_ptr, const struct resource *r, uint32_t host);

/* Amounts by resource -> charges, with the flavor chosen for each resource.
 * Resources without one (not covered) are left out. Returns the number. */
extern size_t charge_list(const int *flavors, const int64_t *amounts, struct charge *charges);
/* The flavor of each resource (by index, -1: not covered) that a running job is taken to use,
 * judged by its nodes. Where flavors of some resources are known (not -1), other resources of the
 * same group get the same flavor. */
extern void charge_fill_flavors(int queue, bitstr_t *nodes, int *flavors);
/* Charge a job that has an allocation. selected: called from job_begin, where GRES and whole
 * nodes are chosen, but not yet entered in the record. The next walk charges what was entered. */
extern void charge_job(struct job *job, bool selected);
/* Charge it these n instead; they stay the caller's. */
extern void charge_set(struct job *job, const struct charge *charges, size_t n);

#endif /* COHORT_REQUEST_CHARGE_H */
