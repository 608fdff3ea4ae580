/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fronts.c - the queues of a tree in the order of their first candidates
 */
#include <stdlib.h>
#include <string.h>

#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "candidates/ends.h"
#include "candidates/fronts.h"
#include "holding/holding.h"

/* The order of candidates, see candidate_before() */
int front_order(const struct holding *a, const struct holding *b)
{
	if (a->evicting != b->evicting)
		return a->evicting ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (holding_reserved_at(a) != holding_reserved_at(b))
		return holding_reserved_at(a) > holding_reserved_at(b) ? -1 : 1;
	return (a->tiebreak > b->tiebreak) - (a->tiebreak < b->tiebreak);
}

static int front_compare(const void *x, const void *y)
{
	const struct front *a = x, *b = y;

	return front_order(a->h, b->h);
}

/* ---- queues ---- */

#define STEPS 8				/* as in other_next() */

bool front_is_safe(const struct searches *all, const struct holding *h)
{
	if (h->evicting)
		return false;
	return (h->settled && !h->unit)
	       || (holding_reserved_at(h) > all->safe_after && !h->may_shrink)
	       || holding_is_exempt(h);
}

static bool all_are_safe(const struct searches *all,
			 const struct holding_bounds *below)
{
	if (below->kinds & HOLDING_IS_LEAVING)
		return false;
	return below->over_from == INT64_MAX
	       || (below->over_from > all->safe_after
		   && !(below->kinds & HOLDING_MAY_SHRINK));
}

/* It uses one of these pairs, or it is all pairs that count; and a policy may allow it. */
static bool counts(const struct holding *h, const struct needed_pairs *of)
{
	return ((h->pairs & of->bits) || of->bits == UINT64_MAX)
	       && (h->evicting || !limit_bars(&of->limit, holding_highest(h)));
}

static struct holding *there_below(const struct searches *all,
				   const struct rank_node *node,
				   const struct needed_pairs *of)
{
	while (node) {
		struct holding *h = holding_in_order(node), *first;

		if (!(h->in_order.below.pairs & of->bits)
		    || limit_bars(&of->limit, h->in_order.below.over_priority)
		    || all_are_safe(all, &h->in_order.below))
			return NULL;
		first = there_below(all, node->left, of);
		if (first)
			return first;
		if (!h->gone && counts(h, of) && !front_is_safe(all, h))
			return h;
		node = node->right;
	}
	return NULL;
}

/* The first holding of a queue that may be a candidate, and uses one of the pairs; none
 * before h may. Many may have gone for the rest of a plan, or be protected: these are passed
 * over in large steps, with those that use nothing. */
static struct holding *first_from(const struct engine *e, struct queue *q,
				  struct holding *h,
				  const struct needed_pairs *of)
{
	for (int steps = 0; h && (h->gone || !counts(h, of)
				  || front_is_safe(e->searches, h));
	     h = h->next) {
		if (steps++ == STEPS) {
			holdings_know_bounds(q);
			return there_below(e->searches, q->order.root, of);
		}
	}
	return h;
}

static bool queue_borrows(const struct engine *e, const struct needed_pairs *of,
			  const struct queue *q)
{
	if (!e->books->nodes[q->node].borrowed)
		return false;
	for (size_t i = 0; i < of->nneed; i++) {
		if (books_is_over_nominal(e->books, q->node, of->need[i], 0))
			return true;
	}
	return !of->nneed;
}

struct holding *front_first(const struct engine *e, struct queue *q,
			    struct holding *from, const struct needed_pairs *of)
{
	return queue_borrows(e, of, q) ? first_from(e, q, from, of) : NULL;
}

/* ---- orders ---- */

/* That of all pairs; its queues have q->front */
static struct front_order order_of_all(const struct engine *e)
{
	return (struct front_order) {
		.of = { .bits = UINT64_MAX }, .fronts = e->searches->fronts,
		.nfronts = e->searches->nfronts,
	};
}

static struct holding **front_of(const struct front_order *o, struct queue *q)
{
	return o->of_queues ? &o->of_queues[q->index] : &q->front;
}

static struct front *children_of(const struct engine *e,
				 const struct front_order *o, int cohort)
{
	const struct node *nodes = e->books->nodes;

	return &o->fronts[nodes[nodes[cohort].first_child].slot];
}

static struct holding *cohort_front(const struct engine *e,
				    const struct front_order *o, int cohort)
{
	return o->nfronts[cohort] ? children_of(e, o, cohort)->h : NULL;
}

/* The first place that is not before h. Often it is the very first one: callers
 * look there before. */
static size_t place_of(const struct front *all, size_t n,
		       const struct holding *h)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (front_order(all[middle].h, h) < 0)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

static void child_insert(const struct engine *e, const struct front_order *o,
			 int cohort, int child, struct holding *h)
{
	struct front *all = children_of(e, o, cohort);
	size_t n = o->nfronts[cohort]++, place = 0;

	if (n && front_order(all->h, h) < 0)
		place = place_of(all, n, h);
	memmove(&all[place + 1], &all[place], (n - place) * sizeof(*all));
	all[place] = (struct front) { h, child };
}

static void child_remove(const struct engine *e, const struct front_order *o,
			 int cohort, int child, const struct holding *h)
{
	struct front *all = children_of(e, o, cohort);
	size_t *n = &o->nfronts[cohort];
	size_t place = all->h == h ? 0 : place_of(all, *n, h);

	while (all[place].node != child)
		place++;
	memmove(&all[place], &all[place + 1],
		(--*n - place) * sizeof(*all));
}

/* The queue has another front, and so may the cohorts above. NULL: none */
static void front_replace(const struct engine *e, const struct front_order *o,
			  struct queue *q, struct holding *h)
{
	const struct node *nodes = e->books->nodes;
	struct holding *old = *front_of(o, q);
	int node = q->node;

	*front_of(o, q) = h;
	for (int cohort = nodes[node].parent; cohort != SPEC_NONE && old != h;
	     node = cohort, cohort = nodes[node].parent) {
		struct holding *before = cohort_front(e, o, cohort);

		if (old)
			child_remove(e, o, cohort, node, old);
		if (h)
			child_insert(e, o, cohort, node, h);
		old = before;
		h = cohort_front(e, o, cohort);
	}
}

/* `from`: the first one that may be the front now, NULL if that is the first of all. Then
 * only a queue that had none may have another one; else only one of which it was that. */
static void front_renew(const struct engine *e, const struct front_order *o,
			struct queue *q, struct holding *from)
{
	if (*front_of(o, q) == from)
		front_replace(e, o, q, front_first(e, q, from ? from : q->holdings,
						   &o->of));
}

static void fronts_renew(struct engine *e, struct queue *q,
			 struct holding *from)
{
	if (q->front == from) {
		const struct front_order all = order_of_all(e);

		front_renew(e, &all, q, from);
	}
	for (size_t i = 0; i < e->searches->norders; i++)
		front_renew(e, &e->searches->orders[i], q, from);
}

void fronts_note(struct engine *e, struct queue *q)
{
	ends_note(e, q);
	if (e->searches->fronts)
		fronts_renew(e, q, NULL);
}

void fronts_list(struct engine *e, struct queue *q)
{
	struct searches *all = e->searches;

	ends_note(e, q);
	if (all->fronts) {
		const struct front_order order = order_of_all(e);

		front_replace(e, &order, q,
			      front_first(e, q, q->holdings, &order.of));
	}
	for (size_t i = 0; i < all->norders; i++)
		front_replace(e, &all->orders[i], q,
			      front_first(e, q, q->holdings, &all->orders[i].of));
}

void fronts_leave(struct engine *e, struct holding *h)
{
	if (e->searches->fronts)
		fronts_renew(e, h->q, h);
}

/* The front of a node, and the order of its children */
static struct holding *node_begin(struct engine *e, const struct front_order *o,
				  int node, int64_t now)
{
	const struct node *nodes = e->books->nodes;
	struct front *all;
	size_t n = 0;

	if (nodes[node].is_queue) {
		struct queue *q = &e->queues[node - (int) e->books->ncohorts];

		holdings_date(q, now);
		return *front_of(o, q) = front_first(e, q, q->holdings, &o->of);
	}
	if (nodes[node].first_child == SPEC_NONE) {
		o->nfronts[node] = 0;
		return NULL;
	}
	all = children_of(e, o, node);
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		struct holding *h = node_begin(e, o, k, now);

		if (h)
			all[n++] = (struct front) { h, k };
	}
	qsort(all, n, sizeof(*all), front_compare);
	o->nfronts[node] = n;
	return cohort_front(e, o, node);
}

void fronts_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	struct searches *all = e->searches;
	struct front_order order;

	all->lists_leaving = true;
	all->leaving = NULL;
	all->astray = 0;
	all->norders = 0;
	all->awaited = false;
	if (e->fair_sharing || now < 0)
		return;
	all->nfronts = scratch_reserve(e, SCRATCH_FRONT_COUNTS,
				       e->books->ncohorts,
				       sizeof(*all->nfronts));
	if (!all->nfronts)
		return;
	all->fronts = scratch_reserve(e, SCRATCH_FRONTS, e->books->nnodes,
				      sizeof(*all->fronts));
	if (!all->fronts)
		return;
	ends_begin(e, tree, now);
	order = order_of_all(e);
	node_begin(e, &order, tree->root, now);
}

void fronts_await(struct engine *e)
{
	fronts_end(e);
	e->searches->awaited = true;
}

bool fronts_come(const struct search *s)
{
	if (s->e->searches->awaited)
		fronts_begin(s->e, s->q->tree, s->now);
	return s->e->searches->fronts;
}

void fronts_end(struct engine *e)
{
	e->searches->awaited = false;
	e->searches->fronts = NULL;
	e->searches->norders = 0;
	e->searches->lists_leaving = false;
	ends_end(e);
}

/* ---- of some pairs ---- */

static bool order_alloc(struct engine *e, struct front_order *o,
			const struct search *s)
{
	struct arena *arena = &e->arena;

	o->fronts = arena_alloc(arena, e->books->nnodes, sizeof(*o->fronts));
	o->nfronts = arena_alloc(arena, e->books->ncohorts, sizeof(*o->nfronts));
	o->of_queues = arena_alloc(arena, e->nqueues, sizeof(*o->of_queues));
	return needed_pairs_keep(s, &o->of) && o->fronts && o->nfronts && o->of_queues;
}

void fronts_choose(struct search *s)
{
	struct engine *e = s->e;
	struct searches *all = e->searches;
	struct front_order *o = all->orders;

	while (o < all->orders + all->norders && !search_follows(s, &o->of))
		o++;
	if (o == all->orders + all->norders) {
		if (all->astray < s->q->tree->nqueues
		    || all->norders == FRONT_ORDERS || !order_alloc(e, o, s))
			return;
		all->astray = 0;
		all->norders++;
		node_begin(e, o, s->q->tree->root, s->now);
	}
	s->fronts = o->fronts;
	s->nfronts = o->nfronts;
}
