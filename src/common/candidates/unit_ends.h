/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit_ends.h - when the first unit of a queue may go, as far as min-runtimes and turns
 * keep it: for ends.c
 */
#ifndef COHORT_UNIT_ENDS_H
#define COHORT_UNIT_ENDS_H

#include "core/engine_state.h"
#include "holding/holding.h"

/* The min-runtimes that may be at work in a tree */
struct runtimes {
	int64_t shortest, longest;
	int64_t of_any;			/* the shortest one that may be at work on a
					 * member of a unit, wherever that is */
	int64_t turn;			/* the longest turn of any queue; or
					 * SPEC_NO_TIME */
};

/* No unit of the holdings below that node, by when they began, may go sooner for a preemptor
 * of another queue, of those that a min-runtime or a turn keeps. INT64_MAX: there are
 * none. Exemptions may keep them for longer, and others until then. */
int64_t first_unit_end(const struct engine *e, const struct rank_node *root,
		       const struct runtimes *r, int64_t now);

#endif /* COHORT_UNIT_ENDS_H */
