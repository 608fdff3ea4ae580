/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.h - waiting workloads that are decided about together
 */
#ifndef COHORT_BOND_H
#define COHORT_BOND_H

#include "core/workload_state.h"

struct bond {
	struct bond *next, **link;	/* of all */
	enum bond_kind kind;
	struct workload *members;	/* in the order they were bonded */
	size_t nmembers;
	bool judged;			/* `never` is up to date */
	const struct workload *never;	/* if there can never be room for all of
					 * them: the one that is too much; else
					 * NULL */
	struct verdict verdict;		/* of that one */
	/* plan/bonds.c, in a plan: */
	bool gives_way;			/* it holds up no other job */
	bool waits;			/* for other jobs to pass, */
	bool in_vain;			/* ... and these do not wait so */
	bool gave_up;			/* for another one, in the list of these */
	struct bond *next_waiting, *next_gave_up;
};

/* The workload starts or is removed. A member that is left alone has no bond
 * any more. */
void bond_leave(struct engine *e, struct workload *w);

/* The workload asks for something else, or in another queue. */
void bond_change(struct workload *w);

/* The workload whose verdict says why this one waits: the member of its bond
 * that can't go, or itself */
const struct workload *bond_cause(const struct workload *w);

/* A workload that waits for others of its bond holds up a StrictFIFO queue, as
 * long as there is hope, and unless it gives way. */
bool bond_blocks(const struct workload *w);

#define for_each_member(m, bond) \
	for (struct workload *m = (bond)->members; m; m = m->rare->bond_next)

static inline bool bond_is_together(const struct workload *w)
{
	return workload_bond(w) && w->rare->bond->kind == BOND_TOGETHER;
}

#endif /* COHORT_BOND_H */
