/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classical.c - victims by priority and by distance in the cohort tree
 *
 * KEP-83 and KEP-1337, with hierarchical cohorts: workloads inside the smallest
 * subtree that can hold the preemptor by its own quota give way last.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "holding/trial.h"
#include "holding/elastic.h"
#include "victims/find.h"
#include "candidates/levels.h"
#include "holding/unit.h"

/* The preemptor's queue has quota left in every pair it needs */
static bool queue_is_under(const struct search *s)
{
	for (size_t i = 0; i < s->nneed; i++) {
		if (books_over_nominal(s->e->books, s->q->node, s->need[i],
				       0) >= 0)
			return false;
	}
	return true;
}

/* What the candidates of the own queue use of a pair, up to `enough` */
static int64_t own_use(struct search *s, struct stream *own, int pair,
		       int64_t enough)
{
	int64_t sum = 0;

	stream_rewind(s, own);
	for (; own->head.h && sum < enough; stream_next(s, own)) {
		const struct holding *h = own->head.h;

		for (size_t i = 0; i < h->nuses; i++) {
			if (h->uses[i].pair == pair)
				sum = sat_add(sum, h->uses[i].amount);
		}
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
		int64_t over = books_over_nominal(s->e->books, s->q->node,
						  u->pair, u->amount);

		if (over <= 0 || sat_add(usage, u->amount) == INT64_MAX)
			continue;
		if (!own || own_use(s, own, u->pair, over) < over)
			return false;
	}
	return true;
}

/* No borrowWithinCohort: what evicts others by priority may not borrow. */
static bool borrowing_is_forbidden(const struct search *s)
{
	const struct spec_queue *spec = &s->q->spec;

	return !spec->borrow_set || spec->borrow == POLICY_NEVER;
}

/* Can a candidate in another queue be of use that has no precedence by its
 * place? Without borrowWithinCohort only while the preemptor does not borrow.
 * That has to be possible, and is tried only if the preemptor's queue is under
 * its nominal quota. */
static bool priority_matters(struct search *s)
{
	if (s->everybody || !borrowing_is_forbidden(s))
		return true;
	return queue_is_under(s) && nominal_reachable(s);
}

static struct use *rest_create(struct search *s)
{
	struct use *rest = scratch_reserve(s->e, SCRATCH_USES, s->ndemand,
					   sizeof(*rest));

	for (size_t i = 0; rest && i < s->ndemand; i++)
		rest[i] = s->demand[i];
	return rest;
}

/* Opens the streams that a search may use. True if any is of another queue;
 * *hierarchy if any of these comes first by its place in the tree */
static bool classical_collect(struct search *s, bool *hierarchy)
{
	struct use *rest = rest_create(s);
	bool others = false;

	*hierarchy = false;
	if (!rest || !streams_begin(s))
		return false;
	stream_open_own(s);
	s->matters = !s->outside_only && priority_matters(s);
	if (s->e->books->nodes[s->q->node].parent == SPEC_NONE
	    || s->q->spec.reclaim == POLICY_NEVER)
		return false;
	levels_collect(s, rest, s->matters, &others, hierarchy);
	return others;
}

/* ---- all streams in one ---- */

struct merge {
	struct stream **heap;		/* the first candidate of all on top */
	size_t n;
};

static bool stream_before(const void *x, const void *y)
{
	const struct stream *const *a = x, *const *b = y;

	return candidate_before(&(*a)->head, &(*b)->head);
}

static const struct heap_order by_head = {
	sizeof(struct stream *), stream_before
};

/* Removes the stream on top, or what is left of it */
static void merge_drop(struct merge *m)
{
	heap_drop_first(&by_head, m->heap, m->n--);
}

static void merge_next(struct search *s, struct merge *m)
{
	stream_next(s, m->heap[0]);
	if (m->heap[0]->head.h)
		heap_sink(&by_head, m->heap, m->n, 0);
	else
		merge_drop(m);
}

/* Merges all streams that are of use in the attempt, from their first
 * candidates. */
static bool merge_begin(struct search *s, struct merge *m, bool borrow)
{
	m->n = 0;
	m->heap = scratch_reserve(s->e, SCRATCH_MERGE, s->q->tree->nqueues,
				  sizeof(*m->heap));
	if (!m->heap)
		return false;
	for (size_t i = 0; i < s->nstreams; i++) {
		struct stream *st = &s->streams[i];

		if ((borrow && stream_keeps_nominal(s, st))
		    || (s->outside_only && st->list != LIST_HIERARCHY))
			continue;
		if (st->moved)
			stream_rewind(s, st);
		m->heap[m->n++] = st;
	}
	heap_build(&by_head, m->heap, m->n);
	return true;
}

/* Nothing more can be had from a queue that is within its nominal quota, or
 * below a cohort that is: evictions only make them use less. */
static bool
stream_borrows(const struct search *s, const struct stream *st)
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
static const struct candidate *
merge_find(struct search *s, struct merge *m, bool borrow)
{
	while (m->n) {
		struct stream *st = m->heap[0];
		const struct candidate *c = &st->head;

		/* what keeps one within nominal quota keeps all behind it */
		if (!stream_borrows(s, st)
		    || (borrow && c->keeps_nominal && !c->evicting))
			merge_drop(m);
		else if ((borrow && c->keeps_nominal)
			 || unit_is_taken(c->h, s->attempt)
			 || !candidate_borrows(s, c->h, st->lca)
			 || (c->surplus && !elastic_has_spare(c->h)))
			merge_next(s, m);
		else
			return c;
	}
	return NULL;
}

/* ---- attempts ---- */

static inline void take(struct search *s, struct target *target,
			const struct candidate *c)
{
	if (!s->alone) {
		target_remove(s->e, c->h);
		elastic_take(c->h);
	}
	unit_take(c->h, s->attempt);
	*target = (struct target) { c->h, c->reason, c->list };
}

/* None of them goes after all. Their trial is for the caller to end. */
static inline void give_all(const struct target *targets, size_t n)
{
	while (n)
		elastic_give(targets[--n].h);
}

/* Takes candidates until it is enough, and returns how many */
static size_t
take_enough(struct search *s, struct merge *m, struct target *targets,
	    bool borrow, bool *enough)
{
	const struct candidate *c;
	size_t n = 0;

	*enough = false;
	for (; (c = merge_find(s, m, borrow)); merge_next(s, m)) {
		take(s, &targets[n++], c);
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
	size_t mark = trial_begin(s->e);
	struct merge m;
	bool enough;
	size_t n;

	s->attempt = ++s->e->searches->attempts;
	if (!s->everybody && !borrow && !nominal_reachable(s)) {
		trial_end(s->e, mark);
		return 0;
	}
	if (!merge_begin(s, &m, borrow)) {
		trial_end(s->e, mark);
		return 0;
	}
	n = take_enough(s, &m, targets, borrow, &enough);
	if (enough) {
		s->borrowed = borrow;
		n = targets_fill_back(s, targets, n, borrow);
	}
	trial_end(s->e, mark);
	if (enough || s->everybody)
		return n;
	give_all(targets, n);
	return 0;
}

size_t targets_classical(struct search *s, struct target **targets)
{
	bool forbidden = borrowing_is_forbidden(s);
	bool hierarchy;
	bool others = classical_collect(s, &hierarchy);
	bool borrow_first = true, twice = true;
	size_t n;

	*targets = targets_reserve(s);
	if (s->e->no_memory)
		return 0;
	if (s->keeps_nominal || s->outside_only)
		return attempt(s, *targets, s->outside_only);
	if (s->everybody)
		return attempt(s, *targets, demand_is_over_nominal(s));
	if (!others || (forbidden && !queue_is_under(s)))
		twice = false;
	else if (forbidden && !hierarchy)
		borrow_first = false;
	n = attempt(s, *targets, borrow_first);
	if (!n && twice)
		n = attempt(s, *targets, !borrow_first);
	return n;
}
