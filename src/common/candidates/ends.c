/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ends.c - which queues could tell a search sooner when a protection ends
 *
 * All ends are in one order, with a tree above them that knows the lowest priority of
 * each part. So a search passes over those that tell it nothing in large steps: those of
 * higher priorities than it may evict, and those in queues that do not borrow.
 */
#include <stdlib.h>

#include "core/scratch.h"
#include "core/tree_state.h"
#include "quota/fixed.h"
#include "quota/minruntime.h"
#include "candidates/allow.h"
#include "candidates/ends.h"
#include "candidates/unit_ends.h"

/* A queue where the protection of some ends that have this priority or a lower one. Who
 * may evict from no such priority is not told. */
struct end {
	int64_t first;			/* it ends no sooner; of a kind other than
					 * TIMED: 0 */
	enum end_kind {
		ODD,			/* it is not only a matter of time, */
		FIXED,			/* as some are non-preemptible, */
		SPENT,			/* or were evicted too often */
		TIMED,
	} kind;
	int64_t priority;
	uint64_t pairs;			/* of all that the queue holds; see struct
					 * holding_bounds */
	struct queue *q;
	struct end *next;		/* of the same queue */
};

/* Ends of queues that do not borrow have no priority that a search asks for. */
#define HIGHEST (INT64_MAX - 1)
#define NOBODY INT64_MAX

/* So many ends of exemptions are told of a queue at the most: the last one of all
 * priorities that are left. */
#define MOST_ENDS 8

static int64_t longest_turn(const struct tree *tree)
{
	int64_t longest = SPEC_NO_TIME;

	for (size_t i = 0; i < tree->nqueues; i++)
		longest = max64(longest, tree->queues[i]->spec.min_admit);
	return longest;
}

static int64_t shortest_of_any(const struct engine *e)
{
	int64_t shortest = min64(e->preempt_min_runtime, e->reclaim_min_runtime);

	if (!e->preempt_runtimes || !e->reclaim_runtimes)
		return 0;
	for (size_t i = 0; i < e->books->nnodes; i++) {
		const struct minruntime_node *node = &e->runtimes[i];

		if (node->preempt != SPEC_NO_TIME)
			shortest = min64(shortest, node->preempt);
		if (node->reclaim != SPEC_NO_TIME)
			shortest = min64(shortest, node->reclaim);
	}
	return max64(0, shortest);
}

static struct runtimes runtimes_of(const struct engine *e,
				   const struct tree *tree)
{
	int64_t dflt = e->reclaim_runtimes ? e->reclaim_min_runtime : 0;
	struct runtimes r = { dflt, dflt, 0, SPEC_NO_TIME };

	if (tree->nexempt) {	/* these count units */
		r.of_any = shortest_of_any(e);
		r.turn = longest_turn(tree);
	}
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

/* Units may have to be looked at, one by one: their ends are not only a matter of
 * time. */
static bool is_odd(const struct holding_bounds *all, int64_t now)
{
	return now < 0 || all->unit_exempt == INT64_MAX;
}

/* Min-runtimes end some time after a begin. INT64_MAX: none does */
static int64_t first_runtime(const struct rank_node *root, struct runtimes r,
			     int64_t now)
{
	int64_t from = r.longest <= 0 ? INT64_MAX
		       : first_from_after(root, sat_sub(now, r.longest));

	return from == INT64_MAX ? INT64_MAX
				 : minruntime_until(from, max64(0, r.shortest));
}

/* ---- all ends, the first one first ---- */

static bool end_add(struct engine *e, struct queue *q, enum end_kind kind,
		    int64_t first, int64_t priority)
{
	struct searches *all = e->searches;

	all->ends = scratch_reserve(e, SCRATCH_ENDS, all->nends + 1,
				    sizeof(*all->ends));
	if (!all->ends)
		return false;
	all->ends[all->nends++] = (struct end) {
		.first = first, .kind = kind, .q = q,
		.priority = min64(priority, HIGHEST),
		.pairs = holding_bounds_at(q->starts.root)->pairs,
	};
	return true;
}

/* The ends of exemptions, each of lower priorities than the one before it */
static bool exempt_add(struct engine *e, struct queue *q, int64_t lowest)
{
	int64_t priority = INT64_MAX;

	holdings_know_bounds(q);
	for (int i = 1; i <= MOST_ENDS; i++) {
		const struct holding *h = holdings_first_exempt(q, priority);

		if (!h)
			break;
		if (!end_add(e, q, TIMED, holding_exempt_until(h),
			     i < MOST_ENDS ? h->priority : lowest))
			return false;
		if (h->priority <= lowest)
			break;
		priority = h->priority - 1;
	}
	return true;
}

static bool runtime_add(struct engine *e, struct queue *q, int64_t first,
			int64_t lowest)
{
	size_t n = e->searches->nends;
	struct end *last = n ? &e->searches->ends[n - 1] : NULL;

	if (first == INT64_MAX)
		return true;
	if (!last || last->q != q || last->kind != TIMED || last->priority > lowest)
		return end_add(e, q, TIMED, first, lowest);
	last->first = min64(last->first, first);
	return true;
}

static bool queue_add(struct engine *e, struct queue *q, struct runtimes r,
		      int64_t now)
{
	const struct rank_node *root = holdings_by_start(q);
	const struct holding_bounds *all;
	int64_t lowest;

	q->ends = NULL;
	if (!root)
		return true;
	all = holding_bounds_at(root);
	lowest = all->lowest_priority;
	if (is_odd(all, now))
		return end_add(e, q, ODD, 0, lowest);
	return (!(all->kinds & HOLDING_IS_FIXED)
		|| end_add(e, q, FIXED, 0, lowest))
	       && (!(all->kinds & HOLDING_IS_SPENT)
		   || end_add(e, q, SPENT, 0, lowest))
	       && (all->next_exempt == INT64_MAX || exempt_add(e, q, lowest))
	       && runtime_add(e, q, first_runtime(root, r, now), lowest)
	       && (!(all->kinds & HOLDING_HAS_UNIT)
		   || runtime_add(e, q, first_unit_end(e, root, &r, now), lowest));
}

static int end_compare(const void *x, const void *y)
{
	const struct end *a = x, *b = y;

	if (a->kind != b->kind)
		return (int) a->kind - (int) b->kind;
	return (a->first > b->first) - (a->first < b->first);
}

/* ---- the lowest priorities ---- */

/* Something of it may be evicted, and what is fixed may be waited for. */
static bool counts(const struct engine *e, const struct end *end)
{
	const struct books *b = e->books;

	if (!b->nodes[end->q->node].borrowed)
		return false;
	for (size_t pair = 0; end->kind == FIXED && pair < b->npairs; pair++) {
		if (fixed_is_over_nominal(b, end->q->node, (int) pair))
			return true;
	}
	return end->kind != FIXED;
}

static bool lowest_sum(struct engine *e)
{
	struct searches *all = e->searches;
	size_t leaves = 1;

	while (leaves < all->nends)
		leaves *= 2;
	all->nlowest = leaves;
	all->lowest = scratch_reserve(e, SCRATCH_END_PRIORITIES, 2 * leaves,
				      sizeof(*all->lowest));
	if (!all->lowest)
		return false;
	for (size_t i = 0; i < leaves; i++)
		all->lowest[leaves + i] = i < all->nends && counts(e, &all->ends[i])
					  ? all->ends[i].priority : NOBODY;
	for (size_t i = leaves - 1; i; i--)
		all->lowest[i] = min64(all->lowest[2 * i], all->lowest[2 * i + 1]);
	return true;
}

void ends_note(struct engine *e, const struct queue *q)
{
	const struct searches *all = e->searches;

	for (struct end *end = all->ends ? q->ends : NULL; end; end = end->next) {
		size_t place = all->nlowest + (size_t) (end - all->ends);

		for (; place && counts(e, end); place /= 2)
			all->lowest[place] = min64(all->lowest[place],
						   end->priority);
	}
}

static void ends_sort(struct searches *all)
{
	qsort(all->ends, all->nends, sizeof(*all->ends), end_compare);
	for (size_t i = 0; i < all->nends; i++) {
		struct end *end = &all->ends[i];

		all->behind[end->kind] = i + 1;
		end->next = end->q->ends;
		end->q->ends = end;
	}
}

/* The next one, from the i-th on, of a priority up to that; nends or more: there is
 * none */
static size_t next_end(const struct searches *all, size_t i, int64_t priority)
{
	size_t place = all->nlowest + i;

	if (i >= all->nends)
		return i;
	while (all->lowest[place] > priority) {
		while (place % 2)
			place /= 2;
		if (!place++)
			return all->nends;
	}
	while (place < all->nlowest) {
		place *= 2;
		place += all->lowest[place] > priority;
	}
	return place - all->nlowest;
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
	for (size_t i = 0; i < tree->nqueues; i++) {
		holdings_date(tree->queues[i], now);
		if (!queue_add(e, tree->queues[i], r, now))
			break;
	}
	if (all->nends)
		ends_sort(all);
	if (e->no_memory || !lowest_sum(e))
		ends_end(e);
}

void ends_end(struct engine *e)
{
	e->searches->ends = NULL;
	e->searches->nends = 0;
	e->searches->safe_after = INT64_MAX;
}

/* Nothing of its kind that comes behind it changes what is known, either. */
static bool is_late(const struct search *s, const struct end *end)
{
	const struct passed_over *passed = &s->e->searches->passed;

	if (!passed->protected || !passed->protected_in_other_queue)
		return false;
	switch (end->kind) {
	case FIXED:
		return passed->fixed;
	case SPENT:
		return passed->spent;
	case TIMED:
		return passed->until && end->first >= passed->until;
	default:
		return false;
	}
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

/* The highest priority from which the search may evict. False: from none */
static bool highest_allowed(const struct search *s, int64_t *priority)
{
	*priority = s->w->shape->priority;
	switch (s->q->spec.reclaim) {
	case POLICY_ANY:
		*priority = HIGHEST;
		return true;
	case POLICY_LOWER_OR_NEWER_EQUAL:
		*priority = min64(*priority, HIGHEST);
		return true;
	case POLICY_LOWER_PRIORITY:
		*priority -= *priority > INT64_MIN;
		return s->w->shape->priority > INT64_MIN;
	default:
		return false;
	}
}

void ends_survey(struct search *s)
{
	const struct searches *all = s->e->searches;
	int64_t highest;
	size_t i = 0;

	if (!highest_allowed(s, &highest))
		return;
	while ((i = next_end(all, i, highest)) < all->nends) {
		const struct end *end = &all->ends[i++];

		if (is_late(s, end))
			i = all->behind[end->kind];
		else if ((end->pairs & s->need_pairs)
			 && policy_may_allow(s, s->q->spec.reclaim,
					     holding_bounds_at(end->q->starts.root))
			 && may_give(s, end->q))
			stream_survey(s, end->q);
	}
}
