/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refused.h - heads that need not be nominated, as they ask for more than one
 * that was refused
 *
 * In a queue with thousands of shapes nearly all of them fail in each plan. One
 * that asks for as much of a pair as another did, and has no more right to evict,
 * fails as well, as long as the books are the same. This changes no answer, only
 * what it costs.
 */
#ifndef COHORT_REFUSED_H
#define COHORT_REFUSED_H

#include "plan/plan.h"

/* Before a cycle: drops the shape of each head that is known to fail, with the
 * reason. Its queue has no head in this cycle; if no queue has one, the next heads are looked
 * at. Otherwise it would be dropped in its turn: so nobody who has a turn may look at the
 * heads of other queues. 1 if there are any, else 0. */
int refused_drop(struct plan *p);

/* After a cycle in which nothing happened but that shapes were dropped: what was
 * refused is known until refused_forget(). Without memory for it, less is
 * known. */
void refused_note(struct plan *p, struct entry *const *entries, size_t n);

/* The books are no longer the same. */
void refused_forget(struct plan *p);

#endif /* COHORT_REFUSED_H */
