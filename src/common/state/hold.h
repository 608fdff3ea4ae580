/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hold.h - quota of a queue that a plan keeps out of reach of other queues
 *
 * In the books as far as it is free of the queue's nominal quota; lifted while
 * the queue's own workloads are considered.
 */
#ifndef COHORT_HOLD_H
#define COHORT_HOLD_H

#include "state/state.h"

/* `uses` more is kept, or (if take is false) less */
void hold_change(struct engine *e, struct queue *q, const struct use *uses,
		 size_t n, bool take);

/* Between plans, when nothing is in the books: nobody of that shape waits any
 * more, and nothing is kept for it. */
void hold_forget(struct shape *s);

/* In a trial: as it was when the last plan gave the turn of that rank */
void hold_rewind(struct engine *e, struct queue *q, uint64_t rank);

/* Out of the books and into them; into them anew if it is there, after the
 * queue's usage has changed. */
void hold_lift(struct engine *e, struct queue *q);
void hold_put(struct engine *e, struct queue *q);
void hold_follow(struct engine *e, struct queue *q);

#endif /* COHORT_HOLD_H */
