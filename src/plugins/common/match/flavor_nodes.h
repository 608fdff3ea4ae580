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
/* How many host lists were read so far */
extern uint64_t flavor_host_lists(void);
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
/* Nodes of the flavor, up, and of the partition that is tried: those that the
 * job could use if no other job was on them. The caller frees the bitmap. */
extern bitstr_t *flavor_trial_nodes(int flavor, job_record_t *job_ptr);
/* For which request and nodes a trial holds: a new number means a new trial */
extern uint64_t flavor_trial_validity(job_record_t *job_ptr);
/* Is it known whether these nodes could ever hold the job? */
extern bool flavor_was_tried(const struct entry *entry, int flavor, uint64_t valid);
/* Note the answer; if they can't hold it, the job's demand is made anew. */
extern void flavor_note_trial(struct entry *entry, int flavor, uint64_t valid, bool can_ever);

#endif /* COHORT_MATCH_FLAVOR_NODES_H */
