/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: the running workloads of a queue, their order, and bounds of what
 * is in it; units and elastic groups
 */
#include <string.h>

#include "core/engine_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"

/* ---- bounds ---- */

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
	by = &holding_at(node)->below;
	b->pairs |= by->pairs;
	b->kinds |= by->kinds;
	b->lowest_priority = min64(b->lowest_priority, by->lowest_priority);
	b->first_exempt = min64(b->first_exempt, by->first_exempt);
	b->last_exempt = max64(b->last_exempt, by->last_exempt);
	b->first_from = min64(b->first_from, by->first_from);
	b->last_from = max64(b->last_from, by->last_from);
}

static bool below_renew(struct rank_node *node)
{
	struct holding *h = holding_at(node);
	struct holding_bounds b = bounds_of(h);

	bounds_widen(&b, node->left);
	bounds_widen(&b, node->right);
	if (!memcmp(&b, &h->below, sizeof(b)))
		return false;
	h->below = b;
	return true;
}

/* ---- order ---- */

/* See candidate_before() */
static bool holding_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_at(x), *b = holding_at(y);

	int by = compare64(b->evicting, a->evicting);

	if (!by)
		by = compare64(a->priority, b->priority);
	if (!by)
		by = compare64(a->cost, b->cost);
	if (!by)
		by = compare64(holding_start(b), holding_start(a));
	return by ? by < 0 : a->w->tiebreak < b->w->tiebreak;
}

void holdings_init(struct queue *q)
{
	static const struct rank_order order = { holding_before, below_renew };

	rankset_init(&q->order, &order);
}

static struct rank_node *side_of(const struct rank_node *node, bool left)
{
	return left ? node->left : node->right;
}

static bool may_matter(const struct rank_node *node, holdings_may_f may, const void *arg)
{
	return node && may(&holding_at(node)->below, arg);
}

struct holding *holdings_next(struct queue *q, struct holding *h, bool backwards,
			      holdings_may_f may, const void *arg)
{
	struct rank_node *node = h ? side_of(&h->place, backwards) : q->order.root;

	if (may_matter(node, may, arg)) {
		while (may_matter(side_of(node, !backwards), may, arg))
			node = side_of(node, !backwards);
		return holding_at(node);
	}
	if (!h)
		return NULL;
	for (node = &h->place; node->parent; node = node->parent) {
		if (node == side_of(node->parent, !backwards))
			return holding_at(node->parent);
	}
	return NULL;
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
	rankset_renew(&h->q->order, &h->place);
}

/* ---- what runs ---- */

/* A turn is twice as long for each that the workload has had before. */
static int64_t turn_extra(const struct workload *w, const struct queue *q)
{
	int64_t turn = max64(0, q->spec.min_admit), all = turn;

	if (q->spec.min_admit == SPEC_NO_TIME)
		return 0;
	for (int64_t i = 0; i < w->turns && all < INT64_MAX; i++)
		all = sat_add(all, all);
	return sat_sub(all, turn);
}

void holding_list(struct holding *h, struct queue *q)
{
	h->q = q;
	h->priority = h->w->shape->priority;
	h->turn_extra = turn_extra(h->w, q);
	pairs_mark(h);
	rankset_insert(&q->order, &h->place, 1);
	q->tree->nholdings++;
	q->tree->nevicting += h->evicting;
}

void holding_unlist(struct holding *h)
{
	rankset_remove(&h->q->order, &h->place);
	h->q->tree->nholdings--;
	h->q->tree->nevicting -= h->evicting;
}

/* ---- units ---- */

void unit_touch(struct engine *e, struct holding *h)
{
	for_each_in_unit(m, h)
		tree_request_plan(e, m->q->tree);
}

static void unit_renew(struct holding *h)
{
	for_each_in_unit(m, h)
		holding_renew(m);
}

bool unit_join(struct holding *h, struct holding *other)
{
	struct holding *next = h->unit ? h->unit : h;

	for_each_in_unit(m, h) {
		if (m == other)
			return false;
	}
	h->unit = other->unit ? other->unit : other;
	other->unit = next;
	unit_renew(h);
	return true;
}

void unit_leave(struct holding *h)
{
	struct holding *before = h;

	if (!h->unit)
		return;
	while (before->unit != h)
		before = before->unit;
	before->unit = h->unit == before ? NULL : h->unit;
	unit_renew(before);
	h->unit = NULL;
}

void unit_set_gone(struct holding *h, bool gone)
{
	for_each_in_unit(m, h) {
		if (m->gone == gone)
			continue;
		m->gone = gone;
		elastic_count(m, gone ? -1 : 1);
	}
}

void unit_set_left(struct holding *h, bool left)
{
	unit_set_gone(h, left);
	unit_mark(h, left, left);
	unit_renew(h);
}

/* ---- elastic groups ---- */

void elastic_leave(struct engine *e, struct holding *h)
{
	struct elastic *g = h->elastic;

	if (!g)
		return;
	elastic_count(h, -1);
	h->elastic = NULL;
	if (--g->members)
		return;
	keyed_free(&e->elastics, &g->keyed);
}

int elastic_join(struct engine *e, struct holding *h, uint64_t key, int64_t min_available)
{
	struct elastic *g = keyed_get(&e->elastics, h->q->node, key, sizeof(*g));

	if (!g)
		return -1;
	g->q = h->q;
	if (h->elastic == g && g->min_available == min_available)
		return 0;
	if (h->elastic != g) {
		elastic_leave(e, h);
		h->elastic = g;
		g->members++;
		holding_renew(h);
		elastic_count(h, 1);
	}
	h->q->nspare -= elastic_has_spare(h);
	g->min_available = min_available;
	h->q->nspare += elastic_has_spare(h);
	tree_request_plan(e, h->q->tree);
	return 0;
}
