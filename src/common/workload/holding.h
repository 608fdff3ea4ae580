/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.h - quota in use: the running workloads of a queue, in order
 */
#ifndef COHORT_HOLDING_H
#define COHORT_HOLDING_H

#include "core/engine_state.h"
#include "quota/minruntime.h"

void holdings_init(struct queue *q);

/* When it began; if that is not known, the time of the last search */
static inline int64_t holding_reserved_at(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : h->q->unset_at;
}

/* A holding whose start is not known counts as started at `now`: puts all such
 * holdings where they belong */
void holdings_renew(struct queue *q, int64_t now);

/* The time from which it may be evicted, by its min-runtime and by the caller's
 * terms; INT64_MAX: never. A start in the future, which clocks may give, does
 * not protect it by itself. */
static inline int64_t holding_protected_until(const struct holding *h,
					      int64_t runtime, int64_t now)
{
	if (h->fixed || holding_spent(h))
		return INT64_MAX;
	if (runtime <= 0)
		return h->exempt_until;
	return max64(h->exempt_until,
		     minruntime_until(h->reserved_at ? h->reserved_at : now,
				      runtime));
}

static inline struct holding *holding_in_order(const struct rank_node *node)
{
	return container_of(node, struct holding, in_order.node);
}

static inline struct holding *holding_by_start(const struct rank_node *node)
{
	return container_of(node, struct holding, by_start.node);
}

/* The root of the holdings of the queue by when they began; NULL: none. In a
 * queue with turns: by that where neither being on the way out nor priority nor
 * cost decides. The first call puts them in order, so that queues where nobody
 * asks do without. */
const struct rank_node *holdings_by_start(struct queue *q);

/* From the first call on, holdings in the order of searches have their bounds. */
void holdings_know_bounds(struct queue *q);

/* Something has changed of what bounds are about, for a holding that is
 * listed. */
void holding_renew(struct holding *h);

/* Counts the holdings of queues and trees that may be protected whatever the
 * min-runtimes are: by the caller's terms, by the number of evictions, or
 * because others of the unit may be. Searches ask for protection where there
 * are any. by: 1 or -1, when the holding is listed or unlisted, and around a
 * change of these things. */
void holding_count(struct holding *h, int by);

/* Sets the pairs that its uses are of, after the uses have changed */
void holding_mark_pairs(struct holding *h);

/* Puts it into the list of its queue, and takes it out; the books are not
 * changed */
void holding_list(struct holding *h, struct queue *q);
void holding_unlist(struct holding *h);

#endif /* COHORT_HOLDING_H */
