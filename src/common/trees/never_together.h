/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never_together.h - components of a job that can never go together
 */
#ifndef COHORT_NEVER_TOGETHER_H
#define COHORT_NEVER_TOGETHER_H

struct engine;


/* Before a plan: finds the bonds of components (BOND_TOGETHER) that cannot
 * start on empty books, because one of them or all together are too much. Notes
 * which component is too much (bond->never, bond->verdict). Touches the trees
 * of those bonds for which that has changed. Each bond is judged once, until it
 * is changed. -1: no memory to judge all. */
int never_find_bonds(struct engine *e);

#endif /* COHORT_NEVER_TOGETHER_H */
