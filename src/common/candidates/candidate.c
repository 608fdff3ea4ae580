/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidate.c - what a preemptor might evict, in which order
 *
 * The holdings of a queue are kept in the order of candidates, so that a search
 * looks only at those that it takes, and passes over those that are protected.
 * Where turns or usage count, the candidates of a queue are sorted for the search.
 */
#include <stdlib.h>

#include "core/tree_state.h"
#include "usage/local.h"
#include "candidates/candidate.h"
#include "holding/holding.h"

bool candidate_borrows(const struct search *s, const struct holding *h, int lca)
{
	if (!s->everybody || h->q == s->q || h->evicting)
		return true;
	for (size_t i = 0; i < h->nuses; i++) {
		int pair = h->uses[i].pair;

		if (search_needs(s, pair) && books_borrows(s->e->books, h->q->node, lca, pair))
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

	if (!policy_borrows(spec))
		return true;
	return h->priority >= s->w->shape->priority
	       || (spec->threshold_set && h->priority > spec->threshold);
}

/* Fills in *c if the stream has it as a candidate: the one place that asks all rules about a
 * holding, but for what changes while a search takes others */
static bool candidate_admit(struct search *s, const struct stream *st,
			    struct holding *h, struct candidate *c)
{
	bool expired = st->turns && turn_is_over(s, h), surplus;

	s->e->searches->looks++;
	if (is_left_out(s, h) || !may_be_evicted(s, h, st->runtime, &surplus))
		return false;
	*c = (struct candidate) {
		.h = h, .expired = expired, .surplus = surplus, .list = st->list,
		.keeps_nominal = st->list == LIST_PRIORITY && must_keep_nominal(s, h),
	};
	if (st->list == LIST_OWN)
		c->reason = expired ? VICTIM_TIME_BASED : VICTIM_IN_CLUSTER_QUEUE;
	else if (st->list == LIST_HIERARCHY || c->keeps_nominal)
		c->reason = VICTIM_RECLAMATION;
	else
		c->reason = VICTIM_RECLAIM_WHILE_BORROWING;
	return true;
}

/* One of those below may be a candidate, by its priority and by time. */
static bool may_admit(const struct holding_bounds *below, const void *arg)
{
	const struct stream *st = arg;
	const struct search *s = st->s;
	bool spare = (below->kinds & HOLDING_IS_ELASTIC) && st->q->nspare;

	if (!(below->pairs & s->need_pairs))
		return false;
	if (below->kinds & HOLDING_IS_LEAVING)
		return true;
	if (!policy_may_allow(s, st->policy, below->lowest_priority)
	    && !(st->turns && below->lowest_priority <= s->w->shape->priority))
		return false;
	return !st->protects
	       || holdings_may_be_free(below, spare ? 0 : st->runtime, s->now);
}

/* The next candidate behind h in the order of the queue; NULL: the first one. Where many are
 * protected, they are passed over in large steps. */
static bool candidate_find(struct search *s, const struct stream *st,
			   struct holding *h, struct candidate *c)
{
	while ((h = holdings_next(st->q, h, false, may_admit, st))) {
		if (candidate_admit(s, st, h, c))
			return true;
	}
	return false;
}

/* ---- sorted streams: where turns or usage count ---- */

static int turn_compare(const void *x, const void *y)
{
	return candidate_before(x, y) ? -1 : candidate_before(y, x);
}

/* Those on the way out, then those of the local queue that has used more */
static int usage_compare(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	double key_a = local_key(a->h->w->shape->local);
	double key_b = local_key(b->h->w->shape->local);

	if (a->h->evicting == b->h->evicting && (key_a > key_b || key_a < key_b))
		return key_a > key_b ? -1 : 1;
	return turn_compare(x, y);
}

/* Lists all candidates of the stream behind those of other streams, in order */
static void stream_order(struct search *s, struct stream *st,
			 int (*compare)(const void *x, const void *y))
{
	struct candidate c = { .h = NULL };

	if (!st->is_sorted) {
		s->sorted = scratch_reserve(s->e, SCRATCH_CANDIDATES,
					    s->nsorted + (size_t) rankset_total(&st->q->order),
					    sizeof(*s->sorted));
		st->first = s->nsorted;
		while (s->sorted && candidate_find(s, st, c.h, &c))
			s->sorted[s->nsorted++] = c;
		st->end = s->nsorted;
		st->is_sorted = true;
	}
	if (st->end > st->first)
		qsort(s->sorted + st->first, st->end - st->first, sizeof(*s->sorted), compare);
	stream_rewind(s, st);
}

void stream_sort(struct search *s, struct stream *st)
{
	st->by_usage = false;
	stream_order(s, st, usage_compare);
}

/* ---- streams ---- */

static void stream_go(struct search *s, struct stream *st, struct holding *h)
{
	if (s->sorted && st->next < st->end)
		st->head = s->sorted[st->next++];
	else if (st->is_sorted || !candidate_find(s, st, h, &st->head))
		st->head.h = NULL;
}

void stream_next(struct search *s, struct stream *st)
{
	st->moved = true;
	stream_go(s, st, st->head.h);
}

void stream_rewind(struct search *s, struct stream *st)
{
	st->next = st->first;
	st->moved = false;
	stream_go(s, st, NULL);
}

/* So many queues take about as long as a look at a candidate. */
#define QUEUES_LOOK 8

bool streams_begin(struct search *s)
{
	const struct tree *tree = s->q->tree;

	s->e->searches->looks += tree->nqueues / QUEUES_LOOK;
	s->nstreams = 0;
	s->nsorted = 0;
	s->streams = scratch_reserve(s->e, SCRATCH_STREAMS, tree->nqueues, sizeof(*s->streams));
	return s->streams;
}

/* Something may protect holdings of the queue. */
static bool queue_protects(const struct search *s, struct queue *q, int64_t runtime)
{
	return q->order.root && (runtime > 0 || s->now < 0
				 || (holding_at(q->order.root)->below.kinds & HOLDING_MAY_STAY));
}

/* Fills in the next stream, for candidates of a queue, and takes note of what is protected
 * there. That is a look, also where there is nothing to find. */
static struct stream *stream_prepare(struct search *s, struct queue *q, enum candidate_list list)
{
	struct stream *st = &s->streams[s->nstreams];
	bool own = q == s->q;

	s->e->searches->looks++;
	*st = (struct stream) {
		.s = s, .q = q, .runtime = runtime_against(s->e, s->q, q), .list = list,
		.policy = own ? s->q->spec.within : s->q->spec.reclaim,
		.turns = own && s->q->spec.min_admit != SPEC_NO_TIME,
		/* else candidates of several queues are one list */
		.by_usage = (own || s->e->fair_sharing) && q->spec.by_usage,
	};
	st->protects = queue_protects(s, q, st->runtime);
	if (st->protects || st->turns)
		protected_survey(s, st);
	return st;
}

void stream_open(struct search *s, struct queue *q, enum candidate_list list, int lca)
{
	struct stream *st;

	if (queue_held(q) || (list == LIST_OWN && !policy_is_set(q->spec.within)))
		return;
	st = stream_prepare(s, q, list);
	st->lca = lca;
	if (st->turns)
		stream_order(s, st, turn_compare);
	else
		stream_rewind(s, st);
	if (!st->head.h)
		return;
	s->nstreams++;
	q->stream = st;
	q->searched = s->number;
	if (!s->e->fair_sharing && st->by_usage)
		stream_sort(s, st);
}

void stream_survey(struct search *s, struct queue *q)
{
	if (!queue_held(q) && queue_protects(s, q, runtime_against(s->e, s->q, q)))
		(void) stream_prepare(s, q, LIST_PRIORITY);
}
