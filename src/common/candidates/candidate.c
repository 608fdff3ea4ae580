/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.c - what a preemptor might evict, in which order
 *
 * The holdings of a queue are kept in the order of candidates, so that a search
 * looks only at those that it takes, and passes over those that are protected.
 * Holdings whose turn is over stand in another order: where turns count, the
 * next candidate is the first of two.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "usage/by_usage.h"
#include "candidates/allow.h"
#include "holding/elastic.h"
#include "holding/holding.h"

void candidate_fill(const struct search *s, struct candidate *c,
		    struct holding *h)
{
	c->h = h;
	c->priority = h->priority;
	c->cost = h->cost;
	c->reserved_at = reserved_at(s, h);
	c->tiebreak = h->tiebreak;
	c->evicting = h->evicting;
}

bool candidate_borrows(const struct search *s, const struct holding *h, int lca)
{
	if (!s->everybody || h->q == s->q || h->evicting)
		return true;
	for (size_t i = 0; i < h->nuses; i++) {
		int pair = h->uses[i].pair;

		if (s->e->searches->need[pair]
		    && books_borrows(s->e->books, h->q->node, lca, pair))
			return true;
	}
	return false;
}

/* ---- streams ---- */

/* Usable only if the preemptor ends up within its nominal quota: without
 * borrowWithinCohort, or if the candidate's priority is too high for it. */
static bool must_keep_nominal(const struct search *s, const struct holding *h)
{
	const struct spec_queue *spec = &s->q->spec;

	if (!spec->borrow_set || spec->borrow == POLICY_NEVER)
		return true;
	return h->priority >= s->w->shape->priority
	       || (spec->threshold_set && h->priority > spec->threshold);
}

bool stream_keeps_nominal(const struct search *s, const struct stream *st)
{
	const struct spec_queue *spec = &s->q->spec;

	return st->list == LIST_PRIORITY
	       && (!spec->borrow_set || spec->borrow == POLICY_NEVER);
}

bool candidates_end(const struct search *s, enum policy policy,
		    const struct holding *h)
{
	int64_t priority = s->w->shape->priority;

	if (h->evicting || policy == POLICY_ANY)
		return false;
	return h->priority > priority
	       || (h->priority == priority
		   && policy == POLICY_LOWER_PRIORITY);
}

bool candidates_end_borrowing(const struct search *s, const struct holding *h)
{
	return !h->evicting && must_keep_nominal(s, h);
}

/* The turn of none of those below a node that the policy allows goes on. */
static bool turns_are_over(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	return st->turns && st->policy != POLICY_ANY
	       && below->lowest_priority >= s->w->shape->priority
	       && !(below->kinds & HOLDING_IS_LEAVING)
	       && !turn_may_go_on(s, below);
}

static bool stream_admits(const struct search *s, const struct stream *st,
			  struct holding *h, bool *surplus)
{
	return !is_left_out(s, h) && policy_allows(s, st->policy, h)
	       && !(st->turns && turn_is_over(s, h))
	       && time_lets_go(s, st, h, surplus);
}

/* None of those below a node is admitted by the stream; see stream_admits() */
static bool stream_passes(const struct search *s, const struct stream *st,
			  const struct holding_bounds *below)
{
	return !(below->pairs & s->need_pairs)
	       || (st->list != LIST_OWN && !(below->kinds & HOLDING_IS_LOOSE))
	       || !policy_may_allow(s, st->policy, below)
	       || turns_are_over(s, st, below)
	       || time_keeps_all(s, st, below);
}

/* The first of those at or below a node that may be admitted, or NULL */
static struct holding *holding_below(const struct search *s,
				     const struct stream *st,
				     const struct rank_node *node)
{
	while (node) {
		struct holding *h = holding_in_order(node), *first;

		if (stream_passes(s, st, &h->in_order.below))
			return NULL;
		first = holding_below(s, st, node->left);
		if (first)
			return first;
		s->e->searches->looks++;
		if (stream_admits(s, st, h, &(bool) { false }))
			return h;
		node = node->right;
	}
	return NULL;
}

/* The next one that may be admitted. Where many are protected, or gone, they
 * are passed over in large steps. */
static struct holding *holding_after(const struct search *s,
				     const struct stream *st,
				     const struct holding *h)
{
	const struct rank_node *node = &h->in_order.node;
	struct holding *found;

	holdings_know_bounds(st->q);
	found = holding_below(s, st, node->right);
	for (; !found && node->parent; node = node->parent) {
		const struct rank_node *parent = node->parent;

		if (node != parent->left)
			continue;
		found = holding_in_order(parent);
		if (!stream_admits(s, st, found, &(bool) { false }))
			found = holding_below(s, st, parent->right);
	}
	return found;
}

static void other_set(struct search *s, const struct stream *st,
		      struct candidate *c, struct holding *h, bool surplus)
{
	candidate_fill(s, c, h);
	c->surplus = surplus;
	c->expired = false;
	c->list = st->list;
	c->keeps_nominal = st->list == LIST_PRIORITY && must_keep_nominal(s, h);
	if (st->list == LIST_OWN)
		c->reason = VICTIM_IN_CLUSTER_QUEUE;
	else if (st->list == LIST_HIERARCHY || c->keeps_nominal)
		c->reason = VICTIM_RECLAMATION;
	else
		c->reason = VICTIM_RECLAIM_WHILE_BORROWING;
}

/* So many that are not admitted are stepped over one by one: most often that is
 * all, and cheaper than a jump. */
#define STEPS 8

/* The next one in the order of the queue; c->h is NULL if there is none. */
static void other_next(struct search *s, struct stream *st, struct candidate *c)
{
	struct holding *h = st->rest;
	int steps = 0;
	bool surplus;

	c->h = NULL;
	while (h && !candidates_end(s, st->policy, h)) {
		s->e->searches->looks++;
		if (stream_admits(s, st, h, &surplus)) {
			st->rest = h->next;
			other_set(s, st, c, h, surplus);
			return;
		}
		h = steps++ < STEPS ? h->next : holding_after(s, st, h);
	}
	st->rest = NULL;
}

static void equal_set(struct search *s, const struct stream *st,
		      struct holding *h)
{
	struct candidate *c = &s->equal;

	c->h = h;
	if (!h)
		return;
	candidate_fill(s, c, h);
	c->reserved_at = sat_add(c->reserved_at, h->turn_extra);
	c->surplus = st->protects && is_protected(s, h, st->runtime);
	c->expired = true;
	c->list = LIST_OWN;
	c->keeps_nominal = false;
	c->reason = VICTIM_TIME_BASED;
}

/* The first of the two, and the one after it in its place */
static void turns_next(struct search *s, struct stream *st)
{
	if (s->equal.h && (!s->other.h
			   || candidate_before(&s->equal, &s->other))) {
		st->head = s->equal;
		equal_set(s, st, equal_after(s, st, s->equal.h));
	} else {
		st->head = s->other;
		other_next(s, st, &s->other);
	}
}

/* Those on the way out, then those of the local queue that has used more */
static bool usage_before(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	double key_a = local_key(a->h->w->shape->local);
	double key_b = local_key(b->h->w->shape->local);

	if (a->evicting == b->evicting && key_a != key_b)
		return key_a > key_b;
	return candidate_before(a, b);
}

static const struct heap_order by_usage = {
	sizeof(struct candidate), usage_before
};

/* Only as much is sorted as is asked for, from the end. */
static void sorted_next(struct search *s, struct stream *st)
{
	struct candidate *cands = s->cands + st->cands;
	size_t i = st->nth++;

	st->head.h = NULL;
	if (i >= st->ncands)
		return;
	for (; st->nsorted <= i; st->nsorted++)
		heap_drop_first(&by_usage, cands, st->ncands - st->nsorted);
	st->head = cands[st->ncands - 1 - i];
}

/* Rare: it is kept out of the way of the usual case. */
static __attribute__((noinline)) void ordered_next(struct search *s,
						   struct stream *st)
{
	if (st->sorted)
		sorted_next(s, st);
	else
		turns_next(s, st);
}

static inline void head_next(struct search *s, struct stream *st)
{
	if (st->ordered)
		ordered_next(s, st);
	else
		other_next(s, st, &st->head);
}

void stream_next(struct search *s, struct stream *st)
{
	st->moved = true;
	head_next(s, st);
}

/* Nobody in the queue can be admitted in its order, as far as that is known without a look at
 * any of them. */
static bool stream_is_empty(const struct search *s, const struct stream *st)
{
	const struct rankset *order = &st->q->order;

	return order->knows && order->root
	       && stream_passes(s, st,
				&holding_in_order(order->root)->in_order.below);
}

void stream_rewind(struct search *s, struct stream *st)
{
	st->nth = 0;
	st->rest = stream_is_empty(s, st) ? NULL : st->q->holdings;
	if (st->turns && !st->sorted) {
		equal_set(s, st, equal_first(s, st));
		other_next(s, st, &s->other);
	}
	head_next(s, st);
	st->moved = false;
}

void stream_sort(struct search *s, struct stream *st)
{
	st->by_usage = false;
	st->cands = s->ncands;
	st->nsorted = 0;
	s->cands = scratch_reserve(s->e, SCRATCH_CANDIDATES,
				   s->ncands + st->q->nholdings,
				   sizeof(*s->cands));
	if (!s->cands)
		return;
	for (; st->head.h; stream_next(s, st))
		s->cands[s->ncands++] = st->head;
	st->ncands = s->ncands - st->cands;
	heap_build(&by_usage, s->cands + st->cands, st->ncands);
	st->sorted = st->ordered = true;
	stream_rewind(s, st);
}

bool streams_begin(struct search *s)
{
	const struct tree *tree = s->q->tree;

	s->nstreams = 0;
	s->ncands = 0;
	s->streams = scratch_reserve(s->e, SCRATCH_STREAMS, tree->nqueues,
				     sizeof(*s->streams));
	return s->streams;
}

static void times_renew(const struct search *s, struct stream *st)
{
	holdings_date(st->q, s->now);
	st->protects = st->runtime > 0 || st->q->nexempt || s->now < 0;
}

/* The stream that was just filled in is opened if it has candidates. */
static void stream_open(struct search *s, struct stream *st)
{
	stream_rewind(s, st);
	if (!st->head.h)
		return;
	s->nstreams++;
	st->q->stream = st;
	st->q->searched = s->number;
}

void stream_open_own(struct search *s)
{
	struct stream *st = &s->streams[s->nstreams];

	if (s->q->spec.within == POLICY_NEVER || queue_held(s->q))
		return;
	st->q = s->q;
	st->runtime = runtime_against(s->e, s->q, s->q);
	st->list = LIST_OWN;
	st->policy = s->q->spec.within;
	st->turns = s->q->spec.min_admit != SPEC_NO_TIME;
	st->ordered = st->turns;
	times_renew(s, st);
	if (st->protects || st->turns)
		protected_survey(s, st);
	if (st->turns)
		turns_survey(s, st);
	st->by_usage = s->q->spec.by_usage;
	st->sorted = false;
	stream_open(s, st);
	if (!s->e->fair_sharing && st->by_usage && st->head.h)
		stream_sort(s, st);
}

/* Also takes note of what is protected. NULL: the queue is stopped. */
static struct stream *other_prepare(struct search *s, struct queue *q)
{
	struct stream *st = &s->streams[s->nstreams];

	if (queue_held(q))
		return NULL;
	st->q = q;
	st->runtime = runtime_against(s->e, s->q, q);
	st->list = LIST_PRIORITY;
	st->policy = s->q->spec.reclaim;
	st->turns = st->ordered = false;
	/* else candidates of several queues are one list */
	st->by_usage = s->e->fair_sharing && q->spec.by_usage;
	st->sorted = false;
	times_renew(s, st);
	if (st->protects)
		protected_survey(s, st);
	return st;
}

void stream_open_other(struct search *s, struct queue *q, int lca,
		       bool advantage)
{
	struct stream *st = other_prepare(s, q);

	if (!st)
		return;
	st->lca = lca;
	if (advantage)
		st->list = LIST_HIERARCHY;
	stream_open(s, st);
}

bool tree_protects(const struct engine *e, const struct tree *tree,
		   int64_t now)
{
	return e->reclaim_runtimes || tree->nexempt || now < 0;
}

void stream_survey(struct search *s, struct queue *q)
{
	other_prepare(s, q);
}
