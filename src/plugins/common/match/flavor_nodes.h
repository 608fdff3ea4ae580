/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.h - which nodes are a flavor's, and which flavors can hold a job
\*****************************************************************************/
#ifndef COHORT_MATCH_FLAVOR_NODES_H
#define COHORT_MATCH_FLAVOR_NODES_H

#include "state/job.h"

/* Bring the node bitmaps of all flavors up to date. True if any changed, or anything else
 * of nodes or partitions did, as the caller says. */
extern bool flavor_refresh(bool changed);
extern void flavor_free(void);
/* Nodes were created or deleted: read the host lists once more. */
extern void flavor_forget_hosts(void);
/* Nodes of the flavor, or NULL for all nodes */
extern bitstr_t *flavor_nodes(int flavor);
/* May nodes come that slurm.conf does not have yet? */
extern bool nodes_may_come(void);
/* A number that changes whenever any of these has changed, or what flavor_refresh() was told */
extern uint64_t flavor_generation(void);

/* ---- flavors that can hold a job ---- */

/* May nodes of the flavor in this partition ever hold the job? */
extern bool flavor_is_eligible(int flavor, job_record_t *job_ptr, part_record_t *part_ptr);
/* Of the flavors (by index) that may hold it, those for which it is of no use
 * to wait become ineligible, as long as one is left. */
extern void flavor_exclude_useless(const struct entry *entry, bool *ineligible);
/* Ask, once for this request and the nodes that there are, whether nodes of the flavor that are
 * up, in the partition that is tried, could ever hold the job: those it could use if no other
 * job was on them. True: it is news that they can't, and the job's demand is made anew. */
extern bool flavor_learn(struct entry *entry, int flavor,
			 bool (*could_ever)(bitstr_t *nodes, void *arg), void *arg);

#endif /* COHORT_MATCH_FLAVOR_NODES_H */
