/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * least.h - what all holdings of a queue use, at the least
 *
 * Fair sharing asks of one candidate after the other what the share of its queue
 * would be without it. If it is too small without the least that any of them
 * uses, it is too small without any of them. What a search does not take, as it began
 * a moment ago, does not matter: jobs that a plan starts would often be the smallest.
 */
#ifndef COHORT_LEAST_H
#define COHORT_LEAST_H

#include "holding/holding.h"

/* Writes what h uses into less[], no pair twice. There is room for all of
 * it. How many pairs that is */
size_t uses_merge(const struct holding *h, struct use *less);

/* Each holding of the queue that is not safe uses as much as that, or more; no pair
 * twice. If `pairs` (bit pair % 64) is not UINT64_MAX: each that uses one of these. Safe
 * are those that began after `safe_after`, unless they are on the way out or their group
 * may shrink: a search would not take them. INT64_MAX: none is. The queue's, until a
 * holding comes, goes or changes. Nothing if all are safe; without memory, too, which is
 * always true. O(holdings) after one that is not safe went or changed, and O(1 + those that
 * are safe no more) else, as long as safe_after does not become less. Those whose start is
 * not known must be dated (holdings_date()). */
const struct use *queue_least(struct queue *q, int64_t safe_after, uint64_t pairs,
			      size_t *n);

/* Frees what is known. */
void queue_least_free(struct queue *q);

/* h comes, with its uses; it is not counted yet. */
void queue_least_lower(struct queue *q, const struct holding *h);

/* h goes, or its uses have changed. */
void queue_least_forget(struct queue *q, const struct holding *h);

/* Holdings of the queue may shrink, or may not any more. */
void queue_least_forget_unsafe(struct queue *q);

#endif /* COHORT_LEAST_H */
