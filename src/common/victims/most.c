/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * most.c - a search that fails, whatever it takes
 *
 * At most all that a node uses up to the highest priority that a search may take can go.
 * The usage of the cohorts above falls by no more than that. If what stays is too much
 * for the demand all the same, the search fails. What is not known counts as if all of
 * it could go.
 */
#include <stdlib.h>

#include "core/tree_state.h"
#include "core/uses.h"
#include "candidates/fronts.h"
#include "victims/most.h"
#include "holding/unit.h"

/* What is used with a priority, and with all lower ones */
struct part {
	int64_t priority;
	int64_t sum;
};

/* Who takes: a search of what other queues have, all of it in their order while they
 * borrow, the same whatever the priority of the other members of a unit is, or of its own
 * queue */
enum taker { ANY_OTHER, OTHER_WHILE_BORROWING, WHOLE_UNITS, OWN };

/* What may go of a node, of one pair, for searches that need preemption in the same
 * pairs */
struct most {
	struct most *next;		/* of the same node and pair */
	struct needed_pairs of;
	enum taker taker;
	bool units;			/* some are evicted together with others, of
					 * other queues, it may be: their priority is
					 * the lowest of these */
	size_t n;
	struct part *parts;		/* by priority */
};

/* The highest priorities that a search may take of other queues, and of its own */
struct limits {
	bool others, own;		/* it may take any */
	int64_t of_others, of_own;
	enum taker taker;		/* of what others have */
};

/* ---- sums ---- */

static int64_t use_of(const struct holding *h, int pair)
{
	return uses_of_pair(h->uses, h->nuses, pair);
}

static void part_list(struct most *m, const struct holding *h, int pair,
		      int64_t priority)
{
	int64_t use = use_of(h, pair);
	struct part *last = m->n ? &m->parts[m->n - 1] : NULL;

	if (use <= 0)
		return;
	if (last && last->priority == priority)
		last->sum = sat_add(last->sum, use);
	else
		m->parts[m->n++] = (struct part) { priority, use };
}

/* All members that are below the node, with the lowest priority of all. Any of them may
 * be the one that a search comes to. */
static void unit_list(struct engine *e, struct most *m, int node, int pair,
		      struct holding *h, uint64_t number)
{
	int64_t lowest = h->priority;

	if (unit_is_taken(h, number))
		return;
	unit_take(h, number);
	m->units = true;
	for_each_in_unit(x, h)
		lowest = min64(lowest, x->priority);
	for_each_in_unit(x, h) {
		if (!x->gone && books_is_below(e->books, x->q->node, node))
			part_list(m, x, pair, lowest);
	}
}

/* Whoever asks in this cycle, it stays. */
static bool stays(const struct engine *e, enum taker taker,
		  const struct holding *h)
{
	return h->gone || (taker == OWN ? holding_is_exempt(h)
					: front_is_safe(e->searches, h));
}

/* Whether a queue borrows is known of its usage as if what was listed so far had
 * gone. */
static bool borrows_yet(const struct most *m, const int64_t *over)
{
	for (size_t i = 0; i < m->of.nneed; i++) {
		if (over[i] > 0)
			return true;
	}
	return m->taker == ANY_OTHER || m->taker == OWN;
}

/* It goes as soon as a search may take it, alone or with its unit, which is in its queue
 * as a whole. */
static bool goes_whole(const struct engine *e, const struct most *m,
		       struct holding *h)
{
	if (m->taker != OWN && !h->evicting && holding_spent(h))
		return false;	/* it depends on who asks */
	if (!h->unit)
		return true;
	if (m->taker != WHOLE_UNITS)
		return false;
	for_each_in_unit(x, h) {
		if (x->q != h->q || x->evicting || x->elastic
		    || x->settled || holding_spent(x) || holding_is_exempt(x) || stays(e, m->taker, x))
			return false;
	}
	return true;
}

/* Those that stand in the order of priorities, as far as the queue borrows; the others
 * all */
static void queue_list(struct engine *e, struct most *m, const struct queue *q,
		       int node, int pair, uint64_t number, int64_t *over)
{
	for (size_t i = 0; i < m->of.nneed; i++)
		over[i] = books_over_nominal(e->books, q->node, m->of.need[i], 0);
	for (struct holding *h = q->holdings; h; h = h->next) {
		if (stays(e, m->taker, h))
			continue;
		if (!goes_whole(e, m, h)) {
			unit_list(e, m, node, pair, h, number);
			continue;
		}
		if (unit_is_taken(h, number)
		    || (!h->evicting && !borrows_yet(m, over)))
			continue;
		unit_take(h, number);
		for_each_in_unit(x, h) {
			part_list(m, x, pair, h->priority);
			for (size_t i = 0; i < m->of.nneed && !h->evicting; i++)
				over[i] = sat_sub(over[i], use_of(x, m->of.need[i]));
		}
	}
}

static int part_compare(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	return (a->priority > b->priority) - (a->priority < b->priority);
}

/* NULL: no memory */
static struct most *most_create(struct search *s, enum taker taker, size_t room)
{
	struct arena *arena = &s->e->arena;
	struct most *m = arena_alloc(arena, 1, sizeof(*m));
	struct part *parts = arena_alloc(arena, room, sizeof(*parts));
	struct needed_pairs of;

	if (!m || !parts || !needed_pairs_keep(s, &of))
		return NULL;
	*m = (struct most) {
		.of = of, .taker = taker, .parts = parts,
	};
	return m;
}

/* NULL: no memory */
static struct most *most_sum(struct search *s, int node, int pair,
			     enum taker taker, size_t room)
{
	struct engine *e = s->e;
	const struct tree *tree = s->q->tree;
	uint64_t number = ++e->searches->attempts;
	int64_t *over = arena_alloc(&e->arena, s->nneed, sizeof(*over));
	struct most *m = most_create(s, taker, room);

	if (!over || !m)
		return NULL;
	if (node == s->q->node)
		queue_list(e, m, s->q, node, pair, number, over);
	for (size_t i = 0; node != s->q->node && i < tree->nqueues; i++) {
		const struct queue *q = tree->queues[i];

		if (books_is_below(e->books, q->node, node))
			queue_list(e, m, q, node, pair, number, over);
	}
	qsort(m->parts, m->n, sizeof(*m->parts), part_compare);
	for (size_t i = 1; i < m->n; i++)
		m->parts[i].sum = sat_add(m->parts[i].sum, m->parts[i - 1].sum);
	return m;
}

/* ---- of which cycle ---- */

/* What was looked at in vain pays for a sum. NULL: that is not enough, or no memory */
static struct most *most_pay(struct search *s, int node, int pair,
			     enum taker taker)
{
	struct searches *all = s->e->searches;
	size_t cost = node == s->q->node ? s->q->nholdings
					 : s->q->tree->nholdings;

	if (all->vain / VAIN_PRICE < cost)
		return NULL;
	all->vain -= VAIN_PRICE * cost;
	return most_sum(s, node, pair, taker, cost);
}

/* Of the preemptor's queue, or of a cohort above it */
static const struct most *most_get(struct search *s, int node, int pair,
				   enum taker taker)
{
	const struct books *b = s->e->books;
	struct searches *all = s->e->searches;
	struct most **of, *m;

	if (!all->mosts)
		all->mosts = arena_alloc(&s->e->arena, b->nnodes,
					 sizeof(*all->mosts));
	if (!all->mosts)
		return NULL;
	if (!all->mosts[node])
		all->mosts[node] = arena_alloc(&s->e->arena, b->npairs,
					       sizeof(**all->mosts));
	of = all->mosts[node];
	if (!of)
		return NULL;
	for (m = of[pair]; m; m = m->next) {
		if (m->taker == taker && search_needs(s, &m->of))
			return m;
	}
	m = most_pay(s, node, pair, taker);
	if (m) {
		m->next = of[pair];
		of[pair] = m;
	}
	return m;
}

static int64_t sum_up_to(const struct most *m, int64_t priority)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (m->parts[middle].priority <= priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? m->parts[low - 1].sum : 0;
}

/* ---- of one search ---- */

/* INT64_MAX: that is not known */
static int64_t own_most(struct search *s, int pair, const struct limits *l)
{
	const struct most *m;

	if (!l->own)
		return 0;
	m = most_get(s, s->q->node, pair, OWN);
	return m ? sum_up_to(m, l->of_own) : INT64_MAX;
}

/* What others than the preemptor's queue may give below a cohort; INT64_MAX: that is not
 * known */
static int64_t others_most(struct search *s, int node, int pair,
			   const struct limits *l)
{
	const struct most *m, *own;
	int64_t highest = l->of_others, sum;

	if (!l->others && !l->own)
		return 0;
	m = most_get(s, node, pair, l->taker);
	if (!m)
		return INT64_MAX;
	/* a unit may be met in the preemptor's queue */
	if (m->units && l->own)
		highest = l->others ? max64(highest, l->of_own) : l->of_own;
	else if (!l->others)
		return 0;
	sum = sum_up_to(m, highest);
	own = sum < INT64_MAX ? most_get(s, s->q->node, pair, l->taker) : NULL;
	return own ? sum - sum_up_to(own, highest) : sum;
}

/* How much the usage of the node may fall; INT64_MAX: that is not known */
static int64_t most_of(struct search *s, int node, int pair,
		       const struct limits *l)
{
	int64_t own = own_most(s, pair, l);

	return node == s->q->node || own == INT64_MAX
	       ? own : sat_add(own, others_most(s, node, pair, l));
}

/* The most that may be in use at the node */
static int64_t bound_of(const struct books *b, int node, const struct quota *q)
{
	if (b->nodes[node].parent == SPEC_NONE)
		return q->subtree;
	return q->borrowing_limit == SPEC_NO_LIMIT
	       ? INT64_MAX : sat_add(q->subtree, q->borrowing_limit);
}

/* The demand is too much for some node, which the usage that stays leaves no room for:
 * each node passes on what it does not keep quota for. */
static bool demand_is_too_much(struct search *s, const struct use *u,
			       const struct limits *l)
{
	const struct books *b = s->e->books;
	int64_t rest = u->amount;

	for (int n = s->q->node; n != SPEC_NONE; n = b->nodes[n].parent) {
		const struct cell *c = books_cell(b, n, u->pair);
		const struct quota *q = cell_quota(b, c);
		int64_t bound = bound_of(b, n, q), stay;

		if (bound == INT64_MAX && !q->local)
			continue;
		stay = max64(0, sat_sub(c->usage, most_of(s, n, u->pair, l)));
		if (sat_add(stay, rest) > bound)
			return true;
		rest = sat_sub(rest, max64(0, sat_sub(q->local, stay)));
		if (rest <= 0)
			return false;
	}
	return false;
}

static struct limits limits_of(const struct search *s, bool others)
{
	const struct spec_queue *spec = &s->q->spec;
	struct limits l = {
		.own = spec->within != POLICY_NEVER && !queue_held(s->q),
	};

	l.of_own = s->w->shape->priority;
	if (spec->within == POLICY_ANY)
		l.of_own = INT64_MAX;
	else if (spec->within == POLICY_LOWER_PRIORITY
		 && spec->min_admit == SPEC_NO_TIME)
		l.of_own = sat_sub(l.of_own, 1);
	l.of_others = INT64_MIN;
	if (s->hierarchy.top != SPEC_NONE)
		l.of_others = s->hierarchy.highest;
	others &= s->others.top != SPEC_NONE;
	if (others)
		l.of_others = max64(l.of_others, s->others.highest);
	l.others = others || s->hierarchy.top != SPEC_NONE;
	/* a min-runtime, or their age, may keep some that others could take */
	l.taker = !s->e->reclaim_runtimes
		  && (spec->reclaim != POLICY_LOWER_OR_NEWER_EQUAL
		      || l.of_others < s->w->shape->priority)
		  ? OTHER_WHILE_BORROWING : ANY_OTHER;
	if (l.taker == OTHER_WHILE_BORROWING && spec->reclaim == POLICY_ANY)
		l.taker = WHOLE_UNITS;
	return l;
}

bool most_is_too_little(struct search *s, bool others)
{
	struct limits l;

	if (!s->by_fronts)
		return false;
	l = limits_of(s, others);
	for (size_t i = 0; i < s->ndemand; i++) {
		if (s->e->searches->need[s->demand[i].pair]
		    && demand_is_too_much(s, &s->demand[i], &l))
			return true;
	}
	return false;
}
