/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_cycle.h - one scheduling cycle of one tree
 *
 * Kueue's cycle (doc/how-it-decides.md, section 8): every queue sends its head.
 */
#ifndef COHORT_TREE_CYCLE_H
#define COHORT_TREE_CYCLE_H

#include "core/withheld.h"
#include "cycle/order.h"

/* Nominates the head of every queue of the tree, and decides about each in its
 * turn. entries[0..*n) are in the order of their turns and live in e->arena;
 * the books are as before. No workload is moved: that is up to the caller. -1
 * with e->no_memory set. */
int cycle_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n);

/* An array is the only entry of a cycle that starts: its next tasks need no cycle as long
 * as all other heads would fail again, and the next task fits in the same flavors, from as
 * far away, when those before it have had their turns. */
bool cycle_others_fail_again(const struct engine *e, struct entry *const *turns,
			     size_t n, const struct entry *entry);
bool cycle_fits_again(struct engine *e, struct entry *const *turns,
		      const struct entry *entry);

/* The largest borrow level of the uses */
int uses_borrow_level(const struct engine *e, const struct queue *q,
		      const struct use *uses, size_t n);

/* A head of a BestEffortFIFO queue that fails is set aside with its shape: Kueue calls it
 * inadmissible. */
static inline bool entry_is_inadmissible(const struct entry *entry)
{
	return entry->q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO
	       && outcome_fails(entry->outcome);
}

#endif /* COHORT_TREE_CYCLE_H */
