/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  request.h - what a waiting job asks for, in Slurm's words and in the engine's
\*****************************************************************************/
#ifndef COHORT_REQUEST_REQUEST_H
#define COHORT_REQUEST_REQUEST_H

#include "state/job.h"

struct podset {
	struct podset_desc desc;
	struct request *requests;
	int64_t *by_flavor;	/* by request (before: resource) and flavor */
	bool *ineligible;
};

/* What the waiting job asks of the queue (podset.c). The caller frees it. */
extern void podset_of(struct podset *p, struct entry *entry, int queue);
extern void podset_free(struct podset *p);

/* How many nodes "[a*1&b*2]" adds up to, 0 if it has no counts */
extern uint32_t request_counted(compat_list_t features);
/* What a waiting job (one task of an array) asks for on nodes of a flavor, or
 * SPEC_NONE, in the partition of its record: fills amounts[nresources] with totals for
 * its smallest allocation. What Slurm allocates is never less. */
extern void request_of(job_record_t *job_ptr, int flavor, int64_t *amounts);

/* The job is to be tried in the partition of its record. What cons_tres and slurmctld have
 * left there of another of its partitions is made good. */
extern void request_renew(job_record_t *job_ptr);
/* The memory that a job gets with so many nodes and CPUs, by --mem, --mem-per-cpu or a default of
 * these. all: what its nodes have, which it gets if there is none of these. */
extern int64_t request_mem(const job_record_t *job_ptr, int64_t all, int64_t nodes, int64_t cpus);
/* Has the job nodes of its own, by --exclusive or by its partition? */
extern bool request_takes_whole_nodes(const job_record_t *job_ptr);
/* Does the job leave threads or cores alone that it is charged for? Memory by CPU may be
 * less then. */
extern bool request_leaves_cpus(const job_record_t *job_ptr);

#endif /* COHORT_REQUEST_REQUEST_H */
