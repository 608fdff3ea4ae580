/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: the running workloads of a queue, in order
 */
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "holding/holding.h"
#include "holding/least.h"
#include "holding/orders.h"

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
	h->q->tree->nunits += h->unit ? by : 0;
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
