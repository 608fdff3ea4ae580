/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked.c - waiting workloads that had quota, but found no nodes
 */
#include <errno.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/workload_state.h"
#include "core/tree.h"
#include "core/uses.h"
#include "lib/sat.h"
#include "workload/blocked.h"
#include "workload/shape.h"
#include "workload/pending.h"
#include "workload/progress.h"

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

static void blocked_link(struct workload *w)
{
	struct workload **first = &w->shape->q->blocked;

	w->rare->next_blocked = *first;
	w->rare->blocked_link = first;
	if (*first)
		(*first)->rare->blocked_link = &w->rare->next_blocked;
	*first = w;
}

static void blocked_unlink(struct workload *w)
{
	struct rare *r = w->rare;

	*r->blocked_link = r->next_blocked;
	if (r->next_blocked)
		r->next_blocked->rare->blocked_link = r->blocked_link;
	r->next_blocked = NULL;
	r->blocked_link = NULL;
}

void block_drop(struct workload *w)
{
	if (w->blocked)
		blocked_unlink(w);
	w->blocked = false;
	rare_drop_empty(w);
}

void block_clear(struct engine *e, struct workload *w)
{
	block_drop(w);
	shape_switch(e, w, false);
}

void engine_blocked(struct engine *e, struct workload *w, bool blocked)
{
	if (w->runs || w->blocked == blocked)
		return;
	tree_request_plan(e, w->shape->q->tree);
	if (!blocked) {
		block_clear(e, w);
		return;
	}
	if (!rare_get(w))	/* no memory: it is only tried too often */
		return;
	shape_switch(e, w, true);
	w->blocked = true;
	blocked_link(w);
}

int engine_withhold(struct engine *e, int queue, const struct charge *charges,
		    size_t n, int sign)
{
	struct queue *q;
	struct use *uses;
	size_t nuses;

	if (queue < 0 || (size_t) queue >= e->nqueues) {
		errno = EINVAL;
		return -1;
	}
	q = &e->queues[queue];
	tree_request_plan(e, q->tree);
	if (!q->unsubmitted)
		q->unsubmitted = calloc(e->books->npairs + 1,
					sizeof(*q->unsubmitted));
	uses = q->unsubmitted ? uses_create(e, charges, n, &nuses) : NULL;
	if (!uses)
		return -1;
	for (size_t i = 0; i < nuses; i++) {
		int64_t *wanted = &q->unsubmitted[uses[i].pair];

		*wanted = max64(0, sat_add(*wanted, sign * uses[i].amount));
	}
	free(uses);
	return 0;
}
