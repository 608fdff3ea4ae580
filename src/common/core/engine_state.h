/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_state.h - the engine as a whole
 *
 * The forest is made of trees (tree_state.h); every tree has its queues
 * (queue_state.h), every queue what it holds (running workloads) and what waits
 * in it (workload_state.h).
 */
#ifndef COHORT_ENGINE_STATE_H
#define COHORT_ENGINE_STATE_H

#include <errno.h>

#include "engine.h"
#include "core/workload_state.h"
#include "lib/arena.h"
#include "lib/hash.h"
#include "quota/books.h"

/* Growing arrays that are kept, */
enum scratch_use {
	SCRATCH_CANDIDATES, SCRATCH_TARGETS, SCRATCH_VICTIMS, SCRATCH_HEADS,
	SCRATCH_TAKEN, SCRATCH_STREAMS, SCRATCH_MERGE, SCRATCH_USES,
	NSCRATCH,
};

/* their memory and how many bytes it has */
struct scratch {
	void *memory;
	size_t size;
};

struct account;
struct minruntime_node;
struct searches;

struct engine {
	struct books *books;
	struct queue *queues;
	size_t nqueues;
	struct tree *trees;
	size_t ntrees;
	struct minruntime_node *runtimes;	/* by node, inherited */
	enum resolve_method resolve;
	enum fair_strategy strategies[2];
	bool fair_sharing, kueue_rules, no_recompute, no_partial;
	int64_t now;			/* of events, see engine_advance() */
	int64_t local_half_life, sampling;
	struct hash shapes, asks, locals, elastics, fixed_groups;
	struct bond *bonds;
	bool stale;			/* a tree needs a plan */
	uint64_t plans;			/* how many plans were made */
	uint64_t plan_budget;		/* see engine_set_plan_budget() */
	uint64_t looks_end;		/* plan: at so many looks its budget is used up; 0: never */
	uint64_t claims;		/* the last number of these */
	uint64_t cut_plans;		/* how many plans used up their budget */
	size_t settled_as_of;		/* how many changes of quotas settled_follow() has seen */

	/* the trial that runs */
	struct arena arena;		/* lives as long as a cycle */
	struct scratch scratch[NSCRATCH];
	int turn_of;	/* fair sharing: node of the queue that had its turn last; SPEC_NONE */
	struct searches *searches;	/* of all searches for victims */
	bool no_memory;
	struct decision undecided;	/* of whom there was no memory to decide; plan/verdict.c */
	struct account *account;	/* NULL: none is kept */
};

/* -1 with that errno */
static inline int failed(int error)
{
	errno = error;
	return -1;
}

/* Room for n objects, which keeps its contents. NULL sets e->no_memory. */
void *scratch_reserve(struct engine *e, enum scratch_use use, size_t n, size_t size);

/* Opens a trial on the books; trial_end() undoes it, and sets e->no_memory if not all that was
 * tried could be written. */
static inline size_t trial_begin(struct engine *e)
{
	return books_try(e->books);
}

static inline void trial_end(struct engine *e, size_t mark)
{
	if (!books_undo(e->books, mark))
		e->no_memory = true;
}

/* Has the plan that runs no more than `rest` of its budget left? looks: so far */
static inline bool budget_is_spent(const struct engine *e, uint64_t looks, uint64_t rest)
{
	return e->looks_end && looks + rest >= e->looks_end;
}

/* ---- what the account is told (account/account.c) ---- */

/* The first workload of the queue begins to wait, or the last one no longer does. */
void account_waits(struct engine *e, const struct queue *q, bool waits);

/* Events happen at that time from now on. */
void account_advance(struct engine *e, int64_t now);

void account_end(struct engine *e);

#endif /* COHORT_ENGINE_STATE_H */
