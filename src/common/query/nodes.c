/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodes.c - what a queue or cohort has, uses, lends and borrows, now and lately
 */
#include <math.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "query.h"
#include "quota/fixed.h"
#include "quota/history.h"
#include "quota/share.h"
#include "usage/local.h"

/* The part of the node's own quota that it does not use and cannot get right
 * now, because others use it */
static int64_t lent_of(const struct quota *q, int64_t usage, int64_t available)
{
	int64_t idle = max64(0, sat_sub(q->subtree, usage));
	int64_t lendable = max64(0, sat_sub(q->subtree, q->local));

	return min64(lendable, max64(0, sat_sub(idle, max64(0, available))));
}

bool engine_borrows(const struct engine *e, int queue, int flavor, int resource)
{
	const struct books *b = e->books;
	int pair;

	return books_find(b, false, &queue, flavor, resource, &pair)
	       && books_over_nominal(b, queue, pair, 0) > 0;
}

int engine_ledger(const struct engine *e, bool is_cohort, int node,
		  int flavor, int resource, struct ledger *l)
{
	const struct books *b = e->books;
	const struct quota *q;
	int64_t usage;
	int pair;

	if (!books_find(b, is_cohort, &node, flavor, resource, &pair))
		return failed(EINVAL);
	usage = books_usage(b, node, pair);
	q = books_quota(b, node, pair);
	*l = (struct ledger) {
		.nominal = q->nominal,
		.borrowing_limit = q->borrowing_limit,
		.lending_limit = q->lending_limit,
		.subtree = q->subtree,
		.used = usage,
		.borrowed = max64(0, books_over_nominal(b, node, pair, 0)),
		.available = max64(0, books_available(b, node, pair)),
		.potential = q->potential,
	};
	l->lent = lent_of(q, usage, l->available);
	return 0;
}

int engine_fixed_ledger(const struct engine *e, int queue, int flavor,
			int resource, struct fixed_ledger *l)
{
	const struct books *b = e->books;
	int node = queue, pair;

	if (!books_find(b, false, &node, flavor, resource, &pair))
		return failed(EINVAL);
	l->used = fixed_usage(b, node, pair);
	l->cap = fixed_cap(b, node, pair, e->queues[queue].spec.cap_scope);
	return 0;
}

static double share_number(const struct share *share)
{
	if (share->ratio <= 0)
		return 0;
	return share->weight > 0 ? share->ratio / share->weight : HUGE_VAL;
}

double engine_share(const struct engine *e, bool is_cohort, int node)
{
	if (!is_cohort)
		node += (int) e->books->ncohorts;
	return share_number(share_of(e->books, node));
}

/* ---- history ---- */

/* As it is now: no event has changed the amount since */
static void bring_up(const struct engine *e, struct usage_history *h, int64_t half_life)
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
		.amount = (double) borrowed_of(b, node, resource, NULL, 0),
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
	share = share_less(e->books, node, NULL, 0, 0);
	return share_number(&share);
}

void engine_locals(const struct engine *e, int queue,
		   void (*f)(void *arg, int local_queue, double score), void *arg)
{
	const struct local *l = e->queues[queue].locals;

	for (; l; l = l->next)
		f(arg, (int) l->keyed.key, l->key);
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
