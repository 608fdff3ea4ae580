/* SPDX-License-Identifier: GPL-2.0-or-later */
/*****************************************************************************\
 *  packing.h - jobs that borrow share nodes with jobs that borrow
\*****************************************************************************/
#ifndef COHORT_PLACEMENT_PACKING_H
#define COHORT_PLACEMENT_PACKING_H

#include "placement/place.h"

/* How often cons_tres is asked for other nodes at most, and once more for the first
 * nodes if no others will do */
#define PACKING_TRIES 2

/* Looks for a topology that slurm.conf does not name: where there is one, the nodes
 * of a job on several nodes are left to cons_tres. It looks at a file beside
 * slurm.conf. */
extern void packing_find_topology(void);
/* Has cons_tres selected several nodes, p->node_bitmap, by their places in a
 * network? */
extern bool packing_network_chooses(const struct place *p);
/* May the nodes that cons_tres has selected, p->node_bitmap, be changed for others?
 * Not where the site or the job says how nodes are to be chosen. */
extern bool packing_may_change(const struct place *p);
/* Leave in `nodes` (all those that p may use) those of a try, 0 the best. False:
 * `selected`, what cons_tres chose unasked, is as good as those would be, or there
 * are too few. */
extern bool packing_narrow(const struct place *p, bitstr_t *selected, int try, bitstr_t *nodes);
/* Are these as good as what cons_tres chose unasked, but for borrowers? */
extern bool packing_costs_nothing(bitstr_t *nodes, bitstr_t *selected);

/* How many times counts what it loses when that job is evicted for p (lentNodeWeight):
 * 1 on nodes that another job, within its quota, keeps from being whole anyway */
extern int64_t packing_loss_weight(const struct place *p, const job_record_t *victim);

#endif /* COHORT_PLACEMENT_PACKING_H */
