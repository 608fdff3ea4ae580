/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cross.h - heterogeneous jobs that would wait for each other for ever
 */
#ifndef COHORT_CROSS_H
#define COHORT_CROSS_H

#include "state/state.h"

/* Before a plan: finds who gives way (bond->gives_way), and touches the trees
 * of those for whom that has changed. O(n log n) in the components that wait
 * in StrictFIFO queues. */
void bonds_find_crossed(struct engine *e);

#endif /* COHORT_CROSS_H */
