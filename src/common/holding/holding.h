/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.h - quota in use: the running workloads of a queue, in order
 */
#ifndef COHORT_HOLDING_H
#define COHORT_HOLDING_H

#include "core/queue_state.h"
#include "lib/container.h"
#include "quota/minruntime.h"

/* Bounds of what searches ask of holdings, over all that are below a node of their ordered
 * set, the node itself among them: a search passes over them if none of them can matter.
 * Those that no time protects or sets free have no times; those that have left do not
 * count. */
struct holding_bounds {
	uint64_t pairs;			/* of all their uses: bit pair % 64 */
	uint64_t kinds;			/* enum holding_kind */
	int64_t lowest_priority;
	int64_t next_exempt;		/* the first end of an exemption, as of
					 * holdings_date(); */
	int64_t first_from, last_from;	/* when those began that are not exempt */
};

enum holding_kind {
	HOLDING_IS_LEAVING = 1,		/* on the way out */
	HOLDING_IS_SPENT = 2,		/* evicted too often */
	HOLDING_IS_ELASTIC = 4,
	HOLDING_HAS_UNIT = 8,
	HOLDING_IS_FIXED = 16,		/* non-preemptible */
};

/* A place in one of the orders of a queue */
struct holding_place {
	struct rank_node node;
	struct holding_bounds below;
};

/* Quota in use: by a running workload, or in a plan by one that would start.
 * The holdings of a queue stand in the order in which searches take them: those
 * on the way out first, then by priority, cost, later reservation, tiebreak. */
struct holding {
	struct holding *next, **link;	/* in the list of its queue */
	uint64_t pairs;			/* of its uses: bit pair % 64 */
	struct use *uses;
	size_t nuses;
	int64_t priority;
	int64_t reserved_at;		/* 0: now */
	uint64_t tiebreak;
	bool evicting;
	bool fixed;			/* non-preemptible: counts as fixed
					 * usage */
	bool settled;			/* other queues leave it alone */
	bool gone;			/* trial: out of the books already */
	bool left;			/* plan: gone for the rest of it */
	bool picked;			/* trial: one of those that are asked
					 * about */
	bool barred;			/* search: it may not go (victims/strategy.h) */
	bool taken;			/* cycle: victim of an earlier head */
	bool tentative;			/* only in the plan that runs */
	bool promised;			/* tentative: it counts as a start */
	struct elastic *elastic;	/* its group, or NULL */
	struct holding *unit;		/* ring of its unit: evicted together;
					 * NULL */
	struct queue *q;
	struct workload *w;
	int64_t queue_order_at;
	int64_t exempt_until;		/* the caller's: not evicted before that
					 * time */
	int64_t cost;			/* the caller's: of its eviction */
	int64_t lost;			/* of its runs, to others than owners */
	int64_t turn_extra;		/* its turn is longer by that than one of a job that
					 * has had none */
	struct charge *charges;		/* its uses as the caller gave them */
	size_t ncharges;
	uint64_t attempt;		/* the attempt that took one of its
					 * unit */
	struct holding *next_start;	/* next tentative one of the plan */
	struct holding_place in_order;	/* of searches */
	struct holding_place by_start;	/* the earliest first */
};

/* It has lost as many runs as its queue allows (maxPreemptions): only pure reclaims evict it */
static inline bool holding_spent(const struct holding *h)
{
	return h->q->spec.max_preemptions > 0
	       && h->lost >= h->q->spec.max_preemptions;
}

void holdings_init(struct queue *q);

/* When it began; if that is not known, the time of the last search */
static inline int64_t holding_reserved_at(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : h->q->unset_at;
}

/* A holding whose start is not known counts as started at `now`: puts all such
 * holdings where they belong */
void holdings_renew(struct queue *q, int64_t now);

/* Bounds tell exemptions that are over at `now` from those that are not: puts that
 * right for all that have ended, or go on again, since the time before */
void holdings_end_exemptions(struct queue *q, int64_t now);

/* Both, if that is not so already. It takes no look at what stays as it is, but where
 * the clock was set back. */
static inline void holdings_date(struct queue *q, int64_t now)
{
	if (q->nunset && q->unset_at != now)
		holdings_renew(q, now);
	if (q->dated_at != now)
		holdings_end_exemptions(q, now);
}

/* The time from which it may be evicted, by its min-runtime and by the caller's
 * terms; INT64_MAX: never. A start in the future, which clocks may give, does
 * not protect it by itself. */
static inline int64_t holding_protected_until(const struct holding *h,
					      int64_t runtime, int64_t now)
{
	if (h->fixed)
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

/* Of all that the queue holds; NULL: nothing. From the first call on, both orders have their
 * bounds. */
const struct holding_bounds *holdings_bounds(struct queue *q);

/* Something has changed of what bounds are about, for a holding that is
 * listed. */
void holding_renew(struct holding *h);

/* Counts the holdings of queues and trees that may be protected whatever the
 * min-runtimes are: by the caller's terms, by what was lost, as it is settled, or
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
