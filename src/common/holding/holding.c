/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: the running workloads of a queue, their two orders, and bounds of
 * what is in these
 */
#include <string.h>

#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"

/* ---- bounds ---- */

static struct holding_place *place_of(const struct rank_node *node)
{
	return container_of(node, struct holding_place, node);
}

static struct holding *holding_at(const struct rank_node *node, enum holding_order order)
{
	return container_of(place_of(node) - order, struct holding, places[0]);
}

static uint64_t kinds_of(const struct holding *h)
{
	bool stays = h->exempt_until || h->fixed || h->settled || h->unit || holding_spent(h);

	return (h->evicting ? HOLDING_IS_LEAVING : 0)
	       | (holding_spent(h) ? HOLDING_IS_SPENT : 0)
	       | (h->elastic ? HOLDING_IS_ELASTIC : 0)
	       | (h->unit ? HOLDING_HAS_UNIT : 0)
	       | (h->fixed ? HOLDING_IS_FIXED : 0)
	       | (stays ? HOLDING_MAY_STAY : 0);
}

static struct holding_bounds bounds_of(const struct holding *h)
{
	struct holding_bounds b = {
		.lowest_priority = INT64_MAX,
		.first_exempt = INT64_MAX, .last_exempt = INT64_MIN,
		.first_from = INT64_MAX, .last_from = INT64_MIN,
	};

	if (h->left)
		return b;
	b.pairs = h->pairs;
	b.kinds = kinds_of(h);
	b.lowest_priority = h->priority;
	if (h->evicting || h->fixed || h->exempt_until == INT64_MAX)
		return b;
	b.first_exempt = b.last_exempt = h->exempt_until;
	b.first_from = b.last_from = holding_start(h);
	return b;
}

static void bounds_widen(struct holding_bounds *b, const struct rank_node *node)
{
	const struct holding_bounds *by;

	if (!node)
		return;
	by = &place_of(node)->below;
	b->pairs |= by->pairs;
	b->kinds |= by->kinds;
	b->lowest_priority = min64(b->lowest_priority, by->lowest_priority);
	b->first_exempt = min64(b->first_exempt, by->first_exempt);
	b->last_exempt = max64(b->last_exempt, by->last_exempt);
	b->first_from = min64(b->first_from, by->first_from);
	b->last_from = max64(b->last_from, by->last_from);
}

static bool place_renew(struct rank_node *node, enum holding_order order)
{
	struct holding_bounds b = bounds_of(holding_at(node, order));
	struct holding_place *place = place_of(node);

	bounds_widen(&b, node->left);
	bounds_widen(&b, node->right);
	if (!memcmp(&b, &place->below, sizeof(b)))
		return false;
	place->below = b;
	return true;
}

static bool by_search_renew(struct rank_node *node)
{
	return place_renew(node, HOLDINGS_BY_SEARCH);
}

static bool by_start_renew(struct rank_node *node)
{
	return place_renew(node, HOLDINGS_BY_START);
}

/* ---- orders ---- */

/* See candidate_before() */
static bool search_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_at(x, HOLDINGS_BY_SEARCH);
	const struct holding *b = holding_at(y, HOLDINGS_BY_SEARCH);

	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (holding_start(a) != holding_start(b))
		return holding_start(a) > holding_start(b);
	return a->tiebreak < b->tiebreak;
}

static bool start_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_at(x, HOLDINGS_BY_START);
	const struct holding *b = holding_at(y, HOLDINGS_BY_START);

	if (holding_start(a) != holding_start(b))
		return holding_start(a) < holding_start(b);
	return a->tiebreak < b->tiebreak;
}

static const struct rank_order orders[] = {
	[HOLDINGS_BY_SEARCH] = { search_before, by_search_renew },
	[HOLDINGS_BY_START] = { start_before, by_start_renew },
};

void holdings_init(struct queue *q)
{
	for (int i = 0; i < 2; i++)
		rankset_init(&q->orders[i], &orders[i]);
}

const struct holding_bounds *holdings_bounds(struct queue *q)
{
	struct rankset *set = &q->orders[HOLDINGS_BY_SEARCH];

	rankset_know(set);
	return set->root ? &place_of(set->root)->below : NULL;
}

/* The first one at or below a node that may matter */
static struct rank_node *first_below(struct rank_node *node, holdings_may_f may,
				     const void *arg)
{
	if (!node || !may(&place_of(node)->below, arg))
		return NULL;
	while (node->left && may(&place_of(node->left)->below, arg))
		node = node->left;
	return node;
}

struct holding *holdings_next(struct queue *q, enum holding_order order,
			      struct holding *h, holdings_may_f may, const void *arg)
{
	struct rank_node *node = h ? &h->places[order].node : NULL, *below;

	rankset_know(&q->orders[order]);
	below = first_below(node ? node->right : q->orders[order].root, may, arg);
	if (!below && node) {
		while (node->parent && node == node->parent->right)
			node = node->parent;
		below = node->parent;
	}
	return below ? holding_at(below, order) : NULL;
}

static void pairs_mark(struct holding *h)
{
	h->pairs = 0;
	for (size_t i = 0; i < h->nuses; i++)
		h->pairs |= pair_bit(h->uses[i].pair);
}

void holding_renew(struct holding *h)
{
	pairs_mark(h);
	for (int i = 0; i < 2; i++)
		rankset_renew(&h->q->orders[i], &h->places[i].node);
}

/* ---- what runs ---- */

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
	struct rank_node *before;

	h->q = q;
	h->priority = h->w->shape->priority;
	h->queue_order_at = h->w->queue_order_at;
	h->tiebreak = h->w->tiebreak;
	h->lost = workload_lost(h->w);
	h->turn_extra = turn_extra(h->w, q);
	pairs_mark(h);
	for (int i = 0; i < 2; i++)
		rankset_insert(&q->orders[i], &h->places[i].node, 1);
	before = rankset_previous(&h->places[HOLDINGS_BY_SEARCH].node);
	h->link = before ? &holding_at(before, HOLDINGS_BY_SEARCH)->next : &q->holdings;
	h->next = *h->link;
	*h->link = h;
	if (h->next)
		h->next->link = &h->next;
	q->nholdings++;
	q->tree->nholdings++;
	q->tree->nevicting += h->evicting;
}

void holding_unlist(struct holding *h)
{
	for (int i = 0; i < 2; i++)
		rankset_remove(&h->q->orders[i], &h->places[i].node);
	*h->link = h->next;
	if (h->next)
		h->next->link = h->link;
	h->q->nholdings--;
	h->q->tree->nholdings--;
	h->q->tree->nevicting -= h->evicting;
}
