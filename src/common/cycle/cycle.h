/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle.h - one scheduling cycle of one tree
 *
 * Kueue's cycle (doc/how-it-decides.md, section 8): every queue sends its head.
 *
 * The head of a queue (section 3): with StrictFIFO it is the first workload that is not
 * done; shapes that can never go are inadmissible. With BestEffortFIFO it is the first
 * workload whose shape has not become inadmissible. No workload is moved or marked: a queue
 * has a cursor in its line. Where usage counts, each start of the plan changes the order of
 * its local queues: there a queue has a heap of its shapes, each with a cursor.
 */
#ifndef COHORT_CYCLE_H
#define COHORT_CYCLE_H

#include "core/withheld.h"
#include "nomination/nomination.h"

/* ---- heads (queue_heads.c) ---- */

/* From now on all waiting workloads of the tree are active and undecided, in the plan of
 * that new number. -1 with e->no_memory set. */
int heads_begin(struct engine *e, struct tree *tree, uint64_t plan);

/* The head of the queue, or NULL */
struct workload *heads_get(struct queue *q);

/* The rest of the shape has no chance in this plan. */
void heads_drop_shape(struct queue *q, struct shape *shape);

/* A dropped shape gets another chance. */
void heads_revive_shape(struct queue *q, struct shape *shape);

/* One that was decided about is undecided again. */
void heads_return(struct workload *w);

/* This plan tries no more workloads of the queue. */
void heads_stop(struct queue *q);

/* ---- the order of their turns (order.c) ---- */

/* A head in a cycle */
struct entry {
	struct workload *w;
	struct queue *q;
	struct nominee nominated;
	struct nominee final;
	size_t order;
	enum outcome outcome;
	bool recomputed;
	bool fits_later;	/* it fits without the victims of earlier heads */
	bool others_evict;	/* it evicts, or a member of its bond that goes with it does */
};

/* The next head that had no turn yet, by the books as they are now. Classical (section 8): heads
 * that borrow from nearer first, then priority, then time. Fair sharing (section 7): a tournament
 * of the lowest shares. NULL if all had their turn. `sorted` is room for n pointers, kept between
 * calls; *left is how many are still in it. */
struct entry *order_next(struct engine *e, const struct tree *tree,
			 struct entry **sorted, size_t *left);

/* Before the first order_next() of a cycle: sorted[i] = &entries[i] */
void order_begin(struct engine *e, const struct tree *tree, struct entry **sorted, size_t n);

/* Of two heads that borrow at the same level, or have equal shares: a is considered first.
 * Higher priority, then earlier. */
static inline bool is_more_urgent(const struct workload *a, const struct workload *b)
{
	if (a->shape->priority != b->shape->priority)
		return a->shape->priority > b->shape->priority;
	if (a->queue_order_at != b->queue_order_at)
		return a->queue_order_at < b->queue_order_at;
	return a->tiebreak < b->tiebreak;
}

/* ---- a cycle (tree_cycle.c) ---- */

/* Nominates the head of every queue of the tree, and decides about each in its turn.
 * entries[0..*n) are in the order of their turns and live in e->arena; the books are as before.
 * No workload is moved: that is up to the caller. -1 with e->no_memory set. */
int cycle_run(struct engine *e, struct tree *tree, int64_t now,
	      struct entry ***entries, size_t *n);

/* Nominates the workload of the entry while what its queue withholds is not in the books:
 * nominated, and the same as `final`. -1 with e->no_memory set. */
int entry_nominate(struct engine *e, struct entry *entry, int64_t now);

/* An array is the only entry of a cycle that starts: its next tasks need no cycle as long
 * as all other heads would fail again, and the next task fits in the same flavors, from as
 * far away, when those before it have had their turns. */
bool cycle_others_fail_again(const struct engine *e, struct entry *const *turns,
			     size_t n, const struct entry *entry);
bool cycle_fits_again(struct engine *e, struct entry *const *turns, const struct entry *entry);

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

#endif /* COHORT_CYCLE_H */
