/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * orders.c - the orders of the holdings of a queue, and bounds of what is in them
 */
#include <string.h>

#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"
#include "holding/orders.h"

/* ---- bounds ---- */

static const struct holding_bounds nobody = {
	.lowest_priority = INT64_MAX,
	.first_queued = INT64_MAX, .last_queued = INT64_MIN,
	.first_from = INT64_MAX, .last_from = INT64_MIN,
	.first_exempt = INT64_MAX, .next_exempt = INT64_MAX,
	.over_from = INT64_MAX,
	.unit_from = INT64_MIN, .unit_exempt = INT64_MIN,
	.over_priority = INT64_MAX,
};

static uint64_t kinds_of(const struct holding *h)
{
	bool for_good = h->exempt_until == INT64_MAX;
	uint64_t kinds = 0;

	if (h->evicting)
		kinds |= HOLDING_IS_LEAVING;
	else if (holding_spent(h) && !for_good)
		kinds |= HOLDING_IS_SPENT;
	if (h->fixed && !h->evicting)
		kinds |= HOLDING_IS_FIXED;
	if (h->elastic)
		kinds |= HOLDING_IS_ELASTIC;
	if (h->may_shrink)
		kinds |= HOLDING_MAY_SHRINK;
	if (h->unit)
		kinds |= HOLDING_HAS_UNIT;
	if (!h->settled || h->unit || h->evicting)
		kinds |= HOLDING_IS_LOOSE;
	if (h->turn_extra)
		kinds |= HOLDING_HAD_TURNS;
	if (!h->tentative)
		kinds |= HOLDING_IS_RUNNING;
	return kinds;
}

static struct holding_bounds bounds_of(const struct holding *h)
{
	struct holding_bounds b = nobody;
	int64_t exempt_until;

	if (h->left)
		return b;
	b.pairs = h->pairs;
	b.kinds = kinds_of(h);
	b.lowest_priority = h->priority;
	b.first_queued = b.last_queued = h->queue_order_at;
	if (h->unit) {
		b.unit_from = h->unit_from;
		b.unit_exempt = h->unit_exempt;
	}
	if (h->evicting)
		b.over_priority = INT64_MIN;
	if (h->evicting || h->fixed || h->exempt_until == INT64_MAX)
		return b;
	b.first_from = holding_reserved_at(h);
	b.last_from = holding_turn_from(h);
	b.first_exempt = h->exempt_until;
	exempt_until = holding_exempt_until(h);
	if (exempt_until > h->q->dated_at) {
		b.next_exempt = exempt_until;
	} else {
		b.over_from = b.first_from;
		b.over_priority = holding_highest(h);
	}
	return b;
}

static void bounds_widen(struct holding_bounds *b, const struct rank_node *node)
{
	const struct holding_bounds *by;

	if (!node)
		return;
	by = holding_bounds_at(node);
	b->pairs |= by->pairs;
	b->kinds |= by->kinds;
	b->lowest_priority = min64(b->lowest_priority, by->lowest_priority);
	b->first_queued = min64(b->first_queued, by->first_queued);
	b->last_queued = max64(b->last_queued, by->last_queued);
	b->first_from = min64(b->first_from, by->first_from);
	b->last_from = max64(b->last_from, by->last_from);
	b->first_exempt = min64(b->first_exempt, by->first_exempt);
	b->over_from = min64(b->over_from, by->over_from);
	b->next_exempt = min64(b->next_exempt, by->next_exempt);
	b->unit_from = max64(b->unit_from, by->unit_from);
	b->unit_exempt = max64(b->unit_exempt, by->unit_exempt);
	b->over_priority = min64(b->over_priority, by->over_priority);
}

static bool place_renew(struct holding_place *place, const struct holding *h)
{
	struct holding_bounds b = bounds_of(h);

	bounds_widen(&b, place->node.left);
	bounds_widen(&b, place->node.right);
	if (!memcmp(&b, &place->below, sizeof(b)))
		return false;
	place->below = b;
	return true;
}

static bool in_order_renew(struct rank_node *node)
{
	struct holding *h = holding_in_order(node);

	return place_renew(&h->in_order, h);
}

static bool by_start_renew(struct rank_node *node)
{
	struct holding *h = holding_by_start(node);

	return place_renew(&h->by_start, h);
}

/* ---- orders ---- */

/* Only when they began can tell which of the two goes first. */
static inline bool ranks_alike(const struct holding *a, const struct holding *b)
{
	return a->evicting == b->evicting && a->priority == b->priority
	       && a->cost == b->cost;
}

static inline bool ranks_before(const struct holding *a,
				const struct holding *b)
{
	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	return a->cost < b->cost;
}

/* The order of searches, see candidate_before() */
static bool holding_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_in_order(x), *b = holding_in_order(y);

	if (!ranks_alike(a, b))
		return ranks_before(a, b);
	if (holding_reserved_at(a) != holding_reserved_at(b))
		return holding_reserved_at(a) > holding_reserved_at(b);
	return a->tiebreak < b->tiebreak;
}

/* By when they began. In a queue with turns candidates come in that order where
 * nothing else decides, so equals stand together: those whose turn is over in
 * the order in which searches take them. */
static bool started_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_by_start(x), *b = holding_by_start(y);

	if (a->q->spec.min_admit != SPEC_NO_TIME && !ranks_alike(a, b))
		return ranks_before(a, b);
	if (holding_turn_from(a) != holding_turn_from(b))
		return holding_turn_from(a) < holding_turn_from(b);
	return a->tiebreak < b->tiebreak;
}

static const struct rank_order in_order = { holding_before, in_order_renew };
static const struct rank_order by_start = { started_before, by_start_renew };

void holdings_init(struct queue *q)
{
	rankset_init(&q->order, &in_order);
	rankset_init(&q->starts, &by_start);
}

static void start_find(struct holding *h)
{
	rankset_insert(&h->q->starts, &h->by_start.node, 1);
}

const struct rank_node *holdings_by_start(struct queue *q)
{
	for (struct holding *h = q->holdings; h && !q->starts_known; h = h->next)
		start_find(h);
	q->starts_known = true;
	rankset_know(&q->starts);
	return q->starts.root;
}

void holdings_know_bounds(struct queue *q)
{
	rankset_know(&q->order);
}

void holding_place(struct holding *h)
{
	struct rank_node *before;

	rankset_insert(&h->q->order, &h->in_order.node, 1);
	before = rankset_previous(&h->in_order.node);
	h->link = before ? &holding_in_order(before)->next : &h->q->holdings;
	h->next = *h->link;
	*h->link = h;
	if (h->next)
		h->next->link = &h->next;
	if (h->q->starts_known)
		start_find(h);
}

void holding_leave(struct holding *h)
{
	if (h->q->starts_known)
		rankset_remove(&h->q->starts, &h->by_start.node);
	rankset_remove(&h->q->order, &h->in_order.node);
	*h->link = h->next;
	if (h->next)
		h->next->link = h->link;
}

void holdings_renew(struct queue *q, int64_t now)
{
	struct holding *unset = NULL, *next;

	for (struct holding *h = q->holdings; h; h = next) {
		next = h->next;
		if (h->reserved_at)
			continue;
		holding_leave(h);
		h->next = unset;
		unset = h;
	}
	q->unset_at = now;
	for (; unset; unset = next) {
		next = unset->next;
		holding_place(unset);
	}
}

static void bounds_renew(struct holding *h)
{
	rankset_renew(&h->q->order, &h->in_order.node);
	if (h->q->starts_known)
		rankset_renew(&h->q->starts, &h->by_start.node);
}

void holding_renew(struct holding *h)
{
	bounds_renew(h);
}

/* The member whose exemption ends first, of those that are not over by the bounds */
static struct rank_node *first_to_end(struct rank_node *node)
{
	int64_t first = holding_bounds_at(node)->next_exempt;

	for (;;) {
		struct rank_node *left = node->left, *right = node->right;

		if (left && holding_bounds_at(left)->next_exempt == first)
			node = left;
		else if (right && holding_bounds_at(right)->next_exempt == first)
			node = right;
		else
			return node;
	}
}

struct holding *holdings_first_exempt(const struct queue *q, int64_t priority)
{
	struct rank_node *node = q->order.root, *first = NULL, *below = NULL;
	int64_t end = INT64_MAX;

	/* all of them stand together, behind those on the way out */
	while (node) {
		const struct holding *h = holding_in_order(node);

		if (!h->evicting && h->priority > priority) {
			node = node->left;
			continue;
		}
		if (node->left && holding_bounds_at(node->left)->next_exempt < end) {
			below = node->left;
			end = holding_bounds_at(below)->next_exempt;
		}
		if (bounds_of(h).next_exempt < end) {
			first = node;
			end = holding_exempt_until(h);
			below = NULL;
		}
		node = node->right;
	}
	if (below)
		first = first_to_end(below);
	return first ? holding_in_order(first) : NULL;
}

static void order_end(const struct rankset *set, int64_t now)
{
	while (set->root && holding_bounds_at(set->root)->next_exempt <= now)
		rankset_renew(set, first_to_end(set->root));
}

void holdings_end_exemptions(struct queue *q, int64_t now)
{
	bool back = now < q->dated_at;

	q->dated_at = now;
	for (struct holding *h = q->holdings; h && back; h = h->next)
		bounds_renew(h);
	if (q->order.knows)
		order_end(&q->order, now);
	if (q->starts_known)
		order_end(&q->starts, now);
}
