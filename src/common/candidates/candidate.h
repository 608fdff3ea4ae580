/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.h - what a preemptor might evict, in which order
 */
#ifndef COHORT_CANDIDATE_H
#define COHORT_CANDIDATE_H

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"

/* The lists of candidates, in the order in which they are used up */
enum candidate_list { LIST_HIERARCHY, LIST_PRIORITY, LIST_OWN };

struct candidate {
	struct holding *h;	/* NULL: none */
	bool expired;		/* own queue, equal priority: its turn is over */
	bool surplus;	/* protected: usable while its group has more members than it needs */
	bool keeps_nominal;	/* usable only while the preemptor does not borrow */
	unsigned char list;
	unsigned char reason;
};

/* What the searches of an engine share (e->searches), from one to the next */
struct searches {
	uint64_t made;			/* how many searches were made, */
	uint64_t attempts;		/* how many attempts they made, */
	uint64_t looks;			/* at how many holdings they looked */
	struct passed_over passed;	/* by the last search */
	uint64_t passes;		/* fair sharing: how many there were (fair.c), */
	uint64_t *closed;		/* by node: the last one in which it gave no more */
};

/* A search for victims of one preemptor */
struct search {
	struct engine *e;
	struct queue *q;
	const struct workload *w;
	uint64_t number;	/* of this search; counts in the life of the engine, */
	uint64_t first;		/* and of the first one, if it is made anew */
	int64_t now;
	const struct use *demand;
	size_t ndemand;
	const struct use *need;	/* the pairs where it needs preemption; amounts do not count */
	size_t nneed;
	uint64_t need_pairs;	/* bit pair % 64 of these */
	bool everybody;		/* find all that may be evicted, not just enough */
	size_t most;		/* everybody: ends with so many; 0: all */
	bool alone;		/* everybody: judges each as if it was the only one */
	bool picked;		/* only holdings that are marked so */
	bool pure;		/* before any eviction the preemptor's queue is within
				 * nominal quota with the demand: what others lose is a
				 * pure reclaim. everybody: the caller's */
	bool keeps_nominal;	/* it yields: what it takes ends within nominal quota, */
	bool outside_only;	/* or is outside a cohort that owns enough for it */
	uint64_t attempt;	/* number of the attempt that is made */
	bool borrowed;		/* the victims were found for a preemptor that may borrow */
	struct stream *streams;
	size_t nstreams;
	uint64_t reclaiming;		/* fair: by depth, which branches above the
					 * preemptor have back what they own */
	struct candidate *sorted;	/* of queues that have them sorted, one after the other */
	size_t nsorted;
};

/* The candidates of one queue, one after the other: a later one is not looked
 * at before it is reached */
struct stream {
	struct candidate head;	/* the next one */
	const struct search *s;
	struct queue *q;
	int64_t runtime;	/* how long a min-runtime protects them */
	int lca;		/* where their branch meets the preemptor's */
	enum candidate_list list;
	enum policy policy;
	bool protects;		/* some may be protected */
	bool turns;		/* of the own queue, which has turns */
	bool by_usage;		/* usage counts: stream_sort() comes before any job is taken */
	bool is_sorted;		/* they are sorted[first..end) of the search, and not as they
				 * stand in the queue */
	size_t first, end, next;
	bool moved;		/* it is past its first candidate */
};

/* No workload of another queue is evicted for it before, if it could evict some now: its queue
 * waits so long for them to end by themselves (reclaim_delay; section 6) */
static inline int64_t workload_reclaims_from(const struct workload *w, int64_t now)
{
	int64_t delay = w->shape->q->spec.reclaim_delay;

	return delay > 0 ? sat_add(w->could_evict ? w->could_evict : now, delay) : INT64_MIN;
}

/* The node is within nominal quota in all pairs that need preemption. */
static inline bool search_is_within_nominal(const struct search *s, int node)
{
	return !books_is_over(s->e->books, node, s->need, s->nneed);
}

/* Begins with no streams, and with room for one stream of each queue in the
 * tree. false: no memory. */
bool streams_begin(struct search *s);

/* A search for all that may be evicted (`everybody`) is about nodes. It is no reason to
 * take from a queue what it holds within its nominal quota. So: is what h uses
 * borrowed, in its queue and in the cohorts below `lca`? */
bool candidate_borrows(const struct search *s, const struct holding *h, int lca);

/* Opens the stream of a queue. lca: where its branch meets the preemptor's, if it is another
 * queue. None is opened if the queue is stopped, or there are no candidates, or no memory
 * (e->no_memory). */
void stream_open(struct search *s, struct queue *q, enum candidate_list list, int lca);

/* Only takes note of what is protected in the queue */
void stream_survey(struct search *s, struct queue *q);

/* The stream of the preemptor's queue; NULL if there is none */
static inline struct stream *stream_own(const struct search *s)
{
	return s->q->searched == s->number ? s->q->stream : NULL;
}

/* by_usage: while a stream is only looked at, only its head is known, in the usual order. From now
 * on the candidates of the local queue that has used more come first. */
void stream_sort(struct search *s, struct stream *st);

/* Moves on to the next candidate; moves back to the first */
void stream_next(struct search *s, struct stream *st);
void stream_rewind(struct search *s, struct stream *st);

static inline int64_t candidate_start(const struct candidate *c)
{
	return sat_add(holding_start(c->h), c->expired ? c->h->turn_extra : 0);
}

/* a is evicted in preference to b. */
static inline bool candidate_before(const struct candidate *a, const struct candidate *b)
{
	if (a->h->evicting != b->h->evicting)
		return a->h->evicting;
	if (a->list != b->list)
		return a->list < b->list;
	if (a->h->priority != b->h->priority)
		return a->h->priority < b->h->priority;
	if (a->expired != b->expired)
		return a->expired;
	if (a->h->cost != b->h->cost)
		return a->h->cost < b->h->cost;
	if (candidate_start(a) != candidate_start(b))
		return (candidate_start(a) < candidate_start(b)) == a->expired;
	return a->h->w->tiebreak < b->h->w->tiebreak;
}

/* ---- which workloads policies and time let a preemptor evict (allow.c) ---- */

/* False if the policy allows no workload of that priority, whenever it was submitted */
bool policy_may_allow(const struct search *s, enum policy policy, int64_t priority);

/* Does it need preemption in the pair? */
static inline bool search_needs(const struct search *s, int pair)
{
	size_t i = 0;

	while (i < s->nneed && s->need[i].pair != pair)
		i++;
	return i < s->nneed;
}

bool holding_uses_need(const struct search *s, const struct holding *h);

/* No member of its unit is in the queue. */
bool is_elsewhere(const struct queue *q, struct holding *h);

/* A member of its unit is of another queue, and is not on its way out already. */
static inline bool takes_from_others(const struct queue *q, struct holding *h)
{
	for_each_in_unit(m, h) {
		if (m->q != q && !m->evicting)
			return true;
	}
	return false;
}

/* The queue's workloads leave the holding alone, with its unit: it is settled, or too many runs
 * of it are lost already. `pure`: they reclaim what their queue owns. Members on the way out
 * do not count. */
bool progress_keeps(const struct queue *q, bool pure, struct holding *h);

/* No candidate, whatever the policies say */
static inline bool is_left_out(const struct search *s, const struct holding *h)
{
	return h->gone || h->barred == s->first || (s->picked && !h->picked)
	       || !holding_uses_need(s, h);
}

/* The preemptor's own queue has turns, and that of its equal h is over. */
bool turn_is_over(const struct search *s, const struct holding *h);

/* How long workloads of a queue are safe from those of the preemptor's queue,
 * which may be the same queue */
int64_t runtime_against(const struct engine *e, const struct queue *preemptor,
			const struct queue *victim);

/* Policies and time let h be a candidate now, with all of its unit. `runtime` is its
 * min-runtime. *surplus: that protects it, but it may be evicted while its elastic group has
 * more members than it needs, as it has now. */
bool may_be_evicted(const struct search *s, struct holding *h, int64_t runtime, bool *surplus);

/* Takes note (struct passed_over) of those in the queue of the stream that only time, or the number
 * of evictions, keeps from being candidates. Looks only at those that may change what is known
 * already. Where the queue has turns, also of the first turn to end that changes the order. */
void protected_survey(struct search *s, const struct stream *st);

#endif /* COHORT_CANDIDATE_H */
