/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.c - what a preemptor might evict, in which order
 *
 * The holdings of a queue are kept in the order of candidates, so that a search
 * looks only at those that it takes, and passes over those that are protected.
 * Where turns or usage count, the candidates of a queue are sorted for the search.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "usage/local.h"
#include "candidates/allow.h"
#include "holding/elastic.h"
#include "holding/holding.h"

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
	return !h->evicting && !policy_may_allow(s, policy, h->priority);
}

/* Fills in *c if the stream has it as a candidate: the one place that asks all rules about a
 * holding, but for what changes while a search takes others */
static bool candidate_admit(struct search *s, const struct stream *st,
			    struct holding *h, struct candidate *c)
{
	bool expired;

	s->e->searches->looks++;
	if (is_left_out(s, h))
		return false;
	expired = st->turns && turn_is_over(s, h);
	if ((!expired && !policy_allows(s, st->policy, h))
	    || !time_lets_go(s, st, h, &c->surplus))
		return false;
	c->h = h;
	c->priority = h->priority;
	c->cost = h->cost;
	c->reserved_at = sat_add(reserved_at(s, h), expired ? h->turn_extra : 0);
	c->tiebreak = h->tiebreak;
	c->evicting = h->evicting;
	c->expired = expired;
	c->list = st->list;
	c->keeps_nominal = st->list == LIST_PRIORITY && must_keep_nominal(s, h);
	if (st->list == LIST_OWN)
		c->reason = expired ? VICTIM_TIME_BASED : VICTIM_IN_CLUSTER_QUEUE;
	else if (st->list == LIST_HIERARCHY || c->keeps_nominal)
		c->reason = VICTIM_RECLAMATION;
	else
		c->reason = VICTIM_RECLAIM_WHILE_BORROWING;
	return true;
}

/* Time keeps all of those that the bounds are about. */
static bool time_keeps_all(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	if (!st->protects || (below->kinds & HOLDING_IS_LEAVING))
		return false;
	return below->first_from == INT64_MAX
	       || (!((below->kinds & HOLDING_IS_ELASTIC) && st->q->nspare)
		   && st->runtime > 0
		   && s->now < minruntime_until(below->first_from, st->runtime));
}

/* The first candidate at or below a node. False: there is none */
static bool candidate_below(struct search *s, const struct stream *st,
			    const struct rank_node *node, struct candidate *c)
{
	for (; node; node = node->right) {
		struct holding *h = holding_in_order(node);

		if (!(h->in_order.below.pairs & s->need_pairs)
		    || time_keeps_all(s, st, &h->in_order.below))
			return false;
		if (candidate_below(s, st, node->left, c)
		    || candidate_admit(s, st, h, c))
			return true;
		if (candidates_end(s, st->policy, h))
			return false;
	}
	return false;
}

/* The next one behind h in the order of the queue. Where many are protected, they are passed
 * over in large steps. */
static bool candidate_after(struct search *s, const struct stream *st,
			    struct holding *h, struct candidate *c)
{
	const struct rank_node *node;

	h = h->next;
	if (!h || candidates_end(s, st->policy, h))
		return false;
	if (candidate_admit(s, st, h, c))
		return true;
	node = &h->in_order.node;
	if (candidate_below(s, st, node->right, c))
		return true;
	for (; node->parent; node = node->parent) {
		if (node != node->parent->left)
			continue;
		h = holding_in_order(node->parent);
		if (candidates_end(s, st->policy, h))
			return false;
		if (candidate_admit(s, st, h, c)
		    || candidate_below(s, st, node->parent->right, c))
			return true;
	}
	return false;
}

/* ---- sorted streams ---- */

static bool turn_before(const void *x, const void *y)
{
	return candidate_before(x, y);
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

static const struct heap_order by_turn = { sizeof(struct candidate), turn_before };
static const struct heap_order by_usage = { sizeof(struct candidate), usage_before };

/* Lists all candidates of the stream behind those of other streams. False: no memory */
static bool stream_list(struct search *s, struct stream *st)
{
	s->cands = scratch_reserve(s->e, SCRATCH_CANDIDATES,
				   s->ncands + st->q->nholdings, sizeof(*s->cands));
	if (!s->cands)
		return false;
	st->cands = s->ncands;
	for (struct holding *h = st->q->holdings; h; h = h->next)
		s->ncands += candidate_admit(s, st, h, &s->cands[s->ncands]);
	st->ncands = s->ncands - st->cands;
	return true;
}

static void stream_order(struct search *s, struct stream *st,
			 const struct heap_order *order)
{
	if (!st->sorted && !stream_list(s, st)) {
		st->head.h = NULL;
		return;
	}
	st->sorted = order;
	st->nsorted = 0;
	heap_build(order, s->cands + st->cands, st->ncands);
	stream_rewind(s, st);
}

void stream_sort(struct search *s, struct stream *st)
{
	st->by_usage = false;
	stream_order(s, st, &by_usage);
}

/* Only as much is sorted as is asked for, from the end. */
static void sorted_next(struct search *s, struct stream *st)
{
	struct candidate *cands = s->cands + st->cands;
	size_t i = st->nth++;

	st->head.h = NULL;
	if (i >= st->ncands)
		return;
	for (; st->nsorted <= i; st->nsorted++)
		heap_drop_first(st->sorted, cands, st->ncands - st->nsorted);
	st->head = cands[st->ncands - 1 - i];
}

/* ---- streams ---- */

void stream_next(struct search *s, struct stream *st)
{
	st->moved = true;
	if (st->sorted)
		sorted_next(s, st);
	else if (!candidate_after(s, st, st->head.h, &st->head))
		st->head.h = NULL;
}

void stream_rewind(struct search *s, struct stream *st)
{
	struct holding *first = st->q->holdings;

	st->nth = 0;
	st->moved = false;
	if (st->sorted)
		sorted_next(s, st);
	else if (!first || (!candidate_admit(s, st, first, &st->head)
			    && !candidate_after(s, st, first, &st->head)))
		st->head.h = NULL;
}

/* So many queues take about as long as a look at a candidate. */
#define QUEUES_LOOK 8

bool streams_begin(struct search *s)
{
	const struct tree *tree = s->q->tree;

	s->e->searches->looks += tree->nqueues / QUEUES_LOOK;
	s->nstreams = 0;
	s->ncands = 0;
	s->streams = scratch_reserve(s->e, SCRATCH_STREAMS, tree->nqueues,
				     sizeof(*s->streams));
	return s->streams;
}

static void times_renew(const struct search *s, struct stream *st)
{
	holdings_date(st->q, s->now);
	(void) holdings_bounds(st->q);
	st->protects = st->runtime > 0 || st->q->nexempt || s->now < 0;
}

/* The stream that was just filled in is opened if it has candidates. */
static void stream_open(struct search *s, struct stream *st)
{
	st->sorted = NULL;
	if (st->turns)
		stream_order(s, st, &by_turn);
	else
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
	times_renew(s, st);
	if (st->protects || st->turns)
		protected_survey(s, st);
	st->by_usage = s->q->spec.by_usage;
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
	st->turns = false;
	/* else candidates of several queues are one list */
	st->by_usage = s->e->fair_sharing && q->spec.by_usage;
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
