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

#include "core/queue_state.h"

/* Each holding of the queue that uses one of these pairs (bit pair % 64) uses as much as
 * that, or more; no pair twice. The queue's, until the next call. Nothing if they have no
 * pair in common, or without memory. O(holdings) once one has gone or its uses have
 * changed, else O(1). */
const struct use *queue_least(struct queue *q, uint64_t pairs, size_t *n);

/* A holding with these uses is listed. queue_least_forget(): one goes, or its uses change. */
void queue_least_lower(struct queue *q, const struct use *uses, size_t n,
		       uint64_t pairs);
void queue_least_forget(struct queue *q);

#endif /* COHORT_LEAST_H */
