/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: the running workloads of a queue, their two orders, and bounds of
 * what is in these
 */
#include <string.h>

#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"
#include "holding/least.h"

/* ---- bounds ---- */

static const struct holding_bounds nobody = {
	.lowest_priority = INT64_MAX,
	.next_exempt = INT64_MAX,
	.first_from = INT64_MAX, .last_from = INT64_MIN,
};

static uint64_t kinds_of(const struct holding *h)
{
	return (h->evicting ? HOLDING_IS_LEAVING : 0)
	       | (holding_spent(h) ? HOLDING_IS_SPENT : 0)
	       | (h->elastic ? HOLDING_IS_ELASTIC : 0)
	       | (h->unit ? HOLDING_HAS_UNIT : 0)
	       | (h->fixed ? HOLDING_IS_FIXED : 0);
}

static struct holding_bounds bounds_of(const struct holding *h)
{
	struct holding_bounds b = nobody;

	if (h->left)
		return b;
	b.pairs = h->pairs;
	b.kinds = kinds_of(h);
	b.lowest_priority = h->priority;
	if (h->evicting || h->fixed || h->exempt_until == INT64_MAX)
		return b;
	if (h->exempt_until > h->q->dated_at)
		b.next_exempt = h->exempt_until;
	else
		b.first_from = b.last_from = holding_reserved_at(h);
	return b;
}

/* Of all at or below a place, in either order */
static const struct holding_bounds *bounds_at(const struct rank_node *node)
{
	return &container_of(node, struct holding_place, node)->below;
}

static void bounds_widen(struct holding_bounds *b, const struct rank_node *node)
{
	const struct holding_bounds *by;

	if (!node)
		return;
	by = bounds_at(node);
	b->pairs |= by->pairs;
	b->kinds |= by->kinds;
	b->lowest_priority = min64(b->lowest_priority, by->lowest_priority);
	b->next_exempt = min64(b->next_exempt, by->next_exempt);
	b->first_from = min64(b->first_from, by->first_from);
	b->last_from = max64(b->last_from, by->last_from);
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

/* The order of searches, see candidate_before() */
static bool holding_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_in_order(x), *b = holding_in_order(y);

	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (holding_reserved_at(a) != holding_reserved_at(b))
		return holding_reserved_at(a) > holding_reserved_at(b);
	return a->tiebreak < b->tiebreak;
}

static bool started_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_by_start(x), *b = holding_by_start(y);

	if (holding_reserved_at(a) != holding_reserved_at(b))
		return holding_reserved_at(a) < holding_reserved_at(b);
	return a->tiebreak < b->tiebreak;
}

static const struct rank_order by_start = { started_before, by_start_renew };
static const struct rank_order in_order = { holding_before, in_order_renew };

void holdings_init(struct queue *q)
{
	rankset_init(&q->order, &in_order);
	rankset_init(&q->starts, &by_start);
}

const struct holding_bounds *holdings_bounds(struct queue *q)
{
	rankset_know(&q->order);
	rankset_know(&q->starts);
	return q->order.root ? bounds_at(q->order.root) : NULL;
}

static void holding_place(struct holding *h)
{
	struct rank_node *before;

	rankset_insert(&h->q->order, &h->in_order.node, 1);
	rankset_insert(&h->q->starts, &h->by_start.node, 1);
	before = rankset_previous(&h->in_order.node);
	h->link = before ? &holding_in_order(before)->next : &h->q->holdings;
	h->next = *h->link;
	*h->link = h;
	if (h->next)
		h->next->link = &h->next;
}

static void holding_leave(struct holding *h)
{
	rankset_remove(&h->q->order, &h->in_order.node);
	rankset_remove(&h->q->starts, &h->by_start.node);
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
	rankset_renew(&h->q->starts, &h->by_start.node);
}

void holding_renew(struct holding *h)
{
	bounds_renew(h);
}

/* The first to end of those whose exemption goes on, by the bounds */
static struct rank_node *first_to_end(struct rank_node *node)
{
	int64_t first = bounds_at(node)->next_exempt;

	for (;;) {
		if (node->left && bounds_at(node->left)->next_exempt == first)
			node = node->left;
		else if (node->right && bounds_at(node->right)->next_exempt == first)
			node = node->right;
		else
			return node;
	}
}

static void order_end(const struct rankset *set, int64_t now)
{
	while (set->knows && set->root && bounds_at(set->root)->next_exempt <= now)
		rankset_renew(set, first_to_end(set->root));
}

void holdings_end_exemptions(struct queue *q, int64_t now)
{
	bool back = now < q->dated_at;

	q->dated_at = now;
	for (struct holding *h = q->holdings; h && back; h = h->next)
		bounds_renew(h);
	order_end(&q->order, now);
	order_end(&q->starts, now);
}

/* ---- what runs ---- */

static void pairs_mark(struct holding *h)
{
	h->pairs = 0;
	for (size_t i = 0; i < h->nuses; i++)
		h->pairs |= pair_bit(h->uses[i].pair);
}

void holding_mark_pairs(struct holding *h)
{
	queue_least_forget(h->q);
	pairs_mark(h);
}

void holding_count(struct holding *h, int by)
{
	if (!h->exempt_until && !h->fixed && !holding_spent(h) && !h->settled
	    && !h->unit)
		return;
	h->q->nexempt += by;
	h->q->tree->nexempt += by;
}

/* A turn is twice as long for each that the workload has had before. */
static int64_t turn_extra(const struct workload *w, const struct queue *q)
{
	int64_t turn = max64(0, q->spec.min_admit), all = turn;

	if (!w->rare || q->spec.min_admit == SPEC_NO_TIME)
		return 0;
	for (int64_t i = 0; i < w->rare->turns && all < INT64_MAX; i++)
		all = sat_add(all, all);
	return sat_sub(all, turn);
}

void holding_list(struct holding *h, struct queue *q)
{
	h->q = q;
	h->priority = h->w->shape->priority;
	h->queue_order_at = h->w->queue_order_at;
	h->tiebreak = h->w->tiebreak;
	h->lost = workload_lost(h->w);
	h->turn_extra = turn_extra(h->w, q);
	pairs_mark(h);
	queue_least_lower(q, h->uses, h->nuses, h->pairs);
	holding_place(h);
	q->nholdings++;
	q->tree->nholdings++;
	q->nunset += !h->reserved_at;
	q->tree->nevicting += h->evicting;
	holding_count(h, 1);
}

void holding_unlist(struct holding *h)
{
	holding_leave(h);
	queue_least_forget(h->q);
	h->q->nholdings--;
	h->q->tree->nholdings--;
	h->q->nunset -= !h->reserved_at;
	h->q->tree->nevicting -= h->evicting;
	holding_count(h, -1);
}
