/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  flavor_nodes.h - which nodes are a flavor's
\*****************************************************************************/
#ifndef COHORT_MATCH_FLAVOR_NODES_H
#define COHORT_MATCH_FLAVOR_NODES_H

#include "compat/slurm_compat.h"

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
/* Nodes that have a feature, owned by Slurm; or NULL: none */
extern bitstr_t *flavor_feature_nodes(const char *name);
/* Nodes that are neither down nor drained */
extern bitstr_t *flavor_up_nodes(void);
/* A number that changes whenever any of these has changed, or what flavor_refresh() was told */
extern uint64_t flavor_generation(void);

#endif /* COHORT_MATCH_FLAVOR_NODES_H */
