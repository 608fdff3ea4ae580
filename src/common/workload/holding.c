/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * holding.c - quota in use: workloads start, change size, stop
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "workload/bond.h"
#include "workload/claim.h"
#include "workload/elastic.h"
#include "workload/holding.h"
#include "workload/unit.h"
#include "workload/waiting.h"

static bool charges_valid(const struct engine *e, const struct charge *charges,
			  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct charge *c = &charges[i];

		if (c->flavor < 0 || (size_t) c->flavor >= e->books->nflavors
		    || c->resource < 0
		    || (size_t) c->resource >= e->books->nresources
		    || c->amount < 0)
			return false;
	}
	return true;
}

int uses_fill(const struct engine *e, const struct charge *charges, size_t n,
	      struct use *uses, size_t *nuses)
{
	*nuses = 0;
	if (!charges_valid(e, charges, n)) {
		errno = EINVAL;
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		int pair = books_pair(e->books, charges[i].flavor,
				      charges[i].resource);

		if (pair != SPEC_NONE)
			uses[(*nuses)++] = (struct use) { pair,
							  charges[i].amount };
	}
	return 0;
}

struct use *uses_create(const struct engine *e, const struct charge *charges,
			size_t n, size_t *nuses)
{
	struct use *uses = malloc((n + 1) * sizeof(*uses));

	if (uses && uses_fill(e, charges, n, uses, nuses) < 0) {
		free(uses);
		errno = EINVAL;
		return NULL;
	}
	return uses;
}

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

	rankset_insert(&h->q->order, &h->in_order, 1, h->tiebreak);
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

static void pairs_mark(struct holding *h)
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
	pairs_mark(h);
	place_find(h);
	q->nholdings++;
	q->nunset += !h->reserved_at;
	holding_count(h, 1);
}

void holding_unlist(struct holding *h)
{
	place_leave(h);
	h->q->nholdings--;
	h->q->nunset -= !h->reserved_at;
	holding_count(h, -1);
}

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
	s->held = w->held ? w->held : calloc(1, sizeof(*s->held));
	if (s->charges && s->held)
		return 0;
	free(s->uses);
	free(s->charges);
	if (!w->held)
		free(s->held);
	errno = ENOMEM;
	return -1;
}

static void workload_begin(struct engine *e, struct workload *w,
			   struct holding *held, int64_t reserved_at)
{
	bond_leave(e, w);
	claim_drop(e, w);
	block_clear(e, w);
	waiting_unlink(w);
	held->w = w;
	held->reserved_at = reserved_at;
	w->held = held;
	w->shape->q->running += w->tasks;
	holding_list(held, w->shape->q);
	e->nholdings++;
}

int engine_start(struct engine *e, struct workload *w,
		 const struct charge *charges, size_t n, int64_t reserved_at)
{
	int node = w->shape->q->node;
	struct start s;

	if (start_prepare(e, w, charges, n, &s) < 0)
		return -1;
	if (!w->held)
		workload_begin(e, w, s.held, reserved_at);
	else
		books_remove_all(e->books, node, w->held->uses,
				 w->held->nuses);
	free(w->held->uses);
	free(w->charges);
	w->held->uses = s.uses;
	w->held->nuses = s.nuses;
	pairs_mark(w->held);
	w->charges = s.charges;
	w->ncharges = n;
	books_add_all(e->books, node, s.uses, s.nuses);
	tree_touch(e, w->shape->q->tree);
	return 0;
}

int engine_requeue(struct engine *e, struct workload *w,
		   int64_t queue_order_at)
{
	struct holding *held = w->held;

	if (!held) {
		errno = EINVAL;
		return -1;
	}
	books_remove_all(e->books, held->q->node, held->uses, held->nuses);
	holding_unlist(held);
	e->nholdings--;
	held->q->running -= w->tasks;
	unit_touch(e, held);
	elastic_leave(e, held);
	unit_leave(held);
	free(held->uses);
	free(held);
	free(w->charges);
	w->held = NULL;
	w->charges = NULL;
	w->ncharges = 0;
	w->queue_order_at = queue_order_at;
	waiting_link(e, w);
	return 0;
}

void engine_evicting(struct engine *e, struct workload *w, bool evicting)
{
	if (!w->held || w->held->evicting == evicting)
		return;
	holding_unlist(w->held);
	w->held->evicting = evicting;
	holding_list(w->held, w->held->q);
	unit_touch(e, w->held);
}

void engine_exempt(struct engine *e, struct workload *w, int64_t until)
{
	if (!w->held || w->held->exempt_until == until)
		return;
	holding_count(w->held, -1);
	w->held->exempt_until = until;
	holding_count(w->held, 1);
	unit_touch(e, w->held);
}

void engine_preempted(struct engine *e, struct workload *w, int64_t times)
{
	if (!w->held || w->held->preempted == times)
		return;
	holding_count(w->held, -1);
	w->held->preempted = times;
	holding_count(w->held, 1);
	unit_touch(e, w->held);
}

void engine_cost(struct engine *e, struct workload *w, int64_t cost)
{
	if (!w->held || w->held->cost == cost)
		return;
	holding_unlist(w->held);
	w->held->cost = cost;
	holding_list(w->held, w->held->q);
	unit_touch(e, w->held);
}

void engine_pause(struct engine *e, struct workload *w, int64_t paused_for)
{
	if (!w->held || !w->held->reserved_at)
		return;
	holding_unlist(w->held);
	w->held->reserved_at = sat_add(w->held->reserved_at, paused_for);
	holding_list(w->held, w->held->q);
	unit_touch(e, w->held);
}
