/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.h - quota in use: the running workloads of a queue, in order
 */
#ifndef COHORT_HOLDING_H
#define COHORT_HOLDING_H

#include "core/engine_state.h"
#include "quota/minruntime.h"

void holdings_init(struct queue *q);

/* Starts that are not known count as `now`: puts those where they belong */
void holdings_renew(struct queue *q, int64_t now);

/* When it may be evicted, by its min-runtime or by the caller's word; INT64_MAX:
 * never. A start in the future, as clocks have it, protects nobody by itself. */
static inline int64_t holding_protected_until(const struct holding *h,
					      int64_t runtime, int64_t now)
{
	if (holding_spent(h))
		return INT64_MAX;
	if (runtime <= 0)
		return h->exempt_until;
	return max64(h->exempt_until,
		     minruntime_until(h->reserved_at ? h->reserved_at : now,
				      runtime));
}

/* In queues and trees that have some of these searches ask who is protected,
 * whatever the min-runtimes are: not to be evicted by the caller's word, evicted
 * too often, or in a unit with others that may be. by: 1 or -1, when it is
 * listed, and around a change of that. */
void holding_count(struct holding *h, int by);

/* The pairs that its uses are of, after these have changed */
void holding_mark_pairs(struct holding *h);

/* Into and out of the list of its queue; the books are not touched */
void holding_list(struct holding *h, struct queue *q);
void holding_unlist(struct holding *h);

#endif /* COHORT_HOLDING_H */
