/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * withheld.h - quota of a queue that a plan keeps from other queues
 *
 * Two kinds (doc/how-it-decides.md):
 *
 * - for workloads that have quota but no nodes (section 9). It is in the books as far
 *   as it is free of the queue's nominal quota, and lifted while the queue's own
 *   workloads are considered;
 * - for shapes that wait for quota which is theirs (sections 6 and 8). What is free of
 *   it is not lent: only who would borrow can't have it, so it is not in the books.
 */
#ifndef COHORT_WITHHELD_H
#define COHORT_WITHHELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct use;
struct engine;
struct shape;
struct queue;
struct tree;

/* From now on the queue wants that much more. withheld_book() books it. */
void withheld_want(struct engine *e, struct queue *q, const struct use *uses, size_t n);
/* A plan begins: nothing is in the books for the queue. */
void withheld_reset(struct queue *q);

/* In a trial: what is free of these uses is not lent from now on. The shape was found inadmissible
 * after the turn of that rank, the last one so far. `uses` must last as long as the plan, and
 * become what is free. kept_give_up() ends that; kept_reset() for all of a tree. */
void kept_add(struct engine *e, struct shape *s, struct use *uses, size_t n, uint64_t rank);
void kept_give_up(struct shape *s);
void kept_reset(struct tree *tree);

/* In a trial: as books_available(), but what is kept for others is not there to be
 * borrowed; the uses fit by that. */
int64_t kept_available(struct engine *e, const struct queue *q, int pair);
bool kept_fit(struct engine *e, const struct queue *q, const struct use *uses, size_t n);

/* withheld_lift() takes it out of the books. withheld_book() books it, by the queue's usage as it
 * is now. withheld_renew() does that again if it is booked, after that usage has changed. */
void withheld_lift(struct engine *e, struct queue *q);
void withheld_book(struct engine *e, struct queue *q);
void withheld_renew(struct engine *e, struct queue *q);

#endif /* COHORT_WITHHELD_H */
