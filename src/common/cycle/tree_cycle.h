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
 * with e->no_memory set.
 *
 * Where one entry starts and all others fail, the cycles that follow could only
 * start one task after the other of an array. entry->repeats says how many may
 * go at once, because all others would fail again meanwhile, or because there
 * are no others. */
int cycle_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n);

/* entry_goes(): it starts or preempts. entry_fails(): it can do neither,
 * whatever the others do. */
static inline bool entry_goes(const struct entry *entry)
{
	return entry->outcome == OUTCOME_ADMITTED
	       || entry->outcome == OUTCOME_PREEMPTING;
}

static inline bool entry_fails(const struct entry *entry)
{
	return entry->outcome == OUTCOME_NOFIT
	       || entry->outcome == OUTCOME_NO_CANDIDATES;
}

/* A head of a BestEffortFIFO queue that fails is set aside with its shape:
 * Kueue calls it inadmissible. resume: not if some flavors were not tried. */
bool entry_is_inadmissible(const struct entry *entry, bool resume);

#endif /* COHORT_TREE_CYCLE_H */
