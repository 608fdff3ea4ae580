/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * withheld.h - quota of a queue that a plan keeps from other queues
 *
 * It is kept for workloads that have quota but no nodes (doc/how-it-decides.md,
 * section 9), and for workloads whose victims are protected for a while
 * (section 6). It is in the books as far as it is free of the queue's nominal
 * quota, and lifted while the queue's own workloads are considered.
 */
#ifndef COHORT_WITHHELD_H
#define COHORT_WITHHELD_H

#include <stddef.h>
#include <stdint.h>

struct use;
struct engine;
struct shape;
struct queue;
struct tree;

/* From now on the queue wants that much more, or less, and it is booked. Without
 * memory for it e->no_memory is set, and nothing is withheld. */
void withheld_add(struct engine *e, struct queue *q, const struct use *uses,
		  size_t n);
void withheld_drop(struct engine *e, struct queue *q, const struct use *uses,
		   size_t n);
/* As withheld_add(), while what the queue withholds is lifted: withheld_book() books it. */
void withheld_want(struct engine *e, struct queue *q, const struct use *uses,
		   size_t n);
/* Takes back all that was wanted so far, while it is lifted */
void withheld_want_nothing(struct queue *q);

/* A plan begins: nothing is withheld, in no queue of the tree. tree->rebooked is NULL. */
void withheld_reset(struct queue *q);

/* Quota is kept for a shape that was found inadmissible after the turn of that
 * rank, the last one so far. withheld_give_up() ends that. `uses` must last as
 * long as the plan. */
void withheld_keep(struct engine *e, struct shape *s, struct use *uses,
		   size_t n, uint64_t rank);
void withheld_give_up(struct engine *e, struct shape *s);

/* Between plans, when nothing is in the books: no workload of that shape waits
 * any more, and nothing is kept for it. */
void withheld_forget_shape(struct shape *s);

/* In a trial: sets `wanted` to what it was when the last plan gave the turn of
 * that rank. It is not booked yet. */
void withheld_rewind(struct engine *e, struct queue *q, uint64_t rank);

/* withheld_lift() takes it out of the books. withheld_book() books it, by the
 * queue's usage as it is now. withheld_renew() does that again if it is booked,
 * after that usage has changed. */
void withheld_lift(struct engine *e, struct queue *q);
void withheld_book(struct engine *e, struct queue *q);
void withheld_renew(struct engine *e, struct queue *q);

/* By how much less of the pair would be booked if the queue used so much more; it
 * withholds something. */
int64_t withheld_yields(const struct engine *e, const struct queue *q, int pair,
			int64_t more);

/* What the queue uses, and so what it would yield, may be another amount now. */
void withheld_note(struct queue *q);

/* One of the queues for which that was noted, or something was booked or lifted, since
 * they were asked for, each once; NULL: no more */
struct queue *withheld_next_rebooked(struct tree *tree);

#endif /* COHORT_WITHHELD_H */
