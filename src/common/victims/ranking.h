/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking.h - fair sharing: the queues of a flat cohort by how much they borrow
 *
 * The queue that gives first has the largest share, and of equal shares the best
 * candidate; that is none better than the front of the queue (fronts.h). So a
 * search opens a queue no sooner than it may come to it. The ranking holds for
 * one cycle; what has changed since is put in its place before each search.
 */
#ifndef COHORT_RANKING_H
#define COHORT_RANKING_H

#include "victims/candidate.h"

struct ranked {
	struct share share;
	struct holding *front;		/* NULL: the queue does not borrow, or
					 * holds nothing */
	struct queue *q;
};

/* From now on nothing is listed or unlisted in the tree, until ranking_end(). No
 * ranking (e->searches->ranked is NULL) without fair sharing, where there are cohorts below
 * the root, if a search has to know all that is protected, or without memory
 * (e->no_memory). */
void ranking_begin(struct engine *e, const struct tree *tree, int64_t now);
void ranking_end(struct engine *e);

/* Before a search: all in their places, by the books as they are. The search has
 * its ranking from then on, if there is one. */
void ranking_renew(struct search *s);

/* May the next queue of the ranking give before a queue with this share and
 * this first candidate? NULL: no other queue gives */
bool ranking_precedes(const struct search *s, const struct share *share,
		      const struct candidate *head);

/* Opens the stream of the next queue. NULL: it has no candidates. */
struct stream *ranking_open(struct search *s);

#endif /* COHORT_RANKING_H */
