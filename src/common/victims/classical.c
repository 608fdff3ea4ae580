/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classical.c - victims by priority and by distance in the cohort tree
 *
 * KEP-83 and KEP-1337, with hierarchical cohorts: workloads inside the smallest
 * subtree that can hold the preemptor by its own quota give way last.
 */
#include "core/tree_state.h"
#include "core/uses.h"
#include "lib/heap.h"
#include "holding/holding.h"
#include "victims/target.h"

/* No borrowWithinCohort: what evicts others by priority may not borrow. */
static bool borrowing_forbidden(const struct search *s)
{
	return !policy_borrows(&s->q->spec);
}

/* The preemptor's queue has quota left in every pair it needs */
static bool queue_is_under(const struct search *s)
{
	for (size_t i = 0; i < s->nneed; i++) {
		if (books_over_nominal(s->e->books, s->q->node, s->need[i].pair, 0) >= 0)
			return false;
	}
	return true;
}

/* What the candidates of the own queue use of a pair, up to `enough` */
static int64_t own_use(struct search *s, struct stream *own, int pair, int64_t enough)
{
	int64_t sum = 0;

	stream_rewind(s, own);
	for (; own->head.h && sum < enough; stream_next(s, own)) {
		const struct holding *h = own->head.h;

		sum = sat_add(sum, uses_of_pair(h->uses, h->nuses, pair));
	}
	return sum;
}

/* Could the demand end up within the nominal quota of the queue? Only the
 * queue's own workloads can make room for that. */
static bool nominal_reachable(struct search *s)
{
	struct stream *own = stream_own(s);

	for (size_t i = 0; i < s->ndemand; i++) {
		const struct use *u = &s->demand[i];
		int64_t usage = books_usage(s->e->books, s->q->node, u->pair);
		int64_t over = books_over_nominal(s->e->books, s->q->node, u->pair, u->amount);

		if (over <= 0 || sat_add(usage, u->amount) == INT64_MAX)
			continue;
		if (!own || own_use(s, own, u->pair, over) < over)
			return false;
	}
	return true;
}

/* Can a candidate in another queue be of use that has no precedence by its place? Without
 * borrowWithinCohort only while the preemptor does not borrow. That has to be possible, and is
 * tried only if the preemptor's queue is under its nominal quota. */
static bool priority_matters(struct search *s)
{
	if (s->everybody || !borrowing_forbidden(s))
		return true;
	return queue_is_under(s) && nominal_reachable(s);
}

/* ---- where to look, level by level: the cohorts above the preemptor ---- */

/* Could the subtree of a node hold the rest of the demand by its own quota? rest[] is by the
 * demand's pairs. It is then reduced by the idle quota of the node that it does not lend. */
static bool subtree_holds(const struct search *s, int node, struct use *rest)
{
	bool holds = true;

	for (size_t i = 0; i < s->ndemand; i++) {
		holds &= !books_is_over_nominal(s->e->books, node, rest[i].pair, rest[i].amount);
		rest[i].amount = max64(0, sat_sub(rest[i].amount,
						  books_idle_local(s->e->books, node,
								   rest[i].pair)));
	}
	return holds;
}

/* A level, and what its queues are looked at for */
struct level {
	int lca;
	bool advantage;			/* they have precedence by their place */
	bool survey;	/* no candidate is of use: only what is protected is noted */
};

/* Opens the streams of the queues below `node` but not below `done`. A node
 * where no quota is borrowed has no candidates. */
static void subtree_collect(struct search *s, const struct level *level, int node, int done)
{
	const struct node *nodes = s->e->books->nodes;

	for (int k = nodes[node].first_child; k != SPEC_NONE; k = nodes[k].next_sibling) {
		struct queue *q;

		if (k == done || k == s->q->node || search_is_within_nominal(s, k))
			continue;
		if (!nodes[k].is_queue) {
			subtree_collect(s, level, k, done);
			continue;
		}
		q = &s->e->queues[k - (int) s->e->books->ncohorts];
		if (level->survey)
			stream_survey(s, q);
		else
			stream_open(s, q, level->advantage ? LIST_HIERARCHY : LIST_PRIORITY,
				    level->lca);
	}
}

/* What a search may use */
struct collected {
	bool others;			/* candidates of other queues, */
	bool hierarchy;			/* some of which come first by their place */
};

static struct collected classical_collect(struct search *s)
{
	struct use *rest = scratch_reserve(s->e, SCRATCH_USES, s->ndemand, sizeof(*rest));
	const struct node *nodes = s->e->books->nodes;
	struct collected found = { false, false };
	struct level level;
	int done = SPEC_NONE;
	bool matters;

	if (!rest || !streams_begin(s))
		return found;
	for (size_t i = 0; i < s->ndemand; i++)
		rest[i] = s->demand[i];
	stream_open(s, s->q, LIST_OWN, SPEC_NONE);
	matters = !s->outside_only && priority_matters(s);
	if (!policy_is_set(s->q->spec.reclaim))
		return found;
	level.advantage = subtree_holds(s, s->q->node, rest);
	for (int lca = nodes[s->q->node].parent; lca != SPEC_NONE; lca = nodes[lca].parent) {
		size_t before = s->nstreams;

		level.lca = lca;
		level.survey = !matters && !level.advantage;
		subtree_collect(s, &level, lca, done);
		found.others |= s->nstreams > before;
		found.hierarchy |= level.advantage && s->nstreams > before;
		level.advantage |= subtree_holds(s, lca, rest);
		done = lca;
	}
	return found;
}

/* ---- all streams in one ---- */

struct merge {
	void **heap;			/* of streams: the first candidate of all on top */
	size_t n;
};

static bool stream_before(const void *x, const void *y)
{
	const struct stream *a = x, *b = y;

	return candidate_before(&a->head, &b->head);
}

/* Removes the stream on top */
static void merge_drop(struct merge *m)
{
	heap_drop_first(m->heap, m->n--, stream_before);
}

static void merge_next(struct search *s, struct merge *m)
{
	struct stream *st = m->heap[0];

	stream_next(s, st);
	if (st->head.h)
		heap_sink(m->heap, m->n, 0, stream_before);
	else
		merge_drop(m);
}

/* Merges all streams that are of use in the attempt, from their first candidates. */
static bool merge_begin(struct search *s, struct merge *m, bool borrow)
{
	m->n = 0;
	m->heap = scratch_reserve(s->e, SCRATCH_MERGE, s->q->tree->nqueues, sizeof(*m->heap));
	if (!m->heap)
		return false;
	for (size_t i = 0; i < s->nstreams; i++) {
		struct stream *st = &s->streams[i];

		if ((borrow && st->list == LIST_PRIORITY && borrowing_forbidden(s))
		    || (s->outside_only && st->list != LIST_HIERARCHY))
			continue;
		if (st->moved)
			stream_rewind(s, st);
		m->heap[m->n++] = st;
	}
	heap_build(m->heap, m->n, stream_before);
	return true;
}

/* Nothing more can be had from a queue that is within its nominal quota, or
 * below a cohort that is: evictions only make them use less. */
static bool stream_borrows(const struct search *s, const struct stream *st)
{
	const struct node *nodes = s->e->books->nodes;

	if (st->list == LIST_OWN)
		return true;
	for (int n = st->q->node; n != st->lca; n = nodes[n].parent) {
		if (search_is_within_nominal(s, n))
			return false;
	}
	return true;
}

/* The next candidate that may be evicted now, its stream on top of the heap */
static const struct candidate *merge_find(struct search *s, struct merge *m, bool borrow)
{
	while (m->n) {
		struct stream *st = m->heap[0];
		const struct candidate *c = &st->head;

		/* what keeps one within nominal quota keeps all behind it */
		if (!stream_borrows(s, st) || (borrow && c->keeps_nominal && !c->h->evicting))
			merge_drop(m);
		else if ((borrow && c->keeps_nominal)
			 || c->h->attempt == s->attempt
			 || !candidate_borrows(s, c->h, st->lca)
			 || (c->surplus && !elastic_has_spare(c->h)))
			merge_next(s, m);
		else
			return c;
	}
	return NULL;
}

/* ---- attempts ---- */

/* Takes candidates until it is enough, and returns how many */
static size_t
take_enough(struct search *s, struct merge *m, struct target *targets, bool borrow, bool *enough)
{
	const struct candidate *c;
	size_t n = 0;

	*enough = false;
	for (; (c = merge_find(s, m, borrow)); merge_next(s, m)) {
		targets[n++] = target_take(s, c, c->reason);
		if (n == s->most)	/* never, if it is 0 */
			break;
		*enough = !s->everybody && search_fits(s, borrow);
		if (*enough)
			break;
	}
	return n;
}

static size_t attempt(struct search *s, struct target *targets, bool borrow)
{
	size_t mark = trial_begin(s->e), n = 0;
	bool enough = false;
	struct merge m;

	s->attempt = ++s->e->searches->attempts;
	if ((s->everybody || borrow || nominal_reachable(s)) && merge_begin(s, &m, borrow))
		n = take_enough(s, &m, targets, borrow, &enough);
	if (enough) {
		s->borrowed = borrow;
		n = targets_fill_back(s, targets, n, borrow);
	}
	trial_end(s->e, mark);
	if (enough || s->everybody)
		return n;
	targets_give(targets, n);
	return 0;
}

size_t targets_classical(struct search *s, struct target **targets)
{
	bool forbidden = borrowing_forbidden(s);
	struct collected found = classical_collect(s);
	bool borrow_first = true, twice = true;
	size_t n;

	*targets = targets_reserve(s);
	if (s->e->no_memory)
		return 0;
	if (s->keeps_nominal || s->outside_only)
		return attempt(s, *targets, s->outside_only);
	if (s->everybody)
		return attempt(s, *targets, demand_is_over_nominal(s));
	if (!found.others || (forbidden && !queue_is_under(s)))
		twice = false;
	else if (forbidden && !found.hierarchy)
		borrow_first = false;
	n = attempt(s, *targets, borrow_first);
	if (!n && twice)
		n = attempt(s, *targets, !borrow_first);
	return n;
}
