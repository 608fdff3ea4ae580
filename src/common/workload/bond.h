/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bond.h - waiting workloads that are not decided about one by one
 */
#ifndef COHORT_BOND_H
#define COHORT_BOND_H

#include "core/engine_state.h"

struct bond {
	struct bond *next, **link;	/* of all */
	enum bond_kind kind;
	struct workload *members;	/* in the order they were bonded */
	size_t nmembers;
	int chances;			/* bonds.c: that it has had */
	bool judged;			/* `never` is up to date */
	const struct workload *never;	/* all of them: the one for which there
					 * can never be room, or NULL */
	struct verdict verdict;		/* of that one */
	bool gives_way;			/* crossed_lines.c: it holds up nobody */
	bool gave_way;			/* while it waits; before the last plan */
	bool placed;			/* crossed_lines.c: in no line any more */
	struct place *places;		/* in lines, */
	size_t nplaces;			/* so many, */
	size_t nfirst;			/* and first in so many */
	struct bond *next_ready;
};

/* The workload starts or goes; one that is left alone is bonded no more. */
void bond_leave(struct engine *e, struct workload *w);

/* It asks for something else, or for someone else's. */
void bond_change(struct workload *w);

/* Whose verdict says why this one waits: the other one of its bond that can't
 * go, or itself */
const struct workload *bond_cause(const struct workload *w);

/* One that waits for others of its bond holds up a StrictFIFO queue, as long
 * as there is hope, and unless it gives way. */
bool bond_blocks(const struct workload *w);

static inline bool bond_is_together(const struct workload *w)
{
	return w->bond && w->bond->kind == BOND_TOGETHER;
}

#endif /* COHORT_BOND_H */
