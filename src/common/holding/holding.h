/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.h - quota in use: the running workloads of a queue, in order
 */
#ifndef COHORT_HOLDING_H
#define COHORT_HOLDING_H

#include "core/queue_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "lib/hash.h"

/* Bounds of what searches ask of holdings, over all that are at or below a place in their
 * order: a search passes over them if none of them can matter. Those that have left do not
 * count, and only those have times that time protects or sets free. */
struct holding_bounds {
	uint64_t pairs;			/* of all their uses: bit pair % 64 */
	uint64_t kinds;			/* enum holding_kind */
	int64_t lowest_priority;
	int64_t first_exempt, last_exempt;	/* ends of exemptions */
	int64_t first_from, last_from;	/* when they began; INT64_MAX: nobody */
};

enum holding_kind {
	HOLDING_IS_LEAVING = 1,		/* on the way out */
	HOLDING_IS_SPENT = 2,		/* evicted too often */
	HOLDING_IS_ELASTIC = 4,
	HOLDING_HAS_UNIT = 8,
	HOLDING_IS_FIXED = 16,		/* non-preemptible */
	HOLDING_MAY_STAY = 32,		/* whatever the min-runtimes are */
};

/* Quota in use: by a running workload, or in a plan by one that would start. Those of a queue
 * stand in the order in which searches take them: those on the way out first, then by
 * priority, cost, later start, tiebreak. */
struct holding {
	uint64_t pairs;			/* of its uses: bit pair % 64 */
	struct use *uses;
	size_t nuses;
	int64_t priority;
	int64_t reserved_at;		/* 0: now */
	bool evicting;
	bool fixed;			/* non-preemptible: counts as fixed usage */
	bool settled;			/* other queues leave it alone */
	bool gone;			/* trial: out of the books already */
	bool left;			/* plan: gone for the rest of it */
	bool picked;			/* trial: one of those that are asked about */
	bool taken;			/* cycle: victim of an earlier head */
	bool tentative;			/* only in the plan that runs */
	bool promised;			/* tentative: it counts as a start */
	struct elastic *elastic;	/* its group, or NULL */
	struct holding *unit;		/* ring of its unit: evicted together; NULL */
	struct queue *q;
	struct workload *w;
	int64_t exempt_until;		/* the caller's: not evicted before that time */
	int64_t cost;			/* the caller's: of its eviction */
	int64_t ends_by;		/* the caller's: it has ended by then; 0: not known */
	int64_t turn_extra;	/* its turn is longer by that than one of a job that has had none */
	struct charge *charges;		/* its uses as the caller gave them */
	size_t ncharges;
	uint64_t attempt;		/* the attempt that took one of its unit, */
	uint64_t barred;		/* and the search in which it is spared (victims/fair.c) */
	struct holding *next_start;	/* next tentative one of the plan */
	struct rank_node place;		/* in the order of its queue, and bounds of all below it */
	struct holding_bounds below;
};

/* The holding with that place; NULL: NULL */
static inline struct holding *holding_at(const struct rank_node *place)
{
	return place ? container_of(place, struct holding, place) : NULL;
}

/* Those of a queue, in order; */
#define for_each_holding(h, q) \
	for (struct holding *h = holding_at(rankset_first(&(q)->order)); h; \
	     h = holding_at(rankset_next(&h->place)))
/* only those on the way out, which come first */
#define for_each_leaving(h, q) \
	for (struct holding *h = holding_at(rankset_first(&(q)->order)); h && h->evicting; \
	     h = holding_at(rankset_next(&h->place)))

/* It has lost as many runs as its queue allows (maxPreemptions): only pure reclaims evict it */
static inline bool holding_spent(const struct holding *h)
{
	return h->q->spec.max_preemptions > 0
	       && h->w->lost >= h->q->spec.max_preemptions;
}

/* When it began, for orders: an unknown start is later than known ones. */
static inline int64_t holding_start(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : INT64_MAX / 2;
}

/* The time from which it may be evicted, by its min-runtime and by the caller's terms; INT64_MAX:
 * never. A start in the future, which clocks may give, does not protect it by itself. */
static inline int64_t holding_protected_until(const struct holding *h, int64_t runtime, int64_t now)
{
	if (h->fixed)
		return INT64_MAX;
	if (runtime <= 0)
		return h->exempt_until;
	return max64(h->exempt_until, sat_add(h->reserved_at ? h->reserved_at : now, runtime));
}

/* One of those that the bounds are about may be one that no time protects now. */
static inline bool holdings_may_be_free(const struct holding_bounds *b,
					int64_t runtime, int64_t now)
{
	return b->first_from != INT64_MAX && b->first_exempt <= now
	       && (runtime <= 0 || now >= sat_add(b->first_from, runtime));
}

void holdings_init(struct queue *q);

/* Goes through those of a queue, in order or backwards, that may matter: all for which
 * may() holds are among them; may() judges bounds, of many at a time. The one behind h, or
 * with h = NULL the first one; NULL: no more. */
typedef bool (*holdings_may_f)(const struct holding_bounds *below, const void *arg);
struct holding *holdings_next(struct queue *q, struct holding *h, bool backwards,
			      holdings_may_f may, const void *arg);

/* Something has changed of what bounds are about, its uses too, for a holding that is listed. */
void holding_renew(struct holding *h);

/* Puts it among those of the queue, and takes it out; the books are not changed */
void holding_list(struct holding *h, struct queue *q);
void holding_unlist(struct holding *h);

/* ---- units: running workloads that are evicted together, or not at all ----
 * slurmctld evicts all components of a heterogeneous job when one of them is preempted. The
 * holdings of a unit are linked in a ring, in whatever queues they are. One of them is a
 * candidate only if all are, and takes the others along. */

/* Each member of the unit of h, h itself first; just h if it is in no unit */
#define for_each_in_unit(m, h) \
	for (struct holding *m = (h); m; m = m->unit == (h) ? NULL : m->unit)

/* Something about h has changed that may matter wherever its unit has members: trees are
 * planned anew. */
void unit_touch(struct engine *e, struct holding *h);

/* From now on h and `other`, with all of their units, are evicted together. Both are listed.
 * False: they were already. */
bool unit_join(struct holding *h, struct holding *other);

/* h starts to wait, or is removed, and is not listed any more. */
void unit_leave(struct holding *h);

/* Gone, and not only for a cycle: searches pass over it in large steps. */
void unit_set_left(struct holding *h, bool left);

/* Sets the marks of a trial for the whole unit: gone; any other one, which is only looked at */
void unit_set_gone(struct holding *h, bool gone);
#define unit_mark(h, mark, value) \
	do { \
		for_each_in_unit(m_, h) \
			m_->mark = (value); \
	} while (0)

/* ---- elastic groups: they may shrink while they are protected ----
 * KAI's minAvailable: running members of a group in excess of the minimum may
 * be evicted although a min-runtime protects each of them. */

struct elastic {
	struct keyed keyed;		/* by node of the queue */
	struct queue *q;
	int64_t min_available;
	size_t members;			/* running ones, leaving or not */
	int64_t active;			/* of these: not leaving, not taken */
};

/* h joins the group of its queue with that key; the group is created if it is new. From now on the
 * given minimum holds for all members. -1 with errno = ENOMEM. */
int elastic_join(struct engine *e, struct holding *h, uint64_t key, int64_t min_available);

/* h leaves its group. The last member frees the group. */
void elastic_leave(struct engine *e, struct holding *h);

/* May a protected member be evicted? */
static inline bool elastic_has_spare(const struct holding *h)
{
	return h->elastic && h->elastic->active > h->elastic->min_available;
}

/* One member less (-1), as h is on its way out, or taken as a victim in a trial; or one more (1), as
 * it is put back. Nothing changes for one that is on its way out already. */
static inline void elastic_count(struct holding *h, int64_t n)
{
	struct elastic *g = h->elastic;

	if (!g || h->evicting)
		return;
	g->q->nspare -= elastic_has_spare(h);
	g->active += n;
	g->q->nspare += elastic_has_spare(h);
}

#endif /* COHORT_HOLDING_H */
