/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic.h - groups that may shrink while they are protected
 *
 * KAI's minAvailable: running members of a group in excess of the minimum may
 * be evicted although a min-runtime protects each of them.
 */
#ifndef COHORT_ELASTIC_H
#define COHORT_ELASTIC_H

#include "holding/holding.h"
#include "lib/hash.h"

struct engine;

struct elastic {
	struct hash_link link;
	struct queue *q;
	uint64_t key;
	int64_t min_available;
	struct holding *first;		/* of its members: running ones, leaving or
					 * not */
	size_t members;			/* how many these are */
	int64_t active;			/* of these: not leaving, not taken */
	bool may_shrink;		/* as of each member */
	size_t wasted;			/* searches have looked so often at a member
					 * that may not go, as there is no spare */
	struct elastic *next_wasted;	/* more often than it has members */
	struct elastic **wasted_link;	/* NULL: it is not */
};

static inline bool elastic_spares(const struct elastic *g)
{
	return g->active > g->min_available;
}

/* The group has spare members, and none of its holdings is marked for that. */
void elastic_mark(struct elastic *g);

/* The group may have spare members now. */
static inline void elastic_note_spare(struct elastic *g)
{
	if (elastic_spares(g) && !g->may_shrink)
		elastic_mark(g);
}

/* h joins the group of its queue with that key; the group is created if it is
 * new. From now on the given minimum holds for all members. -1 with errno =
 * ENOMEM. */
int elastic_join(struct engine *e, struct holding *h, uint64_t key,
		 int64_t min_available);

/* h leaves its group. The group goes with its last member. */
void elastic_leave(struct engine *e, struct holding *h);

/* May a protected member go? */
static inline bool elastic_has_spare(const struct holding *h)
{
	return h->elastic && elastic_spares(h->elastic);
}

/* A search has looked at h, which may shrink but has no spare. */
void elastic_waste(struct engine *e, const struct holding *h);

/* Outside of trials: groups without spare, at which searches look in vain, are no longer
 * marked. What that costs, and what it costs to mark them again, was wasted before. */
void elastics_settle(struct engine *e);

/* h is on its way out, or taken as a victim in a trial; h is put back. Nothing
 * changes for one that is on its way out already. What is put back in a trial was
 * there before, so then it is marked already. */
static inline void elastic_take(struct holding *h)
{
	struct elastic *g = h->elastic;

	if (!g || h->evicting)
		return;
	g->q->nspare -= g->active == g->min_available + 1;
	g->active--;
}

static inline void elastic_give(struct holding *h)
{
	struct elastic *g = h->elastic;

	if (!g || h->evicting)
		return;
	g->active++;
	g->q->nspare += g->active == g->min_available + 1;
	elastic_note_spare(g);
}

#endif /* COHORT_ELASTIC_H */
