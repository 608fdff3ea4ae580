/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * admitted.c - workloads start, change size, are on their way out, stop
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cap.h"
#include "core/engine_state.h"
#include "core/tree_state.h"
#include "core/uses.h"
#include "holding/holding.h"
#include "holding/settled.h"
#include "usage/local.h"
#include "workload/waiting.h"
#include "workload/bond.h"

/* ---- non-preemptible ones ---- */

/* A listed holding becomes non-preemptible, or preemptible */
static void holding_fix(struct engine *e, struct holding *h, bool fixed)
{
	int node = h->q->node;

	if (h->fixed == fixed)
		return;
	h->fixed = fixed;
	unit_renew(h);
	if (fixed)
		fixed_add_all(e->books, node, h->uses, h->nuses);
	else
		fixed_remove_all(e->books, node, h->uses, h->nuses);
	fixed_group_count(e, h->w->shape->group, fixed ? 1 : -1);
	unit_touch(e, h);
	if (fixed)
		settled_review(e, h);
}

static bool starts_before(const struct holding *a, const struct holding *b)
{
	if (holding_start(a) != holding_start(b))
		return holding_start(a) < holding_start(b);
	return a->tiebreak < b->tiebreak;
}

/* Of the members that are (or are not) non-preemptible the first to have
 * started that the cap admits, or the last one; NULL: none */
static struct holding *member_find(const struct engine *e,
				   const struct queue *q,
				   const struct fixed_group *g, bool fixed)
{
	struct holding *found = NULL;

	for (struct holding *h = q->holdings; h; h = h->next) {
		if (h->w->shape->group != g || h->fixed != fixed || h->evicting
		    || (found && starts_before(found, h) != fixed)
		    || (!fixed && !cap_admits(e, q, h->uses, h->nuses)))
			continue;
		found = h;
	}
	return found;
}

void fixed_members_settle(struct engine *e, const struct holding *h)
{
	const struct fixed_group *g = h->w->shape->group;
	struct holding *member;
	bool more;

	while (g && g->now != g->most) {
		more = g->now < g->most;
		member = member_find(e, h->q, g, !more);
		if (!member)
			return;
		holding_fix(e, member, more);
	}
}

/* ---- starts, and what comes after them ---- */

static struct charge *charges_copy(const struct charge *charges, size_t n)
{
	struct charge *copy = malloc((n + 1) * sizeof(*copy));

	if (copy && n)
		memcpy(copy, charges, n * sizeof(*copy));
	return copy;
}

/* Everything a start needs to allocate */
struct start {
	struct holding *held;
	struct use *uses;
	struct charge *charges;
	size_t nuses;
};

static int start_prepare(const struct engine *e, const struct workload *w,
			 const struct charge *charges, size_t n,
			 struct start *s)
{
	s->uses = uses_create(e, charges, n, &s->nuses);
	if (!s->uses)
		return -1;
	s->charges = charges_copy(charges, n);
	s->held = holding_of(w) ? holding_of(w) : calloc(1, sizeof(*s->held));
	if (s->charges && s->held)
		return 0;
	free(s->uses);
	free(s->charges);
	if (workload_is_waiting(w))
		free(s->held);
	errno = ENOMEM;
	return -1;
}

static void workload_begin(struct engine *e, struct workload *w,
			   struct holding *held, int64_t reserved_at)
{
	/* what it owns counts in its group, and is given up here */
	held->fixed = workload_claim(w) ? w->rare->claim->fixed : workload_is_capped(w);
	bond_leave(e, w);
	owned_quota_drop(e, w);
	block_drop(w);
	pending_remove(e, w);
	held->w = w;
	held->reserved_at = reserved_at;
	w->held = held;
	w->runs = true;
	if (held->fixed)
		fixed_group_count(e, w->shape->group, 1);
	w->shape->q->running += w->tasks;
	holding_list(held, w->shape->q);
	e->nholdings++;
}

int engine_start(struct engine *e, struct workload *w,
		 const struct charge *charges, size_t n, int64_t reserved_at)
{
	int node = w->shape->q->node;
	struct start s;
	bool settles, starts = workload_is_waiting(w);

	if (start_prepare(e, w, charges, n, &s) < 0)
		return -1;
	settles = workload_settled(w) || claim_settles_run(w, s.uses, s.nuses);
	if (starts) {
		workload_begin(e, w, s.held, reserved_at);
		local_start(e, w->shape->local, s.uses, s.nuses);
	} else {
		books_release(e->books, node, w->held->uses,
			      w->held->nuses, w->held->fixed);
		local_release(e, w->shape->local, w->held->uses, w->held->nuses);
		local_charge(e, w->shape->local, s.uses, s.nuses);
	}
	free(w->held->uses);
	free(w->held->charges);
	w->held->uses = s.uses;
	w->held->nuses = s.nuses;
	holding_renew(w->held);
	w->held->charges = s.charges;
	w->held->ncharges = n;
	books_charge(e->books, node, s.uses, s.nuses, w->held->fixed);
	if (starts)
		settles |= run_settles(e, w, s.uses, s.nuses);
	holding_settle(e, w->held, settles);
	if (w->held->fixed || (settles && !starts))
		settled_review(e, w->held);
	tree_request_plan(e, w->shape->q->tree);
	return 0;
}

int engine_requeue(struct engine *e, struct workload *w,
		   int64_t queue_order_at)
{
	struct holding *held = holding_of(w);

	if (!held) {
		errno = EINVAL;
		return -1;
	}
	books_release(e->books, held->q->node, held->uses, held->nuses,
		      held->fixed);
	local_release(e, w->shape->local, held->uses, held->nuses);
	holding_unlist(held);
	e->nholdings--;
	held->q->running -= w->tasks;
	unit_touch(e, held);
	elastic_leave(e, held);
	unit_leave(held);
	if (held->fixed) {
		fixed_group_count(e, w->shape->group, -1);
		fixed_members_settle(e, held);
	}
	free(held->uses);
	free(held->charges);
	free(held);
	w->runs = false;
	w->queue_order_at = queue_order_at;
	pending_add(e, w);
	return 0;
}

void engine_evicting(struct engine *e, struct workload *w, bool evicting)
{
	if (workload_is_waiting(w) || w->held->evicting == evicting)
		return;
	if (evicting)
		elastic_take(w->held);
	holding_unlist(w->held);
	w->held->evicting = evicting;
	holding_list(w->held, w->held->q);
	if (w->held->unit)
		unit_renew(w->held);
	if (!evicting) {
		elastic_give(w->held);
		settled_review(e, w->held);
	}
	unit_touch(e, w->held);
}

bool engine_set_nonpreemptible(struct engine *e, struct workload *w,
			       bool nonpreemptible)
{
	struct holding *h = holding_of(w);

	if (!h)
		return w->shape->nonpreemptible;
	if (!nonpreemptible)
		holding_fix(e, h, false);
	else if (h->fixed && w->shape->group)
		fixed_members_settle(e, h);
	else if (!h->fixed && fixed_group_has_room(w->shape->group)
		 && cap_admits(e, h->q, h->uses, h->nuses))
		holding_fix(e, h, true);
	return h->fixed;
}

void engine_keep_nonpreemptible(struct engine *e, struct workload *w,
				bool nonpreemptible)
{
	if (w->runs)
		holding_fix(e, w->held, nonpreemptible);
}

void engine_pause(struct engine *e, struct workload *w, int64_t paused_for)
{
	if (workload_is_waiting(w) || !w->held->reserved_at)
		return;
	holding_unlist(w->held);
	w->held->reserved_at = sat_add(w->held->reserved_at, paused_for);
	holding_list(w->held, w->held->q);
	if (w->held->unit)
		unit_renew(w->held);
	unit_touch(e, w->held);
}

int engine_set_terms(struct engine *e, struct workload *w,
		     const struct eviction_terms *terms)
{
	struct workload *with = terms->joined_to;
	struct holding *h = holding_of(w);

	if (!h || with == w || (with && workload_is_waiting(with))) {
		errno = EINVAL;
		return -1;
	}
	if (terms->min_available >= 0
	    && elastic_join(e, h, terms->group, terms->min_available) < 0)
		return -1;
	if (with)
		unit_join_running(e, h, holding_of(with));
	if (h->cost != terms->cost) {
		holding_unlist(h);
		h->cost = terms->cost;
		holding_list(h, h->q);
		unit_touch(e, h);
	}
	if (h->exempt_until != terms->exempt_until) {
		h->exempt_until = terms->exempt_until;
		unit_renew(h);
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
