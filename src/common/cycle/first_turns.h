/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first_turns.h - the head that has the first turn, without a look at all others
 *
 * Where only the first turn of a cycle comes to something, the other heads are nominated
 * for nothing. Who does not borrow goes before all that do, so the most urgent head that
 * does not is the first one. Heads that are less urgent do not matter.
 */
#ifndef COHORT_FIRST_TURNS_H
#define COHORT_FIRST_TURNS_H

#include "cycle/tree_cycle.h"

struct first_turns {
	struct engine *e;
	struct tree *tree;
	int64_t now;
	struct workload **heads;	/* a heap, the most urgent one on top */
	size_t n;
	struct entry entry;		/* of the last turn */
};

/* Begins with the heads of a tree, on the books as they are. Until the last turn
 * nothing is booked, listed or decided about but in turns, and no head comes before those
 * that are there. False: whole cycles are needed, as with fair sharing, where usage
 * counts, or where quota is withheld; or e->no_memory is set. */
bool first_turns_begin(struct first_turns *t, struct engine *e,
		       struct tree *tree, int64_t now);

/* The head that has the first turn of a cycle, and what comes of it; see
 * cycle_first_turn(). It lasts until the next call. NULL: it takes a whole cycle to tell, or
 * e->no_memory is set. */
struct entry *first_turns_next(struct first_turns *t);

#endif /* COHORT_FIRST_TURNS_H */
