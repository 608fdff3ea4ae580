/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ends.c - which queues could tell a search sooner when a protection ends
 */
#include <stdlib.h>

#include "core/scratch.h"
#include "core/tree_state.h"
#include "quota/minruntime.h"
#include "candidates/allow.h"
#include "candidates/ends.h"

/* A queue that holds something, and bounds of all that it holds */
struct end {
	int64_t first;			/* no protection ends before that; 0: some
					 * of it is not only a matter of time */
	struct queue *q;
	struct holding_bounds bounds;
};

/* The min-runtimes that may be at work in a tree */
struct runtimes {
	int64_t shortest, longest;
	bool turns;			/* some queue has turns */
};

static bool has_turns(const struct tree *tree)
{
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i]->spec.min_admit != SPEC_NO_TIME)
			return true;
	}
	return false;
}

static struct runtimes runtimes_of(const struct engine *e,
				   const struct tree *tree)
{
	int64_t dflt = e->reclaim_runtimes ? e->reclaim_min_runtime : 0;
	struct runtimes r = { dflt, dflt, has_turns(tree) };

	for (size_t i = 0; e->reclaim_runtimes && i < tree->nqueues; i++) {
		for (int node = tree->queues[i]->node; node != SPEC_NONE;
		     node = e->runtimes[node].parent) {
			int64_t set = e->runtimes[node].reclaim;

			if (set == SPEC_NO_TIME)
				continue;
			r.shortest = min64(r.shortest, set);
			r.longest = max64(r.longest, set);
		}
	}
	return r;
}

/* The first begin that is later than that; INT64_MAX: none is */
static int64_t first_from_after(const struct rank_node *node, int64_t time)
{
	const struct holding *h;
	int64_t first;

	if (!node)
		return INT64_MAX;
	h = holding_by_start(node);
	if (h->by_start.below.last_from <= time)
		return INT64_MAX;
	if (h->by_start.below.first_from > time)
		return h->by_start.below.first_from;
	first = min64(first_from_after(node->left, time),
		      first_from_after(node->right, time));
	return holding_reserved_at(h) > time
	       ? min64(first, holding_reserved_at(h)) : first;
}

/* Min-runtimes end some time after a begin, and exemptions when the caller says so. All
 * other protection is looked at. */
static int64_t first_end(const struct engine *e, const struct rank_node *root,
			 struct runtimes r, int64_t now)
{
	const struct holding_bounds *all = &holding_by_start(root)->by_start.below;
	int64_t from, first;

	if ((all->kinds & (HOLDING_IS_SPENT | HOLDING_IS_FIXED)) || now < 0
	    || !(units_are_free(e, all, now) || units_end_by_exemptions(e, all))
	    || ((all->kinds & HOLDING_HAS_UNIT) && r.turns))
		return 0;
	first = all->next_exempt;
	from = first_from_after(root, sat_sub(now, r.longest));
	return r.longest <= 0 || from == INT64_MAX
	       ? first
	       : min64(first, minruntime_until(from, max64(0, r.shortest)));
}

static int end_compare(const void *x, const void *y)
{
	const struct end *a = x, *b = y;

	return (a->first > b->first) - (a->first < b->first);
}

void ends_begin(struct engine *e, const struct tree *tree, int64_t now)
{
	struct searches *all = e->searches;
	struct runtimes r;

	ends_end(e);
	if (!tree_protects(e, tree, now))
		return;
	r = runtimes_of(e, tree);
	if (r.shortest > 0)
		all->safe_after = sat_sub(now, r.shortest);
	all->ends = scratch_reserve(e, SCRATCH_ENDS, tree->nqueues,
				    sizeof(*all->ends));
	for (size_t i = 0; all->ends && i < tree->nqueues; i++) {
		struct queue *q = tree->queues[i];
		const struct rank_node *root;
		int64_t first;

		holdings_date(q, now);
		root = holdings_by_start(q);
		first = root ? first_end(e, root, r, now) : INT64_MAX;
		if (first < INT64_MAX)
			all->ends[all->nends++] = (struct end) {
				first, q, holding_by_start(root)->by_start.below
			};
	}
	if (all->nends)
		qsort(all->ends, all->nends, sizeof(*all->ends), end_compare);
}

void ends_end(struct engine *e)
{
	e->searches->ends = NULL;
	e->searches->nends = 0;
	e->searches->safe_after = INT64_MAX;
}

/* Nothing that ends at that time or later changes what is known. */
static bool is_late(const struct search *s, int64_t time)
{
	const struct passed_over *passed = &s->e->searches->passed;

	return time && passed->protected && passed->protected_in_other_queue
	       && passed->until && time >= passed->until;
}

/* May the queue have candidates? */
static bool may_give(const struct search *s, const struct queue *q)
{
	const struct books *b = s->e->books;
	int node = q->node;

	if (q == s->q)
		return false;
	while (!search_is_within_nominal(s, node)) {
		node = b->nodes[node].parent;
		if (s->e->fair_sharing || books_is_below(b, s->q->node, node))
			return true;
	}
	return false;
}

void ends_survey(struct search *s)
{
	const struct searches *all = s->e->searches;

	for (size_t i = 0; i < all->nends && !is_late(s, all->ends[i].first);
	     i++) {
		struct queue *q = all->ends[i].q;

		if ((all->ends[i].bounds.pairs & s->need_pairs)
		    && policy_may_allow(s, s->q->spec.reclaim,
					&all->ends[i].bounds)
		    && may_give(s, q))
			stream_survey(s, q);
	}
}
