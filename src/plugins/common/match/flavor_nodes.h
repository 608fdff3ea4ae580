/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.h - which nodes are a flavor's, and which flavors can hold a job
\*****************************************************************************/
#ifndef COHORT_MATCH_FLAVOR_NODES_H
#define COHORT_MATCH_FLAVOR_NODES_H

#include "state/state.h"

/* Bring the node bitmaps of all flavors up to date. changed: nodes or partitions have, but for
 * the states of nodes. True if that is so, or other nodes are up. */
extern bool flavor_refresh(bool changed);
extern void flavor_free(void);
/* Nodes of the flavor, or NULL for all nodes */
extern bitstr_t *flavor_nodes(int flavor);
/* May nodes come that slurm.conf does not have yet? */
extern bool nodes_may_come(void);
/* A number that changes whenever any of these has changed, or what flavor_refresh() was told */
extern uint64_t flavor_generation(void);

/* ---- flavors that can hold a job ---- */

/* May nodes of the flavor in this partition ever hold the job? */
extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr, part_record_t *part_ptr);
/* The same of those that are up */
extern bool flavor_is_up(int flavor, job_record_t *job_ptr, part_record_t *part_ptr);
/* Which these are in the partition that is tried. The caller frees the bitmap. */
extern bitstr_t *flavor_nodes_up(int flavor, job_record_t *job_ptr);

#endif /* COHORT_MATCH_FLAVOR_NODES_H */
