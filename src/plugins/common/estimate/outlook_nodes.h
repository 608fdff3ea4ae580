/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  outlook_nodes.h - the nodes of a cluster that is played forward
\*****************************************************************************/
#ifndef COHORT_ESTIMATE_OUTLOOK_NODES_H
#define COHORT_ESTIMATE_OUTLOOK_NODES_H

#include "state/state.h"

struct sim;

/* How much of each resource the nodes of each flavor have */
extern void outlook_take_nodes(struct sim *sim);
/* What jobs outside all cluster queues use of these amounts. False: no
 * memory */
extern bool outlook_take_others(struct sim *sim);

#endif /* COHORT_ESTIMATE_OUTLOOK_NODES_H */
