/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.h - in which order the heads of a tree get their turn
 */
#ifndef COHORT_ORDER_H
#define COHORT_ORDER_H

#include "nomination/nomination.h"

/* A head in a cycle */
struct entry {
	struct workload *w;
	struct queue *q;
	struct nominee nominated;
	struct nominee final;
	size_t order;
	enum outcome outcome;
	bool recomputed;
	bool fits_later;	/* it fits without the victims of earlier
				 * heads */
	bool others_evict;	/* it evicts, or a member of its bond that goes
				 * with it does */
};

/* The next head that had no turn yet, by the books as they are now. Classical
 * (section 8): heads that borrow from nearer first, then priority, then time.
 * Fair sharing (section 7): a tournament of the lowest shares. NULL if all had
 * their turn. `sorted` is room for n pointers, kept between calls; *left is how
 * many are still in it. */
struct entry *order_next(struct engine *e, const struct tree *tree,
			 struct entry **sorted, size_t *left);

/* Before the first order_next() of a cycle: sorted[i] = &entries[i] */
void order_begin(struct engine *e, const struct tree *tree,
		 struct entry **sorted, size_t n);

/* Of two heads that borrow from equally near, or have equal shares: a has its turn first.
 * Higher priority, then earlier. */
static inline bool is_more_urgent(const struct workload *a,
				  const struct workload *b)
{
	if (a->shape->priority != b->shape->priority)
		return a->shape->priority > b->shape->priority;
	if (a->queue_order_at != b->queue_order_at)
		return a->queue_order_at < b->queue_order_at;
	return a->tiebreak < b->tiebreak;
}

#endif /* COHORT_ORDER_H */
