/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree_state.h - a cohort tree: what is planned apart from the others
 */
#ifndef COHORT_TREE_STATE_H
#define COHORT_TREE_STATE_H

#include "core/engine_state.h"
#include "lib/arena.h"

struct tree {
	int root;			/* node */
	struct queue **queues;
	size_t nqueues;
	size_t nevicting;		/* holdings on the way out */
	size_t nholdings;
	size_t nwithholding;		/* plan: queues with nwithheld, */
	struct shape *keepers;		/* plan: for which quota is kept, the last
					 * one first, */
	uint64_t kept_before;		/* up to this rank */
	bool needs_renewal;		/* in the list of trees to renew, */
	bool needs_plan;		/* a plan, not only a renewal */
	struct tree *next_to_renew;
	struct workload *owners;	/* in the order in which they came to
					 * own */
	bool has_void;			/* the last plan found a claim of theirs
					 * void */
	struct workload *promised;	/* plan: those that could start or
					 * preempt */
	bool evicts;			/* plan: one of these may preempt */
	int64_t next_expiry;		/* 0: none */
	bool cut;			/* plan: its budget is used up */
	bool goes_on;			/* the plan before was cut off: this one goes
					 * on behind it */
	size_t first;			/* ... with this queue; twice: those that
					 * borrow */
	uint64_t plan;			/* number of the last plan */
	uint64_t covered;		/* workloads that joined before have a
					 * verdict */
	bool lines_seen;		/* crossed_lines.c: they are in the order
					 * of the plan to come */
	bool moves;			/* histories change with time */
	bool resolved;			/* the last plan was not the first one
					 * since the tree needed a plan */
	struct bundle *bundle;		/* tree_bundle.h: one bonds tie it to */
	struct arena arena;		/* lives until the next plan */
};

/* Holdings on the way out count as gone, whatever the policies say of them. As Kueue has it,
 * they do only if they were evicted for an owner, which Kueue does not know. */
static inline bool leaving_counts(const struct engine *e, const struct tree *tree)
{
	return tree->nevicting && (tree->owners || !e->kueue_rules);
}

#endif /* COHORT_TREE_STATE_H */
