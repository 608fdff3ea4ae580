/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking.h - fair sharing: the children of each cohort by how much they borrow
 *
 * The child that gives first has the largest share. Of equal shares cohorts come
 * first; of queues, the one with the best candidate, and that is none better than
 * the front of the queue (fronts.h). So a search comes to a queue no sooner than it
 * may need it: ranking_walk.h.
 *
 * The ranking holds for one cycle. A search needs preemption in some pairs only. Where
 * the fronts of many queues use others, there are rankings for these pairs, too: of the
 * queues that borrow one of them, by what uses it.
 *
 * The ranking is kept up with the books. Before each search, nodes whose usage has changed
 * since the last one (share_watch()) are put in their places: each costs the
 * logarithm of the number of its siblings, and the others nothing.
 */
#ifndef COHORT_RANKING_H
#define COHORT_RANKING_H

#include "lib/container.h"
#include "candidates/candidate.h"
#include "victims/leasts.h"

/* A child of a cohort. A cohort is in the ranking if it borrows; a queue, if it
 * holds something, too. */
struct ranked {
	struct rank_node place;
	struct share share;
	struct share kept;		/* what is left of it without any of its
					 * jobs, at the least. With history: the
					 * most that may become of that */
	struct share most_kept;		/* of all at or below this place */
	int64_t lowest;			/* priority of its front, INT64_MIN: that is
					 * on the way out. A cohort: no front below
					 * it has a lower one */
	int64_t lowest_below;		/* of all at or below this place */
	struct holding *front;		/* NULL: a cohort, or it is not in the
					 * ranking */
	struct queue *q;		/* NULL: a cohort */
	int node, slot;
	bool is_in;
	bool counted;			/* a queue: in the leasts of the cohorts
					 * above, whatever it uses */
};

/* The children of a cohort, and how far a search came there */
struct ranking {
	struct rankset set;
	uint64_t search;		/* the number of that search */
	bool again;			/* it is in its second pass, */
	bool refused;			/* which comes to those that the first one
					 * has passed over, here or below */
	struct ranked *next;		/* the next one, */
	struct ranked *last;		/* and the one before which it ends;
					 * NULL: at the end */
	bool whole;			/* the first pass refuses all below it */
	struct leasts *leasts;		/* of queues below it that borrow, or did
					 * so since the cycle began */
};

static inline struct ranked *ranked_at(const struct rank_node *place)
{
	return place ? container_of(place, struct ranked, place) : NULL;
}

/* The place in the ranking of a cohort; both are there. */
bool ranked_is_before(const struct ranked *a, const struct ranked *b);

/* From now on nothing is listed or unlisted in the tree, until ranking_end(). No
 * ranking (e->searches->nranks is 0) without fair sharing, for a queue without
 * a cohort, or without memory (e->no_memory). */
void ranking_begin(struct engine *e, const struct tree *tree, int64_t now);
void ranking_end(struct engine *e);

/* h, with its unit, has gone for the rest of the cycle. */
void ranking_leave(struct engine *e, const struct holding *h);

/* A search has taken h, with its unit, out of the books. Where queues keep quota to
 * themselves, what else it takes there may leave their cohorts more. */
void ranking_recount(struct search *s, const struct holding *h);

static inline void ranking_take(struct search *s, const struct holding *h)
{
	if (s->e->searches->ranks_keep)
		ranking_recount(s, h);
}

/* Before a search: all in their places, by the books as they are. The search has
 * its ranking from then on (s->ranks), if there is one. */
void ranking_renew(struct search *s);

#endif /* COHORT_RANKING_H */
