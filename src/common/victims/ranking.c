/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranking.c - fair sharing: the queues of a flat cohort by how much they borrow
 */
#include <stdlib.h>
#include <string.h>

#include "core/queue_state.h"
#include "core/scratch.h"
#include "core/tree_state.h"
#include "quota/share.h"
#include "victims/fronts.h"
#include "victims/ranking.h"
#include "holding/holding.h"

/* The larger share first, then the better front; those that give nothing come
 * last. < 0, 0, > 0 */
static int ranked_compare(const struct ranked *a, const struct ranked *b)
{
	int order;

	if (!a->front || !b->front)
		return !a->front - !b->front;
	order = share_compare(&b->share, &a->share);
	if (!order)
		order = front_order(a->front, b->front);
	return order ? order : a->q->index - b->q->index;
}

static int ranked_sort(const void *x, const void *y)
{
	return ranked_compare(x, y);
}

/* The place of the queue by the books as they are. Whoever has gone stays gone
 * in a cycle. */
static struct ranked ranked_now(const struct engine *e, struct queue *q,
				struct holding *from)
{
	struct ranked r = { .q = q };

	if (!e->books->nodes[q->node].borrowed)
		return r;
	r.share = *share_of(e->books, q->node);
	r.front = front_first(q, from);
	return r;
}

static bool is_flat(const struct engine *e, const struct tree *tree)
{
	const struct node *nodes = e->books->nodes;
	int k = nodes[tree->root].first_child;

	for (; k != SPEC_NONE; k = nodes[k].next_sibling) {
		if (!nodes[k].is_queue)
			return false;
	}
	return !nodes[tree->root].is_queue;
}

void ranking_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	struct ranked *all;

	if (!e->fair_sharing || !is_flat(e, tree) || tree_protects(e, tree, now))
		return;
	all = scratch_reserve(e, SCRATCH_RANKED, tree->nqueues, sizeof(*all));
	for (size_t i = 0; all && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];

		if (q->nunset && q->unset_at != now)
			holdings_renew(q, now);
		all[i] = ranked_now(e, q, q->holdings);
	}
	if (all)
		qsort(all, tree->nqueues, sizeof(*all), ranked_sort);
	e->searches->ranked = all;
}

void ranking_end(struct engine *e)
{
	e->searches->ranked = NULL;
}

static bool is_as_before(const struct ranked *a, const struct ranked *b)
{
	return a->front == b->front && a->share.ratio == b->share.ratio
	       && a->share.borrowing == b->share.borrowing;
}

/* Moves the i-th to where it belongs among those before it */
static void ranked_insert(struct ranked *all, size_t i)
{
	struct ranked r = all[i];
	size_t low = 0, n = i;

	if (!i || ranked_compare(&all[i - 1], &r) < 0)
		return;
	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (ranked_compare(&all[middle], &r) < 0)
			low = middle + 1;
		else
			n = middle;
	}
	memmove(&all[low + 1], &all[low], (i - low) * sizeof(*all));
	all[low] = r;
}

void ranking_renew(struct search *s)
{
	struct ranked *all = s->e->searches->ranked;
	size_t n = s->q->tree->nqueues;
	bool changed = false;

	s->nranked = all && !s->everybody ? n : 0;
	s->nth_ranked = 0;
	for (size_t i = 0; i < s->nranked; i++) {
		struct queue *q = all[i].q;
		struct ranked r = ranked_now(s->e, q, all[i].front
						      ? all[i].front
						      : q->holdings);

		changed |= !is_as_before(&all[i], &r);
		all[i] = r;
	}
	for (size_t i = 1; changed && i < s->nranked; i++)
		ranked_insert(all, i);
}

bool ranking_precedes(const struct search *s, const struct share *share,
		      const struct candidate *head)
{
	struct candidate bound = { .list = LIST_PRIORITY };
	const struct ranked *next;
	int order;

	if (s->nth_ranked == s->nranked)
		return false;
	next = &s->e->searches->ranked[s->nth_ranked];
	if (!next->front)
		return false;
	if (!share)
		return true;
	order = share_compare(&next->share, share);
	if (order || !head)
		return order >= 0;
	candidate_fill(s, &bound, next->front);
	return !candidate_before(head, &bound);
}

struct stream *ranking_open(struct search *s)
{
	struct queue *q = s->e->searches->ranked[s->nth_ranked++].q;
	size_t before = s->nstreams;

	if (q != s->q && !search_is_within_nominal(s, q->node))
		stream_open_other(s, q, q->tree->root, false);
	return s->nstreams > before ? q->stream : NULL;
}
