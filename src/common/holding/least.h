/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.h - what all holdings of a queue use, at the least
 *
 * Fair sharing asks of one candidate after the other what the share of its queue
 * would be without it. If it is too small without the least that any of them
 * uses, it is too small without any of them.
 */
#ifndef COHORT_LEAST_H
#define COHORT_LEAST_H

#include "holding/holding.h"

/* Writes what h uses into less[], no pair twice. There is room for all of
 * it. How many pairs that is */
size_t uses_merge(const struct holding *h, struct use *less);

/* Every holding of the queue uses as much as that, or more; no pair twice. The
 * queue's, until a holding comes, goes or changes. Without memory: nothing, which
 * is always true. O(holdings) after one went or changed, else O(1). */
const struct use *queue_least(struct queue *q, size_t *n);

/* h comes, with its uses; it is not counted yet. */
void queue_least_lower(struct queue *q, const struct holding *h);

#endif /* COHORT_LEAST_H */
