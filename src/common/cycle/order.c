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

static bool classical_before(const struct entry *a, const struct entry *b)
{
	int level_a = a->nominated.draft.public.borrow;
	int level_b = b->nominated.draft.public.borrow;

	if (level_a != level_b)
		return level_a < level_b;
	return is_more_urgent(a->w, b->w);
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
 * usage */
struct contestant {
	struct entry *entry;		/* NULL: none left */
	bool borrowing;			/* in the pairs that the head asks
					 * for */
	struct share share;
	int slot;
	size_t n;			/* a cohort: how many children have a
					 * head */
};

/* The tournament of a tree. Each cohort has a heap of its children that have a
 * head, the winner on top. A turn changes the queue of the winner and the nodes
 * above it, which are all on top of their heaps, and no others. */
struct tournament {
	struct engine *e;
	const struct stays *stays;
	int winner;			/* queue of the last turn; SPEC_NONE */
	struct contestant *all;		/* by node */
	struct contestant **heaps;	/* by slot: that of a cohort begins at its
					 * first child */
};

static void contestant_weigh(const struct stays *stays, int child,
			     struct contestant *c)
{
	const struct draft *d = &c->entry->nominated.draft;
	struct engine *e = stays->e;
	size_t mark = trial_begin(e);

	stays_restore(stays, c->entry->q, child);
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
	return order ? order < 0 : is_more_urgent(a->entry->w, b->entry->w);
}

static bool contestant_before(const void *x, const void *y)
{
	const struct contestant *const *a = x, *const *b = y;

	if (contestant_wins(*a, *b))
		return true;
	return !contestant_wins(*b, *a) && (*a)->slot < (*b)->slot;
}

static const struct heap_order by_contest = {
	sizeof(struct contestant *), contestant_before
};

static struct contestant **heap_of(const struct tournament *t, int cohort)
{
	const struct node *nodes = t->e->books->nodes;

	return &t->heaps[nodes[nodes[cohort].first_child].slot];
}

/* The head that the node sends into the contest of its parent: of a cohort the
 * one on top, of a queue its own */
static void contestant_renew(const struct tournament *t, int node)
{
	const struct node *nodes = t->e->books->nodes;
	struct contestant *c = &t->all[node];

	if (!nodes[node].is_queue)
		c->entry = c->n ? heap_of(t, node)[0]->entry : NULL;
	if (c->entry && nodes[node].parent != SPEC_NONE)
		contestant_weigh(t->stays, node, c);
}

static void contest_begin(const struct tournament *t, int node)
{
	const struct node *nodes = t->e->books->nodes;
	struct contestant *c = &t->all[node];

	c->slot = nodes[node].slot;
	c->n = 0;
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling) {
		contest_begin(t, k);
		if (t->all[k].entry)
			heap_of(t, node)[c->n++] = &t->all[k];
	}
	if (c->n)
		heap_build(&by_contest, heap_of(t, node), c->n);
	contestant_renew(t, node);
}

/* The winner has had its turn: the next head of its queue, if there is any more,
 * and of the cohorts above */
static void contest_go_on(const struct tournament *t)
{
	const struct node *nodes = t->e->books->nodes;
	int node = t->winner;

	contestant_renew(t, node);
	for (int parent = nodes[node].parent; parent != SPEC_NONE;
	     node = parent, parent = nodes[node].parent) {
		struct contestant *c = &t->all[parent];

		if (t->all[node].entry)
			heap_sink(&by_contest, heap_of(t, parent), c->n, 0);
		else
			heap_drop_first(&by_contest, heap_of(t, parent),
					c->n--);
		contestant_renew(t, parent);
	}
}

static bool tournament_of(struct engine *e, struct tournament *t)
{
	size_t n = e->books->nnodes;

	t->e = e;
	t->all = scratch_reserve(e, SCRATCH_HEADS, n, sizeof(*t->all));
	t->heaps = scratch_reserve(e, SCRATCH_CONTEST, n, sizeof(*t->heaps));
	return t->all && t->heaps;
}

static void contestants_clear(const struct tournament *t, int node)
{
	const struct node *nodes = t->e->books->nodes;

	t->all[node].entry = NULL;
	for (int k = nodes[node].first_child; k != SPEC_NONE;
	     k = nodes[k].next_sibling)
		contestants_clear(t, k);
}

static void fair_begin(struct engine *e, const struct tree *tree,
		       struct entry *const *entries, size_t n)
{
	struct tournament t;

	e->turn_of = SPEC_NONE;
	if (!tournament_of(e, &t))
		return;
	contestants_clear(&t, tree->root);
	for (size_t i = 0; i < n; i++)
		t.all[entries[i]->q->node].entry = entries[i];
}

static struct entry *fair_next(const struct stays *stays,
			       const struct tree *tree, size_t *left)
{
	struct engine *e = stays->e;
	struct tournament t = { .stays = stays, .winner = e->turn_of };
	struct entry *winner;

	if (!tournament_of(e, &t))
		return NULL;
	if (t.winner == SPEC_NONE)
		contest_begin(&t, tree->root);
	else
		contest_go_on(&t);
	winner = t.all[tree->root].entry;
	e->turn_of = winner->q->node;
	t.all[e->turn_of].entry = NULL;
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

struct entry *order_next(const struct stays *stays, const struct tree *tree,
			 struct entry **sorted, size_t *left)
{
	if (!*left || stays->e->no_memory)
		return NULL;
	return stays->e->fair_sharing ? fair_next(stays, tree, left)
				      : classical_next(sorted, left);
}
