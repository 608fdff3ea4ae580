/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * order.c - in which order the heads of a tree get their turn
 *
 * doc/how-it-decides.md, section 8; with fair sharing, section 7.
 */
#include <stdlib.h>

#include "core/tree_state.h"
#include "holding/holding.h"
#include "cycle/cycle.h"
#include "quota/share.h"

static bool classical_before(const struct entry *a, const struct entry *b)
{
	int level_a = a->nominated.draft.borrow;
	int level_b = b->nominated.draft.borrow;

	if (level_a != level_b)
		return level_a < level_b;
	return is_more_urgent(a->w, b->w);
}

/* The first one stands last */
static int turn_compare(const void *x, const void *y)
{
	const struct entry *const *a = x, *const *b = y;

	return (int) classical_before(*a, *b) - (int) classical_before(*b, *a);
}

/* ---- the tournament ---- */

/* The best head below a node, compared as the node would be with the head's usage */
struct contestant {
	struct entry *entry;		/* NULL: none left */
	bool borrowing;			/* in the pairs that the head asks for */
	struct share share;
};

static void contestant_weigh(struct engine *e, int node, struct contestant *c)
{
	const struct assignment *d = &c->entry->nominated.draft;
	size_t mark = trial_begin(e);

	books_change(e->books, c->entry->q->node, d->uses, d->nusage, 1);
	c->borrowing = false;
	for (size_t i = 0; i < d->nusage; i++) {
		if (d->uses[i].amount > 0
		    && books_is_over_nominal(e->books, node, d->uses[i].pair, 0))
			c->borrowing = true;
	}
	c->share = *share_of(e->books, node);
	trial_end(e, mark);
}

static bool contestant_wins(const struct contestant *a, const struct contestant *b)
{
	int order;

	if (a->borrowing != b->borrowing)
		return b->borrowing;
	order = share_compare(&a->share, &b->share);
	return order ? order < 0 : is_more_urgent(a->entry->w, b->entry->w);
}

/* The head that the node sends into the contest of its parent: of a cohort the
 * winner of its children, of a queue its own */
static void contestant_renew(struct engine *e, struct contestant *all, int node)
{
	const struct node *nodes = e->books->nodes;
	const struct contestant *best = NULL;

	for (int k = nodes[node].first_child; k != SPEC_NONE; k = nodes[k].next_sibling) {
		if (all[k].entry && (!best || contestant_wins(&all[k], best)))
			best = &all[k];
	}
	if (!nodes[node].is_queue)
		all[node].entry = best ? best->entry : NULL;
	if (all[node].entry && nodes[node].parent != SPEC_NONE)
		contestant_weigh(e, node, &all[node]);
}

static void contest_begin(struct engine *e, struct contestant *all, int node)
{
	const struct node *nodes = e->books->nodes;

	for (int k = nodes[node].first_child; k != SPEC_NONE; k = nodes[k].next_sibling)
		contest_begin(e, all, k);
	contestant_renew(e, all, node);
}

static struct contestant *contestants(struct engine *e)
{
	return scratch_reserve(e, SCRATCH_HEADS, e->books->nnodes, sizeof(struct contestant));
}

static void fair_begin(struct engine *e, const struct tree *tree,
		       struct entry *const *entries, size_t n)
{
	struct contestant *all = contestants(e);

	e->turn_of = SPEC_NONE;
	for (size_t i = 0; all && i < tree->nqueues; i++)
		all[tree->queues[i]->node].entry = NULL;
	for (size_t i = 0; all && i < n; i++)
		all[entries[i]->q->node].entry = entries[i];
}

static struct entry *fair_next(struct engine *e, const struct tree *tree, size_t *left)
{
	struct contestant *all = contestants(e);
	struct entry *winner;

	if (!all)
		return NULL;
	if (e->turn_of == SPEC_NONE)
		contest_begin(e, all, tree->root);
	/* the last turn has changed its queue and the cohorts above */
	for (int node = e->turn_of; node != SPEC_NONE; node = e->books->nodes[node].parent)
		contestant_renew(e, all, node);
	winner = all[tree->root].entry;
	e->turn_of = winner->q->node;
	all[e->turn_of].entry = NULL;
	(*left)--;
	return winner;
}

void order_begin(struct engine *e, const struct tree *tree, struct entry **sorted, size_t n)
{
	if (e->fair_sharing)
		fair_begin(e, tree, sorted, n);
	else
		qsort(sorted, n, sizeof(*sorted), turn_compare);
}

struct entry *order_next(struct engine *e, const struct tree *tree,
			 struct entry **sorted, size_t *left)
{
	if (!*left || e->no_memory)
		return NULL;
	return e->fair_sharing ? fair_next(e, tree, left) : sorted[--*left];
}
