/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * walks.c - a search comes to the queues of a tree by their fronts
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "candidates/fronts.h"
#include "holding/holding.h"

static const struct front *children_of(const struct search *s, int cohort)
{
	const struct node *nodes = s->e->books->nodes;

	return &s->fronts[nodes[nodes[cohort].first_child].slot];
}

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

		walks[i]->n = top != SPEC_NONE && s->nfronts[top];
		if (walks[i]->n)
			walks[i]->cursors[0] = (struct front_cursor) {
				children_of(s, top)->h, 0, top, top
			};
	}
}

int64_t highest_allowed(const struct search *s)
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
	s->fronts = s->e->searches->fronts;
	s->nfronts = s->e->searches->nfronts;
	if (fronts_have_choice(s))
		fronts_choose(s);
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

	if (++c->next < s->nfronts[c->cohort]) {
		c->h = children_of(s, c->cohort)[c->next].h;
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
	if (++rest.next == s->nfronts[rest.cohort])
		return;
	rest.h = children_of(s, rest.cohort)[rest.next].h;
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
		int node = children_of(s, c->cohort)[c->next].node;

		*lca = meeting_place(s, walk, node);
		if (*lca == SPEC_NONE || s->e->books->nodes[node].is_queue)
			return node;
		walk_step_into(s, walk, node, *lca);
	}
}

struct stream *walk_open(struct search *s, struct front_walk *walk)
{
	const struct books *b = s->e->books;
	struct searches *all = s->e->searches;

	while (!walk_is_over(walk)) {
		int lca, node = walk_descend(s, walk, &lca);
		const struct holding *front = walk->cursors[0].h;
		size_t before = s->nstreams;
		struct queue *q;

		walk_step(s, walk);
		all->astray++;
		if (lca == SPEC_NONE)
			continue;
		q = &s->e->queues[node - (int) b->ncohorts];
		if (q->searched == s->number)
			continue;
		stream_open_other(s, q, lca, walk->list == LIST_HIERARCHY);
		if (s->nstreams == before)
			continue;
		all->astray -= q->stream->head.h == front;
		return q->stream;
	}
	return NULL;
}
