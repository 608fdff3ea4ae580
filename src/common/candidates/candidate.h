/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.h - what a preemptor might evict, in which order
 */
#ifndef COHORT_CANDIDATE_H
#define COHORT_CANDIDATE_H

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/workload_state.h"

struct tree;


/* The lists of candidates, in the order in which they are used up */
enum candidate_list { LIST_HIERARCHY, LIST_PRIORITY, LIST_OWN };

struct candidate {
	struct holding *h;	/* NULL: none */
	int64_t priority;
	int64_t cost;
	int64_t reserved_at;
	uint64_t tiebreak;
	bool evicting;
	bool expired;		/* own queue, equal priority: its turn is
				 * over */
	bool surplus;		/* protected: usable while its group has more
				 * members than it needs */
	bool keeps_nominal;	/* usable only while the preemptor does not
				 * borrow */
	unsigned char list;
	unsigned char reason;
};

/* Where there are units: no policy lets a search evict one of this priority or a higher
 * one, or one that is in a unit with such a member. See limit_of() */
struct limit {
	bool is_set;
	int64_t priority;
};

static inline bool limit_bars(const struct limit *limit, int64_t highest)
{
	return limit->is_set && highest >= limit->priority;
}

/* What is kept for some searches is about the pairs in which these need preemption, or about
 * all pairs */
struct needed_pairs {
	uint64_t bits;			/* bit pair % 64; UINT64_MAX: all */
	const int *need;		/* these pairs; none: all */
	size_t nneed;
	struct limit limit;		/* of the search: for orders of queues */
};

/* The order of queues for all searches, or for those that need preemption in some
 * pairs: see fronts.h */
struct front_order {
	struct needed_pairs of;
	struct front *fronts;		/* by slot */
	size_t *nfronts;		/* by cohort */
	struct holding **of_queues;	/* by index; NULL: queue->front */
};

#define FRONT_ORDERS 16			/* at most so many at a time */

/* The same with fair sharing: see ranking.h */
struct ranks {
	struct needed_pairs of;
	struct ranked *ranked;		/* by node */
	struct ranking *rankings;	/* by cohort */
};

/* What the searches of an engine share (e->searches), from one to the next */
struct searches {
	uint64_t made;			/* how many searches were made, */
	uint64_t attempts;		/* how many attempts they made, */
	uint64_t looks;			/* at how many holdings they looked */
	bool *need;			/* by pair: it needs preemption */
	struct passed_over passed;	/* by the last search */
	struct giver_heap *givers;	/* fair sharing: by node; givers.h */
	uint64_t passes;		/* numbers given to passes and heaps
					 * of givers */
	struct front *fronts;		/* of the cycle that runs, by slot: see
					 * fronts.h; NULL: none */
	size_t *nfronts;		/* by cohort */
	bool awaited;			/* the first search will begin them */
	struct front_order orders[FRONT_ORDERS];	/* of some pairs */
	size_t norders;
	uint64_t astray;		/* in this cycle: queues that searches came to
					 * in vain, or too early, and that have not
					 * led to an order */
	struct ranks ranks[1 + FRONT_ORDERS];	/* fair sharing: of the cycle that
					 * runs; the first one is of all pairs */
	size_t nranks;			/* 0: there are none */
	bool ranks_lowest;		/* they know the lowest priorities */
	bool ranks_keep;		/* some queue in them keeps quota to itself */
	bool lists_leaving;		/* a cycle runs: */
	struct holding **leaving;	/* those on the way out, but for some that are
					 * gone; NULL: nobody has asked. See
					 * victims/leaving.c */
	size_t nleaving;
	struct end *ends;		/* of the cycle that runs: see ends.h */
	size_t nends;
	int64_t *lowest;		/* of their priorities: a tree */
	size_t nlowest;			/* its leaves */
	size_t behind[4];		/* where each kind ends */
	int64_t safe_after;		/* what began later is protected from all
					 * other queues, by min-runtimes */
};

/* Makes e->searches, for books that are there. -1: no memory. searches_destroy()
 * frees what there is of it. */
int searches_create(struct engine *e);
void searches_destroy(struct engine *e);

/* Where a walk over the queues by their fronts stands, see fronts.h */
struct front_walk {
	struct front_cursor *cursors;	/* a heap: the cohorts that it has come
					 * to */
	size_t n;
	enum candidate_list list;
	int top;			/* where it begins; SPEC_NONE: nowhere */
	int deepest;			/* depth up to which it enters cohorts
					 * that are above the preemptor */
	int64_t highest;		/* priority up to which candidates are of
					 * use */
};

/* A search for victims of one preemptor. The pairs where it needs preemption
 * are marked in searches->need and listed in need[]. */
struct search {
	struct engine *e;
	struct queue *q;
	const struct workload *w;
	uint64_t number;	/* of this search; counts in the life of the
				 * engine */
	int64_t now;
	const struct use *demand;
	size_t ndemand;
	const int *need;
	size_t nneed;
	uint64_t need_pairs;	/* bit pair % 64 */
	struct limit limit;
	bool everybody;		/* find all that may go, not just enough */
	size_t most;		/* everybody: ends with so many; 0: all */
	bool alone;		/* everybody: judges each as if it was the only
				 * one */
	bool picked;		/* only holdings that are marked so */
	bool pure;		/* before any eviction the preemptor's queue is within
				 * nominal quota with the demand: what others lose is a
				 * pure reclaim. everybody: the caller's */
	bool keeps_nominal;	/* it yields: what it takes ends within nominal quota, */
	bool outside_only;	/* or is outside a cohort that owns enough for it */
	uint64_t attempt;	/* number of the attempt that is made */
	bool borrowed;		/* the victims were found for a preemptor that
				 * may borrow */
	struct stream *streams;
	size_t nstreams;
	struct candidate equal;	/* own queue with turns: the next one whose
				 * turn is over, */
	struct candidate other;	/* and the next one of the others */
	bool matters;			/* candidates may be of use that have
					 * no precedence by their place */
	bool by_fronts;			/* streams are opened as they are
					 * needed, in two walks */
	struct front_walk hierarchy, others;
	const struct front *fronts;	/* of the order that they follow, */
	const size_t *nfronts;		/* by cohort */
	bool walked;			/* an attempt has used the walks */
	bool is_ranked;			/* streams are opened as they are
					 * needed: see ranking_walk.h; */
	const struct ranks *ranks;	/* in that order, */
	uint64_t reclaiming;		/* fair: by depth, which branches above the
					 * preemptor have back what they own */
	struct holding **barred;	/* these may not go */
	size_t nbarred;
	bool judges;			/* it passes over queues that the
					 * strategies refuse, */
	bool again;			/* and comes to them once more, */
	bool rest;			/* and to all that it had not come to */
	bool moved;			/* a unit has left: shares of queues
					 * that it has not come to are others */
	bool refused;			/* it has passed over some, */
	bool refused_inner;		/* in a cohort below the root */
	struct candidate *cands;	/* of queues where usage counts, one
					 * after the other */
	size_t ncands;
};

/* The candidates of one queue, one after the other: a later one is not looked
 * at before it is reached */
struct stream {
	struct candidate head;	/* the next one */
	struct queue *q;
	struct holding *rest;	/* the holding after it */
	int64_t runtime;	/* how long a min-runtime protects them */
	int lca;		/* where their branch meets the preemptor's */
	enum candidate_list list;
	enum policy policy;
	bool protects;		/* some may be protected */
	bool turns;		/* of the own queue, which has turns */
	bool ordered;		/* turns or sorted */
	bool by_usage;		/* usage counts: stream_sort() comes before
				 * any job is taken, */
	bool sorted;		/* and has come */
	size_t cands, ncands;	/* sorted: its part of cands[], a heap, */
	size_t nsorted;		/* how many of them are sorted, at its end */
	size_t nth;		/* and how far it came */
	bool refused;		/* fair: the first pass refuses what is left */
	bool moved;		/* it is past its first candidate */
	int retry, last_retry;	/* fair: first and last in the retry list */
};

/* The pairs in which it needs preemption, kept as long as e->arena. false: no memory */
bool needed_pairs_keep(const struct search *s, struct needed_pairs *of);
/* It needs preemption in these pairs, and in no others. */
bool search_needs(const struct search *s, const struct needed_pairs *of);
/* The same, and their limit is its own: an order of queues is for it. */
bool search_follows(const struct search *s, const struct needed_pairs *of);

/* The node is within nominal quota in all pairs that need preemption. */
static inline bool search_is_within_nominal(const struct search *s, int node)
{
	if (!s->e->books->nodes[node].borrowed)
		return true;
	for (size_t i = 0; i < s->nneed; i++) {
		if (books_is_over_nominal(s->e->books, node, s->need[i], 0))
			return false;
	}
	return true;
}

/* Begins with no streams, and with room for one stream of each queue in the
 * tree. false: no memory. */
bool streams_begin(struct search *s);

/* A search for all that may go (`everybody`) is about nodes. It is no reason to
 * take from a queue what it holds within its nominal quota. So: is what h uses
 * borrowed, in its queue and in the cohorts below `lca`? */
bool candidate_borrows(const struct search *s, const struct holding *h,
		       int lca);

/* What a candidate is compared by, apart from its list and its turn */
void candidate_fill(const struct search *s, struct candidate *c,
		    struct holding *h);

/* Neither this holding nor any behind it is a candidate by the policy. */
bool candidates_end(const struct search *s, enum policy policy,
		    const struct holding *h);

/* So it is of those that have no precedence by their place, for a preemptor that
 * borrows; see walk_limit(), too. */
bool candidates_end_borrowing(const struct search *s, const struct holding *h);

/* Opens the stream of the preemptor's own queue, or of another one that its
 * policies allow; `lca` and `advantage` as the classical algorithm has them.
 * None is opened if there are no candidates, or no memory (e->no_memory). */
void stream_open_own(struct search *s);
void stream_open_other(struct search *s, struct queue *q, int lca,
		       bool advantage);

/* stream_survey() only takes note of what is protected in the queue.
 * tree_protects(): may anything be protected in another queue? */
void stream_survey(struct search *s, struct queue *q);
bool tree_protects(const struct engine *e, const struct tree *tree,
		   int64_t now);

/* The stream of the preemptor's queue; NULL if there is none */
static inline struct stream *stream_own(const struct search *s)
{
	return s->q->searched == s->number ? s->q->stream : NULL;
}

/* by_usage: while a stream is only looked at, only its head is known, in the
 * usual order. From now on the candidates of the local queue that has used more
 * come first. */
void stream_sort(struct search *s, struct stream *st);

/* Moves on to the next candidate; moves back to the first */
void stream_next(struct search *s, struct stream *st);
void stream_rewind(struct search *s, struct stream *st);

/* No candidate of the stream can be used while the preemptor borrows. */
bool stream_keeps_nominal(const struct search *s, const struct stream *st);

/* a is evicted in preference to b. */
static inline bool candidate_before(const struct candidate *a,
				    const struct candidate *b)
{
	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->list != b->list)
		return a->list < b->list;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->expired != b->expired)
		return a->expired;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->reserved_at != b->reserved_at)
		return (a->reserved_at < b->reserved_at) == a->expired;
	return a->tiebreak < b->tiebreak;
}

#endif /* COHORT_CANDIDATE_H */
