/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * victim_queue.c - which queue has to give next, by fair share
 */
#include "core/tree_state.h"
#include "quota/share.h"
#include "victims/victim_queue.h"

void victim_queues_begin(const struct search *s)
{
	s->e->searches->passes++;
}

void victim_queue_close(const struct search *s, int node)
{
	s->e->searches->closed[node] = s->e->searches->passes;
}

static bool is_closed(const struct search *s, int node)
{
	return s->e->searches->closed[node] == s->e->searches->passes;
}

/* The stream of a queue, if it has candidates */
static const struct stream *stream_of(const struct search *s, int node)
{
	const struct queue *q = &s->e->queues[node - (int) s->e->books->ncohorts];

	return q->searched == s->number && q->stream->head.h ? q->stream : NULL;
}

/* It may give: it borrows, or the preemptor's queue is below it or in it. */
static bool may_give(const struct search *s, int node)
{
	const struct books *b = s->e->books;

	if (is_closed(s, node) || (b->nodes[node].is_queue && !stream_of(s, node)))
		return false;
	return share_of(b, node)->borrowing || books_is_below(b, s->q->node, node);
}

/* Of two children with equal shares: cohorts come first, the last one of them
 * in the order of names; then the queue with the better candidate. */
static bool precedes(const struct search *s, int a, int b)
{
	const struct node *nodes = s->e->books->nodes;
	const struct candidate *of_a, *of_b;

	if (nodes[a].is_queue != nodes[b].is_queue)
		return nodes[b].is_queue;
	if (!nodes[a].is_queue)
		return nodes[a].number > nodes[b].number;
	of_a = &stream_of(s, a)->head;
	of_b = &stream_of(s, b)->head;
	if (candidate_before(of_a, of_b))
		return true;
	return !candidate_before(of_b, of_a) && nodes[a].number < nodes[b].number;
}

static bool gives_before(const struct search *s, int a, int b)
{
	int order = share_compare(share_of(s->e->books, a), share_of(s->e->books, b));

	return order ? order > 0 : precedes(s, a, b);
}

/* So many children take about as long as a look at a candidate. */
#define CHILDREN_LOOK 8

static int first_child(const struct search *s, int cohort)
{
	const struct node *nodes = s->e->books->nodes;
	int first = SPEC_NONE;
	uint64_t n = 0;

	for (int k = nodes[cohort].first_child; k != SPEC_NONE; k = nodes[k].next_sibling) {
		n++;
		if (may_give(s, k) && (first == SPEC_NONE || gives_before(s, k, first)))
			first = k;
	}
	s->e->searches->looks += n / CHILDREN_LOOK;
	return first;
}

int victim_queue_next(const struct search *s)
{
	const struct node *nodes = s->e->books->nodes;
	int root = s->q->tree->root, node = root;

	while (!is_closed(s, root)) {
		int child = SPEC_NONE;

		if (!nodes[node].is_queue)
			child = first_child(s, node);
		else if (stream_of(s, node))
			return node;
		if (child == SPEC_NONE)
			victim_queue_close(s, node);	/* it has nothing to give */
		node = child == SPEC_NONE ? root : child;
	}
	return SPEC_NONE;
}
