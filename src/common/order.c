/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.c - in which order the heads of a tree get their turn
 */
#include "order.h"
#include "share.h"

/* Higher priority, then earlier */
static int urgency_compare(const struct entry *a, const struct entry *b)
{
	if (a->w->shape->priority != b->w->shape->priority)
		return a->w->shape->priority > b->w->shape->priority ? -1 : 1;
	if (a->w->queue_order_at != b->w->queue_order_at)
		return a->w->queue_order_at < b->w->queue_order_at ? -1 : 1;
	return 0;
}

static bool classical_before(const struct entry *a, const struct entry *b)
{
	int level_a = a->nominated.draft.public.borrow;
	int level_b = b->nominated.draft.public.borrow;
	int order;

	if (level_a != level_b)
		return level_a < level_b;
	order = urgency_compare(a, b);
	return order ? order < 0 : a->w->tiebreak < b->w->tiebreak;
}

static void heap_sift(struct entry **heap, size_t n, size_t i)
{
	struct entry *moved = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			break;
		if (child + 1 < n
		    && classical_before(heap[child + 1], heap[child]))
			child++;
		if (!classical_before(heap[child], moved))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

void order_begin(struct engine *e, struct entry **sorted, size_t n)
{
	if (e->fair_sharing)
		return;
	for (size_t i = n / 2; i-- > 0; )
		heap_sift(sorted, n, i);
}

static struct entry *classical_next(struct entry **heap, size_t *left)
{
	struct entry *first = heap[0];

	heap[0] = heap[--*left];
	if (*left)
		heap_sift(heap, *left, 0);
	return first;
}

/* ---- the tournament ---- */

/* A head, as a child of some cohort looks with the head's usage in it */
struct contestant {
	struct entry *entry;		/* NULL: nobody below this child */
	bool borrowing;			/* in what the head asks for */
	struct share share;
};

static void contestant_weigh(struct engine *e, int child,
			     struct contestant *c)
{
	const struct draft *d = &c->entry->nominated.draft;
	size_t mark = trial_begin(e);

	books_add_all(e->books, c->entry->q->node, d->uses, d->public.nusage);
	c->borrowing = false;
	for (size_t i = 0; i < d->public.nusage; i++) {
		if (d->uses[i].amount > 0
		    && books_borrows_with(e->books, child, d->uses[i].pair, 0))
			c->borrowing = true;
	}
	c->share = *share_of(e->books, child);
	trial_end(e, mark);
}

static bool contestant_wins(const struct contestant *a,
			    const struct contestant *b)
{
	int order;

	if (!b->entry)
		return true;
	if (a->borrowing != b->borrowing)
		return b->borrowing;
	order = share_compare(&a->share, &b->share);
	if (!order)
		order = urgency_compare(a->entry, b->entry);
	if (order)
		return order < 0;
	return a->entry->w->tiebreak < b->entry->w->tiebreak;
}

/* heads[node] is the head of a queue, NULL if it has none left */
static struct entry *tournament(struct engine *e, struct entry *const *heads,
				int node)
{
	const struct node *nodes = e->books->nodes;
	struct contestant best = { .entry = NULL };

	if (nodes[node].is_queue)
		return heads[node - (int) e->books->ncohorts];
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		struct contestant c = { .entry = tournament(e, heads, k) };

		if (!c.entry)
			continue;
		contestant_weigh(e, k, &c);
		if (contestant_wins(&c, &best))
			best = c;
	}
	return best.entry;
}

static struct entry *fair_next(struct engine *e, const struct tree *tree,
			       struct entry **entries, size_t *left)
{
	struct entry **heads = scratch_reserve(e, SCRATCH_HEADS, e->nqueues,
					       sizeof(*heads));
	struct entry *winner;
	size_t n = 0;

	if (!heads)
		return NULL;
	for (size_t i = 0; i < tree->nqueues; i++)
		heads[tree->queues[i]->index] = NULL;
	for (size_t i = 0; i < *left; i++)
		heads[entries[i]->q->index] = entries[i];
	winner = tournament(e, heads, tree->root);
	for (size_t i = 0; i < *left; i++) {
		if (entries[i] != winner)
			entries[n++] = entries[i];
	}
	*left = n;
	return winner;
}

struct entry *order_next(struct engine *e, const struct tree *tree,
			 struct entry **sorted, size_t *left)
{
	if (!*left)
		return NULL;
	return e->fair_sharing ? fair_next(e, tree, sorted, left)
			       : classical_next(sorted, left);
}
