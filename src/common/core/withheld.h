/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * withheld.h - quota of a queue that a plan keeps from other queues
 *
 * For workloads that have quota but no nodes (doc/how-it-decides.md, section
 * 9), and for those with victims that are protected for a while (section 6). It is
 * in the books as far as it is free of the queue's nominal quota, and lifted
 * while the queue's own workloads are considered.
 */
#ifndef COHORT_WITHHELD_H
#define COHORT_WITHHELD_H

#include "core/engine_state.h"

/* That much more, or less, is wanted for the queue from now on, and booked. */
void withheld_add(struct engine *e, struct queue *q, const struct use *uses,
		  size_t n);
void withheld_drop(struct engine *e, struct queue *q, const struct use *uses,
		   size_t n);

/* Between plans, when nothing is in the books: none of that shape waits any
 * more, and nothing is kept for it. */
void withheld_forget_shape(struct shape *s);

/* In a trial: wanted is what it was when the last plan gave the turn of that
 * rank. Not booked yet. */
void withheld_rewind(struct engine *e, struct queue *q, uint64_t rank);

/* Takes it out of the books; books it, by the queue's usage as it is now; the
 * same if it is booked, after that usage has changed. */
void withheld_lift(struct engine *e, struct queue *q);
void withheld_book(struct engine *e, struct queue *q);
void withheld_renew(struct engine *e, struct queue *q);

#endif /* COHORT_WITHHELD_H */
