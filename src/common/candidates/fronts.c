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
	return (holding_reserved_at(h) > all->safe_after && !h->may_shrink)
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

static struct holding *there_below(const struct searches *all,
				   const struct rank_node *node)
{
	while (node) {
		struct holding *h = holding_in_order(node), *first;

		if (!h->in_order.below.pairs
		    || all_are_safe(all, &h->in_order.below))
			return NULL;
		first = there_below(all, node->left);
		if (first)
			return first;
		if (!h->gone && !front_is_safe(all, h))
			return h;
		node = node->right;
	}
	return NULL;
}

/* The first holding of the queue that may be a candidate; none before h may. Many may
 * have gone for the rest of a plan, or be protected: these are passed over in large
 * steps, with those that use nothing. */
struct holding *front_first(const struct engine *e, struct queue *q,
			    struct holding *h)
{
	for (int steps = 0; h && (h->gone || front_is_safe(e->searches, h));
	     h = h->next) {
		if (steps++ == STEPS) {
			holdings_know_bounds(q);
			return there_below(e->searches, q->order.root);
		}
	}
	return h;
}

static struct holding *queue_front(const struct engine *e, struct queue *q,
				   struct holding *from)
{
	return e->books->nodes[q->node].borrowed ? front_first(e, q, from)
					       : NULL;
}

/* ---- children in order ---- */

static struct front *children_of(const struct engine *e, int cohort)
{
	const struct node *nodes = e->books->nodes;

	return &e->searches->fronts[nodes[nodes[cohort].first_child].slot];
}

static struct holding *cohort_front(const struct engine *e, int cohort)
{
	return e->searches->nfronts[cohort] ? children_of(e, cohort)->h : NULL;
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

static void child_insert(struct engine *e, int cohort, int child,
			 struct holding *h)
{
	struct front *all = children_of(e, cohort);
	size_t n = e->searches->nfronts[cohort]++, place = 0;

	if (n && front_order(all->h, h) < 0)
		place = place_of(all, n, h);
	memmove(&all[place + 1], &all[place], (n - place) * sizeof(*all));
	all[place] = (struct front) { h, child };
}

static void child_remove(struct engine *e, int cohort, int child,
			 const struct holding *h)
{
	struct front *all = children_of(e, cohort);
	size_t *n = &e->searches->nfronts[cohort];
	size_t place = all->h == h ? 0 : place_of(all, *n, h);

	while (all[place].node != child)
		place++;
	memmove(&all[place], &all[place + 1],
		(--*n - place) * sizeof(*all));
}

/* The queue has another front, and so may the cohorts above. NULL: none */
static void front_replace(struct engine *e, struct queue *q, struct holding *h)
{
	const struct node *nodes = e->books->nodes;
	struct holding *old = q->front;
	int node = q->node;

	q->front = h;
	for (int cohort = nodes[node].parent; cohort != SPEC_NONE && old != h;
	     node = cohort, cohort = nodes[node].parent) {
		struct holding *before = cohort_front(e, cohort);

		if (old)
			child_remove(e, cohort, node, old);
		if (h)
			child_insert(e, cohort, node, h);
		old = before;
		h = cohort_front(e, cohort);
	}
}

void fronts_note(struct engine *e, struct queue *q)
{
	ends_note(e, q);
	e->searches->mosts = NULL;
	if (e->searches->fronts && !q->front)
		front_replace(e, q, queue_front(e, q, q->holdings));
}

void fronts_leave(struct engine *e, struct holding *h)
{
	if (e->searches->fronts && h->q->front == h)
		front_replace(e, h->q, queue_front(e, h->q, h));
}

/* The front of a node, and the order of its children */
static struct holding *node_begin(struct engine *e, int node, int64_t now)
{
	const struct node *nodes = e->books->nodes;
	struct front *all;
	size_t n = 0;

	if (nodes[node].is_queue) {
		struct queue *q = &e->queues[node - (int) e->books->ncohorts];

		holdings_date(q, now);
		q->front = queue_front(e, q, q->holdings);
		return q->front;
	}
	if (nodes[node].first_child == SPEC_NONE) {
		e->searches->nfronts[node] = 0;
		return NULL;
	}
	all = children_of(e, node);
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		struct holding *h = node_begin(e, k, now);

		if (h)
			all[n++] = (struct front) { h, k };
	}
	qsort(all, n, sizeof(*all), front_compare);
	e->searches->nfronts[node] = n;
	return cohort_front(e, node);
}

void fronts_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	struct searches *all = e->searches;

	all->vain = 0;
	all->mosts = NULL;
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
	node_begin(e, tree->root, now);
}

void fronts_end(struct engine *e)
{
	e->searches->fronts = NULL;
	ends_end(e);
}

/* ---- walks ---- */

static bool cursor_before(const void *x, const void *y)
{
	const struct front_cursor *a = x, *b = y;

	return front_order(a->h, b->h) < 0;
}

static const struct heap_order by_front = {
	sizeof(struct front_cursor), cursor_before
};

void walks_rewind(struct search *s)
{
	struct front_walk *walks[] = { &s->hierarchy, &s->others };

	for (size_t i = 0; i < 2; i++) {
		int top = walks[i]->top;

		walks[i]->n = top != SPEC_NONE && s->e->searches->nfronts[top];
		if (walks[i]->n)
			walks[i]->cursors[0] = (struct front_cursor) {
				cohort_front(s->e, top), 0, top, top
			};
	}
}

/* The highest priority that policies let the search evict; see candidates_end() */
static int64_t highest_allowed(const struct search *s)
{
	int64_t priority = s->w->shape->priority;

	switch (s->q->spec.reclaim) {
	case POLICY_ANY:
		return INT64_MAX;
	case POLICY_LOWER_PRIORITY:
		return priority > INT64_MIN ? priority - 1 : priority;
	default:
		return priority;
	}
}

void walk_limit(struct search *s, bool borrows)
{
	const struct spec_queue *spec = &s->q->spec;
	int64_t highest = highest_allowed(s);

	if (borrows)
		highest = min64(highest, sat_sub(s->w->shape->priority, 1));
	if (borrows && spec->threshold_set)
		highest = min64(highest, spec->threshold);
	s->others.highest = highest;
}

bool walks_begin(struct search *s, int advantage, int others)
{
	const struct books *b = s->e->books;
	struct front_cursor *room = scratch_reserve(s->e, SCRATCH_WALKS,
						    2 * b->ncohorts,
						    sizeof(*room));

	if (!room)
		return false;
	s->hierarchy = (struct front_walk) {
		.cursors = room, .list = LIST_HIERARCHY, .deepest = -1,
		.top = SPEC_NONE, .highest = highest_allowed(s),
	};
	s->others = (struct front_walk) {
		.cursors = room + b->ncohorts, .list = LIST_PRIORITY,
		.deepest = (int) b->nnodes, .top = others,
		.highest = s->hierarchy.highest,
	};
	if (advantage != SPEC_NONE) {
		s->hierarchy.top = s->q->tree->root;
		s->hierarchy.deepest = b->nodes[advantage].depth;
	}
	s->by_fronts = true;
	walks_rewind(s);
	return true;
}

static inline bool walk_is_over(const struct front_walk *walk)
{
	const struct holding *h;

	if (!walk->n)
		return true;
	h = walk->cursors[0].h;
	return !h->evicting && h->priority > walk->highest;
}

bool walk_is_behind(const struct search *s, const struct front_walk *walk,
		    const struct candidate *c)
{
	struct candidate best = { .list = walk->list };

	if (walk_is_over(walk))
		return true;
	candidate_fill(s, &best, walk->cursors[0].h);
	return candidate_before(c, &best);
}

/* The first cursor goes on to its next child. */
static void walk_step(const struct search *s, struct front_walk *walk)
{
	struct front_cursor *c = &walk->cursors[0];

	if (++c->next < s->e->searches->nfronts[c->cohort]) {
		c->h = children_of(s->e, c->cohort)[c->next].h;
		heap_sink(&by_front, walk->cursors, walk->n, 0);
	} else {
		heap_drop_first(&by_front, walk->cursors, walk->n--);
	}
}

/* The same, after it has come to a cohort, whose front is its own one: so the
 * cursor of that cohort comes first now. */
static void walk_step_into(const struct search *s, struct front_walk *walk,
			   int cohort, int lca)
{
	struct front_cursor *first = &walk->cursors[0], rest = *first;

	first->cohort = cohort;
	first->next = 0;
	first->lca = lca;
	if (++rest.next == s->e->searches->nfronts[rest.cohort])
		return;
	rest.h = children_of(s->e, rest.cohort)[rest.next].h;
	walk->cursors[walk->n] = rest;
	heap_raise(&by_front, walk->cursors, walk->n++);
}

/* Where candidates of a node that the walk has come to meet the preemptor;
 * SPEC_NONE: none of them is of use */
static int meeting_place(const struct search *s, const struct front_walk *walk,
			 int node)
{
	const struct node *n = &s->e->books->nodes[node];

	if (books_is_below(s->e->books, s->q->node, node))
		return !n->is_queue && n->depth <= walk->deepest ? node
								 : SPEC_NONE;
	return search_is_within_nominal(s, node) ? SPEC_NONE
						 : walk->cursors[0].lca;
}

/* The next queue, or cohort that is of no use. The front stays the same on the
 * way down. */
static int walk_descend(const struct search *s, struct front_walk *walk,
			int *lca)
{
	const struct front_cursor *c = &walk->cursors[0];

	for (;;) {
		int node = children_of(s->e, c->cohort)[c->next].node;

		*lca = meeting_place(s, walk, node);
		if (*lca == SPEC_NONE || s->e->books->nodes[node].is_queue)
			return node;
		walk_step_into(s, walk, node, *lca);
	}
}

struct stream *walk_open(struct search *s, struct front_walk *walk)
{
	const struct books *b = s->e->books;

	while (!walk_is_over(walk)) {
		int lca, node = walk_descend(s, walk, &lca);
		size_t before = s->nstreams;
		struct queue *q;

		walk_step(s, walk);
		if (lca == SPEC_NONE)
			continue;
		q = &s->e->queues[node - (int) b->ncohorts];
		if (q->searched == s->number)
			continue;
		stream_open_other(s, q, lca, walk->list == LIST_HIERARCHY);
		if (s->nstreams > before)
			return q->stream;
	}
	return NULL;
}
