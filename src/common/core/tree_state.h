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
	struct shape *keepers;		/* plan: for which quota is kept, the last one first */
	uint64_t kept_before;		/* ... counts up to this rank */
	bool needs_plan;		/* e->stale is set, too */
	struct workload *owners;	/* in the order in which they came to own */
	bool has_void;			/* the last plan found a claim of theirs void */
	struct workload *promised;	/* plan: those that could start or preempt */
	bool evicts;			/* plan: one of these may preempt */
	int64_t next_expiry;		/* 0: none */
	bool cut;			/* plan: its budget is used up */
	bool goes_on;	/* the plan before was cut off: this one goes on behind it */
	bool partial;			/* the last plan was cut off, or went on so */
	size_t first;			/* ... with this queue; twice: those that borrow */
	uint64_t plan;			/* number of the last plan */
	uint64_t covered;		/* workloads that joined before have a verdict */
	bool moves;			/* histories change with time */
	struct tree *leader;	/* of the trees that bonds tie together; they are planned in one */
	struct tree *next_in_group;	/* from the leader on */
	struct entry **turns;		/* plan: heads of the last cycle, as they had */
	size_t nturns;			/* their turns */
	struct arena arena;		/* lives until the next plan */
};

/* Holdings on the way out count as gone, whatever the policies say of them. As Kueue has it,
 * they do only if they were evicted for an owner, which Kueue does not know. */
static inline bool leaving_counts(const struct engine *e, const struct tree *tree)
{
	return tree->nevicting && (tree->owners || !e->kueue_rules);
}

/* The tree with that root, a node */
struct tree *tree_of_root(const struct engine *e, int root);

/* The tree has to be planned anew. */
void tree_request_plan(struct engine *e, struct tree *tree);

/* The quotas are those of that time; trees in which one has changed have to be planned anew. */
void trees_date(struct engine *e, int64_t now);

#endif /* COHORT_TREE_STATE_H */
