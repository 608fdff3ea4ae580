/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_totals.h - how much of each resource the nodes of a flavor have
 */
#ifndef SCOHORT_CLUSTER_TOTALS_H
#define SCOHORT_CLUSTER_TOTALS_H

#include "check/cluster.h"
#include "slurm/api.h"

/* Fills cluster->totals, which stay NULL without memory. Partitions are taken
 * from the nodes. Asks slurmctld for licenses. */
void cluster_totals_load(struct cluster *cluster, const struct conf *conf,
			 const node_info_msg_t *nodes);

#endif /* SCOHORT_CLUSTER_TOTALS_H */
