/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settled.c - runs within nominal quota that other queues leave alone
 */
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/uses.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "quota/calendar.h"
#include "holding/settled.h"

bool claim_settles_run(const struct workload *w, const struct use *uses, size_t n)
{
	const struct claim *claim = w->claim;

	return claim && claim->settles
	       && uses_are_in(uses, n, claim->uses, claim->nuses);
}

bool run_settles(const struct engine *e, const struct workload *w, const struct use *uses, size_t n)
{
	return w->shape->yields
	       && (claim_settles_run(w, uses, n)
		   || !books_is_over(e->books, w->shape->q->node, uses, n));
}

/* What those of the queue use of a pair that are on the way out, which come first */
static int64_t leaving_use(const struct queue *q, int pair)
{
	int64_t sum = 0;

	for_each_leaving(h, q)
		sum = sat_add(sum, uses_of_pair(h->uses, h->nuses, pair));
	return sum;
}

void claim_settle(const struct engine *e, const struct workload *w)
{
	struct claim *claim = w->claim;
	const struct queue *q = w->shape->q;

	claim->settles = w->shape->yields;
	for (size_t i = 0; claim->settles && i < claim->nuses; i++) {
		int pair = claim->uses[i].pair;

		claim->settles = !books_is_over_nominal(e->books, q->node, pair,
							-leaving_use(q, pair));
	}
}

void holding_settle(struct engine *e, struct holding *h, bool settled)
{
	if (h->settled == settled)
		return;
	h->settled = settled;
	holding_renew(h);
	unit_touch(e, h);
}

static void settled_clear(struct engine *e, struct queue *q)
{
	for_each_holding(h, q)
		holding_settle(e, h, false);
	for (struct workload *w = q->tree->owners; w; w = w->claim->next_owner) {
		if (w->shape->q == q)
			w->claim->settles = false;
	}
}

/* What is settled in the queue, or will be at its start, or non-preemptible, with one more
 * run, is no more of the pair than the queue owns. */
static bool has_room(const struct engine *e, const struct queue *q,
		     const struct holding *more, int pair)
{
	int64_t sum = 0;

	if (!books_is_over_nominal(e->books, q->node, pair, 0))
		return true;
	for_each_holding(h, q) {
		if (!h->evicting && (h == more || h->settled || h->fixed))
			sum = sat_add(sum, uses_of_pair(h->uses, h->nuses, pair));
	}
	for (const struct workload *w = q->tree->owners; w; w = w->claim->next_owner) {
		if (w->shape->q == q && w->claim->settles)
			sum = sat_add(sum, uses_of_pair(w->claim->uses, w->claim->nuses, pair));
	}
	return sum <= books_quota(e->books, q->node, pair)->nominal;
}

void settled_review(struct engine *e, const struct holding *h)
{
	for (size_t i = 0; i < h->nuses; i++) {
		if (!has_room(e, h->q, NULL, h->uses[i].pair)) {
			settled_clear(e, h->q);
			return;
		}
	}
}

void settled_follow(struct engine *e)
{
	const struct calendar *calendar = e->books->calendar;

	if (!calendar || e->settled_as_of == calendar->done)
		return;
	e->settled_as_of = calendar->done;
	for (size_t i = 0; i < e->nqueues; i++) {
		struct queue *q = &e->queues[i];
		size_t pair = 0;

		while (pair < e->books->npairs && has_room(e, q, NULL, (int) pair))
			pair++;
		if (pair < e->books->npairs)
			settled_clear(e, q);
	}
}

void engine_keep_settled(struct engine *e, struct workload *w, bool settled)
{
	struct holding *h = holding_of(w);

	if (!h)
		return;
	for (size_t i = 0; settled && i < h->nuses; i++)
		settled = has_room(e, h->q, h, h->uses[i].pair);
	holding_settle(e, h, settled);
}

bool workload_settled(const struct workload *w)
{
	return w->runs && w->held->settled;
}
