/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - what was used lately, for callers that show or keep it
 */
#include <math.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "query.h"
#include "quota/history.h"
#include "quota/share.h"
#include "usage/local.h"

/* As it is now: no event has changed the amount since */
static void bring_up(const struct engine *e, struct usage_history *h,
		     int64_t half_life)
{
	if (!h->at || e->now <= h->at)
		return;
	if (half_life && h->past != h->amount)
		h->past = history_moved(h->past, h->amount,
					history_left(e->now - h->at,
						     half_life));
	h->at = e->now;
}

bool engine_history(const struct engine *e, bool is_cohort, int node,
		    int resource, struct usage_history *h)
{
	const struct books *b = e->books;

	if (!is_cohort)
		node += (int) b->ncohorts;
	if (!b->history || b->nodes[node].parent == SPEC_NONE)
		return false;
	*h = (struct usage_history) {
		.past = history_past(b, node, resource)->past,
		.amount = (double) share_borrowed(b, node, resource),
		.at = b->history->at[node],
	};
	bring_up(e, h, b->history->half_life);
	return true;
}

double engine_share_now(const struct engine *e, bool is_cohort, int node)
{
	struct share share;

	if (!is_cohort)
		node += (int) e->books->ncohorts;
	share = share_plain(e->books, node, NULL, 0);
	if (share.ratio <= 0)
		return 0;
	return share.weight > 0 ? share.ratio / share.weight : HUGE_VAL;
}

void engine_locals(const struct engine *e, int queue,
		   void (*f)(void *arg, int local_queue, double score),
		   void *arg)
{
	const struct local *l = e->queues[queue].locals;

	for (; l; l = l->next)
		f(arg, l->number, l->key);
}

double engine_local_weight(const struct engine *e, int queue, int local_queue)
{
	const struct local *l = local_known(e, &e->queues[queue], local_queue);

	return l ? l->weight : 1;
}

bool engine_local_history(const struct engine *e, int queue, int local_queue,
			  int resource, struct usage_history *h)
{
	const struct local *l = local_known(e, &e->queues[queue], local_queue);

	if (!l)
		return false;
	*h = (struct usage_history) {
		.past = l->uses[resource].past,
		.amount = (double) l->uses[resource].used,
		.at = l->at,
	};
	bring_up(e, h, e->local_half_life);
	return true;
}
