/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never_together.h - components of a job that can never go at a time
 */
#ifndef COHORT_NEVER_TOGETHER_H
#define COHORT_NEVER_TOGETHER_H

#include "core/engine_state.h"

/* Before a plan: finds the bonds of components (BOND_TOGETHER) that cannot
 * start on books that are empty, one of them or all together, and notes which
 * component is too much (bond->never, bond->verdict). Touches the trees of
 * those for which that has changed. Each bond is looked at once, until it is
 * changed. */
void never_find_bonds(struct engine *e);

#endif /* COHORT_NEVER_TOGETHER_H */
