/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fronts.h - the queues of a tree in the order of their first candidates
 *
 * The candidates of a queue stand in the order in which searches take them, so
 * no queue has a better one than the first of what it holds: its front. The
 * front of a cohort is the best one of its children. Each cohort knows its
 * children in the order of their fronts. So a search opens the stream of a queue
 * no sooner than it may come to it, looks into no cohort that has nothing to
 * give, and ends where no front can be a candidate.
 *
 * Holdings do not change in a cycle: the order holds for one cycle. It has the
 * queues that borrow, or did so since the cycle began. A search needs preemption in some
 * pairs only. Where the fronts of many queues use others, there are orders for these
 * pairs, too: of the queues that borrow one of them, by what uses it.
 */
#ifndef COHORT_FRONTS_H
#define COHORT_FRONTS_H

#include "candidates/candidate.h"
#include "core/tree_state.h"

/* A child of a cohort */
struct front {
	struct holding *h;
	int node;
};

/* A cohort that a walk has come to, and how far it is there */
struct front_cursor {
	struct holding *h;		/* front of the next child */
	size_t next;
	int cohort;
	int lca;			/* where candidates of this child meet
					 * the preemptor */
};

/* From now on nothing is listed or unlisted in the tree, until fronts_end().
 * There are no fronts (e->searches->fronts is NULL) with fair sharing, before time 0, or
 * without memory (e->no_memory). */
void fronts_begin(struct engine *e, const struct tree *tree, int64_t now);
void fronts_end(struct engine *e);

/* The same, but the first search begins them, when it asks whether they come. */
void fronts_await(struct engine *e);
bool fronts_come(const struct search *s);

/* The queue may use more than it did. Not for what a search tries. Tells ends.h, too. */
void fronts_note(struct engine *e, struct queue *q);

/* The first holding of the queue that may be a candidate, if none before `from` may:
 * it is there, not protected from everybody, and uses one of the pairs. NULL: there is none,
 * or the queue borrows none of these pairs. And the order in which searches take
 * holdings: < 0, 0, > 0 */
struct holding *front_first(const struct engine *e, struct queue *q,
			    struct holding *from, const struct needed_pairs *of);
int front_order(const struct holding *a, const struct holding *b);

/* A min-runtime, or its exemption, protects it from whoever may ask in this cycle, but for
 * its own queue. */
bool front_is_safe(const struct searches *all, const struct holding *h);

/* h has gone for the rest of the cycle. If searches find it out of the books, it is so
 * now. Others of its unit may stay fronts: no better candidate comes before them. */
void fronts_leave(struct engine *e, struct holding *h);

/* Something was listed in the queue after all, which may use more than it did. */
void fronts_list(struct engine *e, struct queue *q);

/* The walks of the search follow the order of the pairs that it needs, if there is one
 * (s->fronts). If walks have gone astray as often as there are queues, it is made. */
void fronts_choose(struct search *s);

/* Is there another order than that of all pairs, or may there be? */
static inline bool fronts_have_choice(const struct search *s)
{
	const struct searches *all = s->e->searches;

	return all->norders || all->astray >= s->q->tree->nqueues;
}

/* The two walks of a search over the queues by their fronts, but for the
 * preemptor's own one: s->hierarchy, over those that it meets in the cohort
 * `advantage` or above, and s->others, over those that it meets below. Both are
 * above its queue, or SPEC_NONE: there are none. false: no memory */
bool walks_begin(struct search *s, int advantage, int others);
/* Both from their beginning, on the books as they are */
void walks_rewind(struct search *s);

/* The walk over the others ends where candidates would have to keep the preemptor within
 * nominal quota: it borrows. Or it does not end there any more. */
void walk_limit(struct search *s, bool borrows);

/* The highest priority that policies let the search evict; see candidates_end() */
int64_t highest_allowed(const struct search *s);

/* Is no candidate that the walk has still to come to better than c? */
bool walk_is_behind(const struct search *s, const struct front_walk *walk,
		    const struct candidate *c);

/* Opens the stream of the next queue with candidates. NULL: there is none. */
struct stream *walk_open(struct search *s, struct front_walk *walk);

#endif /* COHORT_FRONTS_H */
