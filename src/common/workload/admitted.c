/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admitted.c - workloads start, change size, are on their way out, stop
 */
#include <stdlib.h>

#include "core/cap.h"
#include "holding/holding.h"
#include "holding/settled.h"
#include "workload/workload.h"

/* Everything a start needs to allocate */
struct start {
	struct holding *held;
	struct use *uses;
	struct charge *charges;
	size_t nuses;
};

static int start_prepare(const struct engine *e, const struct workload *w,
			 const struct charge *charges, size_t n, struct start *s)
{
	s->uses = charges_take(e, charges, n, &s->nuses, &s->charges);
	if (!s->uses)
		return -1;
	s->held = holding_of(w) ? holding_of(w) : calloc(1, sizeof(*s->held));
	if (s->held)
		return 0;
	free(s->uses);
	free(s->charges);
	return failed(ENOMEM);
}

static void workload_begin(struct engine *e, struct workload *w,
			   struct holding *held, int64_t reserved_at)
{
	/* what it owns counts in its group, and is given up here */
	held->fixed = w->claim ? w->claim->fixed : workload_is_capped(w);
	engine_unbond(e, w);
	memory_forget(e, w);
	pending_remove(e, w);
	held->w = w;
	held->reserved_at = reserved_at;
	w->held = held;
	w->runs = true;
	if (held->fixed)
		fixed_group_count(e, w->shape->group, 1);
	w->shape->q->running += w->tasks;
	holding_list(held, w->shape->q);
}

int engine_start(struct engine *e, struct workload *w,
		 const struct charge *charges, size_t n, int64_t reserved_at)
{
	int node = w->shape->q->node;
	struct start s;
	bool settles, starts = !w->runs;

	if (start_prepare(e, w, charges, n, &s) < 0)
		return -1;
	settles = workload_settled(w) || claim_settles_run(w, s.uses, s.nuses);
	if (starts) {
		workload_begin(e, w, s.held, reserved_at);
		local_start(e, w->shape->local, s.uses, s.nuses);
	} else {
		books_charge(e->books, node, w->held->uses, w->held->nuses, w->held->fixed, -1);
		local_change(e, w->shape->local, w->held->uses, w->held->nuses, -1);
		local_change(e, w->shape->local, s.uses, s.nuses, 1);
	}
	free(w->held->uses);
	free(w->held->charges);
	w->held->uses = s.uses;
	w->held->nuses = s.nuses;
	holding_renew(w->held);
	w->held->charges = s.charges;
	w->held->ncharges = n;
	books_charge(e->books, node, s.uses, s.nuses, w->held->fixed, 1);
	if (starts)
		settles |= run_settles(e, w, s.uses, s.nuses);
	holding_settle(e, w->held, settles);
	if (w->held->fixed || (settles && !starts))
		settled_review(e, w->held);
	tree_request_plan(e, w->shape->q->tree);
	return 0;
}

void run_move(struct engine *e, struct workload *w, int sign)
{
	struct holding *h = w->held;

	if (sign > 0)
		holding_list(h, w->shape->q);
	unit_touch(e, h);
	h->q->running += sign * (int64_t) w->tasks;
	books_charge(e->books, h->q->node, h->uses, h->nuses, h->fixed, sign);
	if (h->fixed)
		fixed_group_count(e, w->shape->group, sign);
	local_change(e, w->shape->local, h->uses, h->nuses, sign);
	if (sign < 0)
		holding_unlist(h);
}

void run_end(struct engine *e, struct workload *w)
{
	struct holding *h = w->held;

	run_move(e, w, -1);
	elastic_leave(e, h);
	unit_leave(h);
	if (h->fixed)
		fixed_members_settle(e, h);
	free(h->uses);
	free(h->charges);
	free(h);
	w->runs = false;
}

int engine_requeue(struct engine *e, struct workload *w, int64_t queue_order_at)
{
	if (!w->runs)
		return failed(EINVAL);
	run_end(e, w);
	w->queue_order_at = queue_order_at;
	pending_add(e, w);
	return 0;
}

void engine_evicting(struct engine *e, struct workload *w, bool evicting)
{
	if (!w->runs || w->held->evicting == evicting)
		return;
	if (evicting)
		elastic_count(w->held, -1);
	holding_unlist(w->held);
	w->held->evicting = evicting;
	holding_list(w->held, w->held->q);
	if (!evicting) {
		elastic_count(w->held, 1);
		settled_review(e, w->held);
	}
	unit_touch(e, w->held);
}

void engine_pause(struct engine *e, struct workload *w, int64_t paused_for)
{
	if (!w->runs || !w->held->reserved_at)
		return;
	holding_unlist(w->held);
	w->held->reserved_at = sat_add(w->held->reserved_at, paused_for);
	holding_list(w->held, w->held->q);
	unit_touch(e, w->held);
}

int engine_set_terms(struct engine *e, struct workload *w, const struct eviction_terms *terms)
{
	struct workload *with = terms->joined_to;
	struct holding *h = holding_of(w);

	if (!h || with == w || (with && !with->runs))
		return failed(EINVAL);
	if (terms->min_available >= 0
	    && elastic_join(e, h, terms->group, terms->min_available) < 0)
		return -1;
	if (with && unit_join(h, with->held))
		unit_touch(e, h);
	if (h->cost != terms->cost) {
		holding_unlist(h);
		h->cost = terms->cost;
		holding_list(h, h->q);
		unit_touch(e, h);
	}
	if (h->exempt_until != terms->exempt_until) {
		h->exempt_until = terms->exempt_until;
		holding_renew(h);
		unit_touch(e, h);
	}
	return 0;
}

void workload_terms(const struct workload *w, struct eviction_terms *terms)
{
	const struct holding *h = holding_of(w);

	*terms = (struct eviction_terms) { .min_available = -1 };
	if (!h)
		return;
	terms->exempt_until = h->exempt_until;
	terms->cost = h->cost;
	if (!h->elastic)
		return;
	terms->group = h->elastic->keyed.key;
	terms->min_available = h->elastic->min_available;
}
