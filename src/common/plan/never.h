/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never.h - requests above all that there could ever be
 */
#ifndef COHORT_NEVER_H
#define COHORT_NEVER_H

#include "state/state.h"

/* The workload asks for more than its queue can ever have, in every flavor
 * that it may use. *v says in which it comes nearest; else it is left alone. */
bool never_fits(const struct engine *e, const struct workload *w,
		struct verdict *v);

/* Before a plan: which bonds of components (BOND_TOGETHER) can't start on
 * books that are empty, one of them or all together. Each is looked at once,
 * until it is changed. */
void never_judge_bonds(struct engine *e);

#endif /* COHORT_NEVER_H */
