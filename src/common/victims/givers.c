/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * givers.c - which queue has to give next, by fair share
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "lib/heap.h"
#include "victims/givers.h"

/* A child of a cohort that may give */
struct giver {
	struct share share;
	const struct stream *stream;	/* NULL: a cohort */
	int node;
	int slot;
};

/* Of two children with equal shares: cohorts come first, the last one of them
 * in the order of names; then the queue with the better candidate. */
static bool giver_precedes(const struct giver *a, const struct giver *b)
{
	if (!a->stream != !b->stream)
		return !a->stream;
	if (!a->stream)
		return a->slot > b->slot;
	if (candidate_before(&a->stream->head, &b->stream->head))
		return true;
	if (candidate_before(&b->stream->head, &a->stream->head))
		return false;
	return a->slot < b->slot;
}

static bool giver_before(const void *x, const void *y)
{
	const struct giver *a = x, *b = y;
	int order = share_compare(&a->share, &b->share);

	return order ? order > 0 : giver_precedes(a, b);
}

static const struct heap_order by_share = {
	sizeof(struct giver), giver_before
};

static struct giver *heap_of(const struct givers *g, int cohort)
{
	const struct node *nodes = g->s->e->books->nodes;

	return &g->children[nodes[nodes[cohort].first_child].slot];
}

static struct giver_heap *state_of(const struct givers *g, int node)
{
	return &g->s->e->searches->givers[node];
}

static bool is_closed(const struct givers *g, int node)
{
	return state_of(g, node)->closed == g->pass;
}

static void heap_open(struct givers *g, int cohort);

/* Puts the node into the heap of its cohort, and the cohorts above into theirs */
static void child_add(struct givers *g, int node, const struct stream *stream)
{
	const struct books *b = g->s->e->books;
	int parent = b->nodes[node].parent;
	struct giver_heap *state;
	struct giver *heap;

	if (parent == SPEC_NONE || is_closed(g, node))
		return;
	state = state_of(g, parent);
	if (state->heap != g->heaps)
		heap_open(g, parent);
	heap = heap_of(g, parent);
	heap[state->n] = (struct giver) {
		*share_of(b, node), stream, node, b->nodes[node].slot
	};
	heap_raise(&by_share, heap, state->n++);
}

static void heap_open(struct givers *g, int cohort)
{
	struct giver_heap *state = state_of(g, cohort);

	if (state->heap == g->heaps)
		return;
	*state = (struct giver_heap) {
		.heap = g->heaps, .closed = state->closed,
	};
	child_add(g, cohort, NULL);
}

void givers_renew(struct givers *g)
{
	const struct search *s = g->s;

	g->heaps = ++s->e->searches->passes;
	for (size_t i = 0; i < s->nstreams; i++) {
		const struct stream *st = &s->streams[i];

		if (st->head.h)
			child_add(g, st->q->node, st);
	}
}

bool givers_begin(struct givers *g, struct search *s)
{
	const struct books *b = s->e->books;

	g->s = s;
	g->pass = ++s->e->searches->passes;
	g->children = scratch_reserve(s->e, SCRATCH_GIVERS, b->nnodes,
				      sizeof(*g->children));
	if (!g->children)
		return false;
	givers_renew(g);
	return true;
}

/* It can give nothing more: it does not borrow, and the preemptor's queue is
 * not below it or in it. */
static bool giver_is_spent(const struct givers *g, const struct giver *c)
{
	if (c->stream && !c->stream->head.h)
		return true;
	return !c->share.borrowing
	       && !books_is_below(g->s->e->books, g->s->q->node, c->node);
}

/* Takes children that are spent off the heap of a cohort. The number of those
 * that are left */
static size_t heap_prune(struct givers *g, int cohort)
{
	struct giver_heap *state = state_of(g, cohort);
	struct giver *heap = heap_of(g, cohort);

	if (state->heap != g->heaps || is_closed(g, cohort))
		return 0;
	while (state->n && giver_is_spent(g, heap))
		heap_drop_first(&by_share, heap, state->n--);
	return state->n;
}

/* The node is on top of the heap of its cohort. */
static void giver_drop(struct givers *g, int node)
{
	int parent = g->s->e->books->nodes[node].parent;

	heap_drop_first(&by_share, heap_of(g, parent),
			state_of(g, parent)->n--);
}

int givers_next(struct givers *g)
{
	const struct node *nodes = g->s->e->books->nodes;
	int root = g->s->q->tree->root;
	int node = root;

	if (nodes[root].is_queue) {
		const struct stream *own = stream_own(g->s);

		return own && own->head.h && !is_closed(g, root) ? root : SPEC_NONE;
	}
	while (!nodes[node].is_queue) {
		if (heap_prune(g, node)) {
			node = heap_of(g, node)->node;
			continue;
		}
		if (node == root)
			return SPEC_NONE;
		giver_drop(g, node);
		node = root;
	}
	return node;
}

void givers_settle(struct givers *g, int giver)
{
	const struct books *b = g->s->e->books;

	for (int node = giver, parent = b->nodes[node].parent;
	     parent != SPEC_NONE;
	     node = parent, parent = b->nodes[node].parent) {
		struct giver_heap *state = state_of(g, parent);
		struct giver *top = heap_of(g, parent);

		if (is_closed(g, node) || giver_is_spent(g, top)) {
			heap_drop_first(&by_share, top, state->n--);
			continue;
		}
		top->share = *share_of(b, node);
		heap_sink(&by_share, top, state->n, 0);
	}
}

void givers_close(struct givers *g, int node)
{
	state_of(g, node)->closed = g->pass;
}
