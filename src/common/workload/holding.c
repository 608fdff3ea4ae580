/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: the running workloads of a queue, in order
 */
#include "workload/holding.h"

static const struct holding *holding_of(const struct rank_node *node)
{
	return container_of(node, struct holding, in_order);
}

static int64_t reserved_at(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : h->q->unset_at;
}

/* The order of searches, see candidate_before() */
static bool holding_before(const struct rank_node *x, const struct rank_node *y)
{
	const struct holding *a = holding_of(x), *b = holding_of(y);

	if (a->evicting != b->evicting)
		return a->evicting;
	if (a->priority != b->priority)
		return a->priority < b->priority;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (reserved_at(a) != reserved_at(b))
		return reserved_at(a) > reserved_at(b);
	return a->tiebreak < b->tiebreak;
}

void holdings_init(struct queue *q)
{
	rankset_init(&q->order, holding_before);
}

static void place_find(struct holding *h)
{
	struct rank_node *before;

	/* Tasks of one array have one tiebreak, but each its own address. */
	rankset_insert(&h->q->order, &h->in_order, 1, (uintptr_t) h);
	before = rankset_previous(&h->in_order);
	h->link = before ? &container_of(before, struct holding, in_order)->next
			 : &h->q->holdings;
	h->next = *h->link;
	*h->link = h;
	if (h->next)
		h->next->link = &h->next;
}

static void place_leave(struct holding *h)
{
	rankset_remove(&h->q->order, &h->in_order);
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
		place_leave(h);
		h->next = unset;
		unset = h;
	}
	q->unset_at = now;
	for (; unset; unset = next) {
		next = unset->next;
		place_find(unset);
	}
}

void holding_mark_pairs(struct holding *h)
{
	h->pairs = 0;
	for (size_t i = 0; i < h->nuses; i++)
		h->pairs |= pair_bit(h->uses[i].pair);
}

void holding_count(struct holding *h, int by)
{
	if (!h->exempt_until && !holding_spent(h) && !h->unit)
		return;
	h->q->nexempt += by;
	h->q->tree->nexempt += by;
}

void holding_list(struct holding *h, struct queue *q)
{
	h->q = q;
	h->priority = h->w->shape->priority;
	h->queue_order_at = h->w->queue_order_at;
	h->tiebreak = h->w->tiebreak;
	holding_mark_pairs(h);
	place_find(h);
	q->nholdings++;
	q->nunset += !h->reserved_at;
	q->tree->nevicting += h->evicting;
	holding_count(h, 1);
}

void holding_unlist(struct holding *h)
{
	place_leave(h);
	h->q->nholdings--;
	h->q->nunset -= !h->reserved_at;
	h->q->tree->nevicting -= h->evicting;
	holding_count(h, -1);
}
