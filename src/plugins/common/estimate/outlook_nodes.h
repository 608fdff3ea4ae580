/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook_nodes.h - the nodes of a cluster that is played forward
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_OUTLOOK_NODES_H
#define COHORT_ESTIMATE_OUTLOOK_NODES_H

#include "state/state.h"

struct sim;

/* How much of each resource the nodes of each flavor have; returns a digest */
extern uint64_t outlook_take_nodes(struct sim *sim);
/* Is any node available? None is until the first one has answered after a start of
 * slurmctld. Node lock: read */
extern bool outlook_any_nodes(void);
/* True if other nodes are available (they answer, and are neither down nor drained) than
 * at the last call. Node lock: read; one caller at a time */
extern bool outlook_nodes_changed(void);
/* What jobs outside all cluster queues use of these amounts; adds to *digest.
 * False: no memory */
extern bool outlook_take_others(struct sim *sim, uint64_t *digest);

#endif /* COHORT_ESTIMATE_OUTLOOK_NODES_H */
