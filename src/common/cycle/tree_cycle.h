/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_cycle.h - one scheduling cycle of one tree
 */
#ifndef COHORT_TREE_CYCLE_H
#define COHORT_TREE_CYCLE_H

#include "core/withheld.h"
#include "cycle/order.h"

/* Nominates the head of every queue of the tree, and decides about each in
 * its turn. entries[0..*n) are in the order of their turns and live in
 * e->arena; the books are as before. Nothing is moved: that is up to the
 * caller. -1 with e->no_memory set. */
int round_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n);

/* After a round: the shape of a head that has no chance is dropped from a
 * BestEffortFIFO queue. Flavors that were not looked at (`resume`) keep it
 * active. True if it was dropped. */
bool round_requeue(struct entry *entry, bool resume);

#endif /* COHORT_TREE_CYCLE_H */
