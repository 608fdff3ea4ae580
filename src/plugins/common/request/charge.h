/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  charge.h - what a job is charged, and on which flavors
\*****************************************************************************/
#ifndef COHORT_REQUEST_CHARGE_H
#define COHORT_REQUEST_CHARGE_H

#include "state/job.h"

/* Amounts by resource -> charges, with the flavor chosen for each resource.
 * Resources without one (not covered) are left out. Returns the number. */
extern size_t charge_list(const int *flavors, const int64_t *amounts, struct charge *charges);
/* The flavor of each resource (by index, -1: not covered) that a running job
 * is taken to use, judged by its nodes. */
extern void charge_flavors_by_nodes(int queue, bitstr_t *nodes, int *flavors);
/* The same where flavors of some resources are known: other resources of the
 * same group get the same flavor. */
extern void charge_fill_flavors(int queue, bitstr_t *nodes, int *flavors);
/* Charge a job that has an allocation. selected: called from job_begin, where GRES and whole
 * nodes are chosen, but not yet entered in the record. The next scan charges what was entered. */
extern void charge_job(struct job *job, bool selected);
/* Charge it these n instead; they stay the caller's. */
extern void charge_set(struct job *job, const struct charge *charges, size_t n);

#endif /* COHORT_REQUEST_CHARGE_H */
