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
	size_t members;			/* running ones, leaving or not */
	int64_t active;			/* of these: not leaving, not taken */
};

/* h joins the group of its queue with that key; the group is created if it is
 * new. From now on the given minimum holds for all members. -1 with errno =
 * ENOMEM. */
int elastic_join(struct engine *e, struct holding *h, uint64_t key,
		 int64_t min_available);

/* h leaves its group. The last member frees the group. */
void elastic_leave(struct engine *e, struct holding *h);

/* May a protected member be evicted? */
static inline bool elastic_has_spare(const struct holding *h)
{
	return h->elastic && h->elastic->active > h->elastic->min_available;
}

/* So many members more, or less (n < 0), are neither on their way out nor taken. */
static inline void elastic_count(struct elastic *g, int64_t n)
{
	g->q->nspare -= g->active > g->min_available;
	g->active += n;
	g->q->nspare += g->active > g->min_available;
}

/* h is on its way out, or taken as a victim in a trial; h is put back. Nothing
 * changes for one that is on its way out already. */
static inline void elastic_take(struct holding *h)
{
	if (h->elastic && !h->evicting)
		elastic_count(h->elastic, -1);
}

static inline void elastic_give(struct holding *h)
{
	if (h->elastic && !h->evicting)
		elastic_count(h->elastic, 1);
}

#endif /* COHORT_ELASTIC_H */
