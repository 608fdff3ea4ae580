/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked.c - waiting workloads that had quota, but found no nodes
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/tree.h"
#include "workload/blocked.h"
#include "workload/shape.h"
#include "workload/pending.h"

/* Moves a waiting workload to the shape that it shares with all that are alike,
 * or to a shape of its own. */
static void shape_switch(struct engine *e, struct workload *w, bool alone)
{
	uint64_t number = alone ? w->tiebreak + 1 : 0;
	struct shape *shape, *old = w->shape;

	if (old->alone == number)
		return;
	shape = shape_get_like(e, old, number);
	if (!shape)	/* no memory: it keeps the old shape, and is only tried
			 * too often with the others */
		return;
	pending_remove(e, w);
	w->shape = shape;
	pending_add(e, w);
	shape_put(e, old);
}

static void blocked_unlink(struct workload *w)
{
	struct workload **at = &w->shape->q->blocked;

	while (*at != w)
		at = &(*at)->next_blocked;
	*at = w->next_blocked;
	w->next_blocked = NULL;
}

void block_drop(struct workload *w)
{
	if (w->blocked)
		blocked_unlink(w);
	w->blocked = false;
}

void block_clear(struct engine *e, struct workload *w)
{
	block_drop(w);
	free(w->avoid);
	w->avoid = NULL;
	shape_switch(e, w, false);
}

void engine_blocked(struct engine *e, struct workload *w, bool blocked)
{
	if (w->held || w->blocked == blocked)
		return;
	tree_request_plan(e, w->shape->q->tree);
	if (!blocked) {
		block_drop(w);
		shape_switch(e, w, w->avoid);
		return;
	}
	shape_switch(e, w, true);
	w->blocked = true;
	w->next_blocked = w->shape->q->blocked;
	w->shape->q->blocked = w;
}

/* The plan did not know yet that there are no nodes in that flavor. */
static void promise_forget(const struct engine *e, struct workload *w, int f)
{
	for (size_t i = 0; w->plan == w->shape->q->tree->plan
			   && i < w->npromise; i++) {
		if (e->books->pairs[w->promise[i].pair].flavor == f)
			w->npromise = 0;
	}
	if (!w->npromise)
		w->promise = NULL;
}

void engine_avoid_flavor(struct engine *e, struct workload *w, int f)
{
	if (w->held)
		return;
	tree_request_plan(e, w->shape->q->tree);
	if (f == SPEC_NONE) {
		free(w->avoid);
		w->avoid = NULL;
		shape_switch(e, w, w->blocked);
		return;
	}
	if (f < 0 || (size_t) f >= e->books->nflavors)
		return;
	if (!w->avoid)
		w->avoid = calloc(e->books->nflavors, sizeof(*w->avoid));
	if (w->avoid) {
		w->avoid[f] = true;
		promise_forget(e, w, f);
		shape_switch(e, w, true);
	}
}
