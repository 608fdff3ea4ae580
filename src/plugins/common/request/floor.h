/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  floor.h - what a node has, and the least that a node has which a job may get
\*****************************************************************************/
#ifndef COHORT_REQUEST_FLOOR_H
#define COHORT_REQUEST_FLOOR_H

#include "state/state.h"

struct floor {
	int64_t cpus, mem;	/* of a node; memory for jobs, MB */
	int64_t core, socket;	/* CPUs of a core, of a socket */
	struct floor_gres {
		int64_t whole;		/* what comes with a whole node */
		bool typed, other;	/* some are of this type, of another */
		bool free;		/* not consumed: no quota either */
	} *gres;		/* by resource */
	bool uneven;		/* not all nodes are alike */
};

/* The least of the nodes of the job's partition with the features that the job asks for, in a
 * flavor or (SPEC_NONE) in all of them; of the nodes that the job names, if these are
 * enough. Valid until the next call. */
extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor);
/* Bring all that is kept of nodes up to date: which are alike, of a flavor, up, and what was
 * learned of them. True if nodes or partitions have changed. */
extern bool floor_refresh(void);
/* Forget all that. */
extern void floor_flush(void);
/* CPUs of one core of a node: its threads, or 1 where CPUs= counts cores */
static inline int64_t floor_core(const node_record_t *node_ptr)
{
	return MAX(node_ptr->tpc, 1);
}

/* A node's GRES of that name, or NULL */
extern gres_node_state_t *floor_node_gres(const node_record_t *node_ptr, const struct resource *r);
/* What jobs may use of a node: CPUs, memory (MB), 1 node, GRES that come with the whole node;
 * 0 for what no node has */
extern int64_t floor_node_has(const node_record_t *node_ptr, const struct resource *r);

#endif /* COHORT_REQUEST_FLOOR_H */
