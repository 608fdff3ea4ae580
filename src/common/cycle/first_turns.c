/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first_turns.c - the head that has the first turn, without a look at all others
 *
 * The heap may have heads that are none any more. The next head of a queue is never more
 * urgent than the one before it, so that is put right when they come to the top.
 */
#include "core/scratch.h"
#include "core/tree_state.h"
#include "cycle/first_turns.h"
#include "cycle/queue_heads.h"
#include "lib/heap.h"

/* So many heads that borrow may be more urgent. */
#define MOST_ASIDE 4

static bool head_before(const void *x, const void *y)
{
	const struct workload *const *a = x, *const *b = y;

	return is_more_urgent(*a, *b);
}

static const struct heap_order by_urgency = {
	sizeof(struct workload *), head_before
};

static bool is_possible(const struct engine *e, const struct tree *tree)
{
	if (e->fair_sharing || tree->nwithholding)
		return false;
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i]->spec.by_usage)
			return false;
	}
	return true;
}

bool first_turns_begin(struct first_turns *t, struct engine *e,
		       struct tree *tree, int64_t now)
{
	*t = (struct first_turns) { .e = e, .tree = tree, .now = now };
	if (!is_possible(e, tree))
		return false;
	t->heads = scratch_reserve(e, SCRATCH_FIRST_TURNS, tree->nqueues,
				   sizeof(struct workload *));
	if (!t->heads)
		return false;
	for (size_t i = 0; i < tree->nqueues; i++) {
		struct workload *w = heads_get(tree->queues[i]);

		if (w)
			t->heads[t->n++] = w;
	}
	heap_build(&by_urgency, t->heads, t->n);
	return true;
}

/* Puts the top right until it is a head. NULL: there is none left */
static struct workload *top_find(struct first_turns *t)
{
	while (t->n) {
		struct workload *w = heads_get(t->heads[0]->shape->q);

		if (w == t->heads[0])
			return w;
		if (w) {
			t->heads[0] = w;
			heap_sink(&by_urgency, t->heads, t->n, 0);
		} else {
			heap_drop_first(&by_urgency, t->heads, t->n--);
		}
	}
	return NULL;
}

/* No other head, or only one that was the head of its queue before, is as urgent as the
 * one on top: then a heap of all of them could have any of them first. */
static bool top_is_alone(const struct first_turns *t)
{
	for (size_t i = 1; i < t->n && i < 3; i++) {
		if (!is_more_urgent(t->heads[0], t->heads[i]))
			return false;
	}
	return true;
}

/* -1 with e->no_memory set; 0: the head on top borrows */
static int top_try(struct first_turns *t, struct workload *w)
{
	t->entry = (struct entry) { .w = w, .q = w->shape->q };
	if (cycle_first_turn(t->e, t->tree, t->now, &t->entry) < 0)
		return -1;
	return t->entry.nominated.draft.public.borrow == 0;
}

struct entry *first_turns_next(struct first_turns *t)
{
	struct workload *aside[MOST_ASIDE], *w;
	size_t naside = 0;
	int rc = 0;

	if (t->tree->nwithholding)
		return NULL;
	while (!rc && (w = top_find(t))) {
		rc = top_is_alone(t) ? top_try(t, w) : -1;
		if (rc)
			break;
		if (naside == MOST_ASIDE)
			return NULL;
		aside[naside++] = w;
		heap_drop_first(&by_urgency, t->heads, t->n--);
	}
	while (naside) {
		t->heads[t->n] = aside[--naside];
		heap_raise(&by_urgency, t->heads, t->n++);
	}
	return rc > 0 ? &t->entry : NULL;
}
