/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  floor.h - the least that a node has which a job may get
\*****************************************************************************/
#ifndef COHORT_REQUEST_FLOOR_H
#define COHORT_REQUEST_FLOOR_H

#include "state/state.h"

struct floor {
	int64_t cpus, mem;	/* of a node */
	int64_t core, socket;	/* CPUs of a core, of a socket */
	struct {
		int64_t whole;		/* what comes with a whole node */
		bool typed, other;	/* some are of this type, of another */
		bool free;		/* not consumed: no quota either */
	} *gres;		/* by resource */
	bool uneven;		/* not all nodes are alike */
};

/* The least of the nodes of the job's partition with the features that it asks
 * for, in a flavor or (SPEC_NONE) in all of them. Valid until the next call. */
extern const struct floor *floor_of(const job_record_t *job_ptr, int flavor);
extern int64_t floor_node_cpus(const node_record_t *node_ptr);
extern int64_t floor_node_mem(const node_record_t *node_ptr);	/* MB for jobs */
/* True if nodes or partitions have changed */
extern bool floor_refresh(void);
extern void floor_flush(void);
/* A node's GRES of that name, or NULL */
extern gres_state_t *floor_node_gres(const node_record_t *node_ptr,
				     const struct resource *r);
/* How many of it come with the whole node */
extern int64_t floor_whole_gres(const node_record_t *node_ptr,
				const struct resource *r);

#endif /* COHORT_REQUEST_FLOOR_H */
