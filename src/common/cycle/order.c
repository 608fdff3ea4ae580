/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.c - in which order the heads of a tree get their turn
 *
 * doc/how-it-decides.md, section 8; with fair sharing, section 7.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/trial.h"
#include "cycle/order.h"
#include "lib/heap.h"
#include "quota/share.h"

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

static bool turn_before(const void *x, const void *y)
{
	const struct entry *const *a = x, *const *b = y;

	return classical_before(*a, *b);
}

static const struct heap_order by_turn = {
	sizeof(struct entry *), turn_before
};

static struct entry *classical_next(struct entry **heap, size_t *left)
{
	heap_drop_first(&by_turn, heap, *left);
	return heap[--*left];
}

/* ---- the tournament ---- */

/* The best head below a node, compared as the node would be with the head's
 * usage. It is known until something changes below the node. */
struct contestant {
	struct entry *entry;		/* NULL: none left */
	bool known;
	bool borrowing;			/* in the pairs that the head asks
					 * for */
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
		    && books_is_over_nominal(e->books, child,
					     d->uses[i].pair, 0))
			c->borrowing = true;
	}
	c->share = *share_of(e->books, child);
	trial_end(e, mark);
}

static bool contestant_wins(const struct contestant *a,
			    const struct contestant *b)
{
	int order;

	if (a->borrowing != b->borrowing)
		return b->borrowing;
	order = share_compare(&a->share, &b->share);
	if (!order)
		order = urgency_compare(a->entry, b->entry);
	if (order)
		return order < 0;
	return a->entry->w->tiebreak < b->entry->w->tiebreak;
}

/* The head that the node sends into the contest of its parent. For a queue the
 * entry is set already. */
static const struct contestant *contest(struct engine *e,
					struct contestant *all, int node)
{
	const struct node *nodes = e->books->nodes;
	struct contestant *c = &all[node];
	const struct contestant *best = NULL;

	if (c->known)
		return c;
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		const struct contestant *child = contest(e, all, k);

		if (child->entry && (!best || contestant_wins(child, best)))
			best = child;
	}
	if (!nodes[node].is_queue)
		c->entry = best ? best->entry : NULL;
	if (c->entry && nodes[node].parent != SPEC_NONE)
		contestant_weigh(e, node, c);
	c->known = true;
	return c;
}

static void contestants_clear(const struct engine *e, struct contestant *all,
			      int node)
{
	const struct node *nodes = e->books->nodes;

	all[node].entry = NULL;
	all[node].known = false;
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling)
		contestants_clear(e, all, k);
}

static struct contestant *contestants(struct engine *e)
{
	return scratch_reserve(e, SCRATCH_HEADS, e->books->nnodes,
			       sizeof(struct contestant));
}

static void fair_begin(struct engine *e, const struct tree *tree,
		       struct entry *const *entries, size_t n)
{
	struct contestant *all = contestants(e);

	if (!all)
		return;
	contestants_clear(e, all, tree->root);
	for (size_t i = 0; i < n; i++)
		all[entries[i]->q->node].entry = entries[i];
}

/* The turn of the winner changes its queue and the nodes above, and no
 * others. */
static struct entry *fair_next(struct engine *e, const struct tree *tree,
			       size_t *left)
{
	struct contestant *all = contestants(e);
	struct entry *winner;
	int node;

	if (!all)
		return NULL;
	winner = contest(e, all, tree->root)->entry;
	node = winner->q->node;
	all[node].entry = NULL;
	for (; node != SPEC_NONE; node = e->books->nodes[node].parent)
		all[node].known = false;
	(*left)--;
	return winner;
}

void order_begin(struct engine *e, const struct tree *tree,
		 struct entry **sorted, size_t n)
{
	if (e->fair_sharing) {
		fair_begin(e, tree, sorted, n);
		return;
	}
	heap_build(&by_turn, sorted, n);
}

struct entry *order_next(struct engine *e, const struct tree *tree,
			 struct entry **sorted, size_t *left)
{
	if (!*left)
		return NULL;
	return e->fair_sharing ? fair_next(e, tree, left)
			       : classical_next(sorted, left);
}
