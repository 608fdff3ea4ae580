/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * never.h - requests that are more than there could ever be
 */
#ifndef COHORT_NEVER_H
#define COHORT_NEVER_H

#include <stdbool.h>

struct bond;
struct engine;
struct verdict;
struct workload;

/* The workload asks for more than its queue can ever have, in every flavor that
 * it may use (doc/how-it-decides.md, sections 2 and 11). If so, *v says in
 * which flavor it comes nearest; else *v is not changed. */
bool never_fits(const struct engine *e, const struct workload *w,
		struct verdict *v);

/* Before the first cycle of a plan: finds out whether the components of the bond can ever
 * start on empty books. Else notes which of them is too much, alone or with the others
 * (bond->never, bond->verdict). 0, or -1 with e->no_memory set. */
int never_find_bond(struct engine *e, struct bond *b);

#endif /* COHORT_NEVER_H */
