/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload.c - workloads come, change and go
 */
#include <errno.h>
#include <stdlib.h>

#include "core/cap.h"
#include "workload/workload.h"
#include "holding/holding.h"

static bool podset_valid(const struct engine *e, const struct podset_desc *ps)
{
	if (ps->count < 1 || ps->min_count < 0 || ps->min_count > ps->count)
		return false;
	for (size_t i = 0; i < ps->nrequests; i++) {
		int resource = ps->requests[i].resource;

		if (resource < 0 || (size_t) resource >= e->books->nresources
		    || ps->requests[i].amount < 0)
			return false;
		for (size_t f = 0; ps->by_flavor && f < e->books->nflavors; f++) {
			if (ps->by_flavor[i * e->books->nflavors + f] < 0)
				return false;
		}
	}
	return true;
}

static bool desc_valid(const struct engine *e, const struct workload_desc *d)
{
	if (d->queue < 0 || (size_t) d->queue >= e->nqueues || d->tasks < 1
	    || d->tasks > ENGINE_MOST_TASKS || d->max_starts < 0
	    || d->max_starts > UINT32_MAX || d->fixed_members < 0
	    || d->lost < 0 || d->evictions < d->lost || d->turns < 0)
		return false;
	for (size_t i = 0; i < d->npodsets; i++) {
		if (!podset_valid(e, &d->podsets[i]))
			return false;
	}
	return true;
}

/* Sets all of the desc that is not in the shape */
static void workload_set(struct workload *w, const struct workload_desc *d)
{
	w->owner = d->owner;
	w->queue_order_at = d->queue_order_at;
	w->tiebreak = d->tiebreak;
	w->tasks = (uint32_t) d->tasks;
	w->local = d->local_queue;
	w->max_starts = (uint32_t) d->max_starts;
	w->evictions = d->evictions;
	w->lost = d->lost;
	w->turns = d->turns;
	w->follower = d->follower;
}

/* The shape of the desc; NULL on error */
static struct shape *place_get(struct engine *e, const struct workload_desc *d)
{
	if (!desc_valid(e, d)) {
		errno = EINVAL;
		return NULL;
	}
	return shape_get(e, &e->queues[d->queue], d);
}

struct workload *engine_submit(struct engine *e, const struct workload_desc *d)
{
	struct workload *w = calloc(1, sizeof(*w));

	if (w)
		w->shape = place_get(e, d);
	if (!w || !w->shape) {
		int saved_errno = errno;

		free(w);
		errno = saved_errno;
		return NULL;
	}
	workload_set(w, d);
	pending_add(e, w);
	tree_request_plan(e, w->shape->q->tree);
	return w;
}

/* Takes the workload out of its place, without giving up its shape */
static void places_leave(struct engine *e, struct workload *w)
{
	if (w->runs) {
		run_move(e, w, -1);
		return;
	}
	tree_request_plan(e, w->shape->q->tree);
	pending_remove(e, w);
}

static void places_enter(struct engine *e, struct workload *w)
{
	if (w->runs) {
		run_move(e, w, 1);
		return;
	}
	pending_add(e, w);
	tree_request_plan(e, w->shape->q->tree);
}

/* What the workload still remembers when its shape is that one */
static void memory_reduce(const struct workload *w, const struct shape *shape,
			  struct workload_memory *m)
{
	const struct shape *old = w->shape;

	m->blocked &= shape->q == old->q;
	if (shape->q != old->q && !w->bond)
		m->could_evict = 0;
	if (shape->q->tree != old->q->tree)
		m->had_turn = shape->had_turn;
	m->owns &= shape->q == old->q && shape->nonpreemptible == old->nonpreemptible
		   && shape->group == old->group && shape->podsets == old->podsets;
}

int engine_update(struct engine *e, struct workload *w, const struct workload_desc *d)
{
	struct shape *old_shape = w->shape;
	struct shape *shape = place_get(e, d);
	struct workload_memory m;

	if (!shape)
		return -1;
	workload_recall(w, &m);
	memory_reduce(w, shape, &m);
	if (!w->runs)	/* it only forgets: that needs no memory */
		(void) engine_remind(e, w, &m);
	places_leave(e, w);
	workload_set(w, d);
	if (shape != old_shape)
		bond_change(w);
	if (w->runs && shape->q != old_shape->q)
		w->held->settled = false;
	w->shape = shape;
	places_enter(e, w);
	shape_put(e, old_shape);
	if (!w->runs)
		(void) engine_remind(e, w, &m);
	return 0;
}

void engine_remove(struct engine *e, struct workload *w)
{
	engine_unbond(e, w);
	memory_forget(e, w);
	if (w->runs)
		run_end(e, w);
	else
		places_leave(e, w);
	shape_put(e, w->shape);
	free(w);
}

void *workload_owner(const struct workload *w)
{
	return w->owner;
}

int workload_queue(const struct workload *w)
{
	return w->shape->q->index;
}

void workload_describe(const struct workload *w, struct workload_desc *d)
{
	*d = (struct workload_desc) {
		.queue = w->shape->q->index,
		.local_queue = w->local,
		.priority = w->shape->priority,
		.queue_order_at = w->queue_order_at,
		.tiebreak = w->tiebreak,
		.tasks = w->tasks,
		.max_starts = w->max_starts,
		.follower = w->follower,
		.nonpreemptible = w->shape->group
				  || workload_is_nonpreemptible(w),
		.group = w->shape->group ? w->shape->group->keyed.key : 0,
		.fixed_members = w->shape->group ? w->shape->group->most : 0,
		.podsets = w->shape->podsets,
		.npodsets = w->shape->npodsets,
		.evictions = w->evictions,
		.lost = w->lost,
		.turns = w->turns,
		.owner = w->owner,
	};
}

bool workload_running(const struct workload *w)
{
	return w->runs;
}

bool workload_evicting(const struct workload *w)
{
	return w->runs && w->held->evicting;
}

bool workload_is_nonpreemptible(const struct workload *w)
{
	return w->runs ? w->held->fixed : w->shape->nonpreemptible;
}

bool workload_owns(const struct workload *w)
{
	return w->claim;
}

bool workload_bonded(const struct workload *w)
{
	return w->bond;
}

const struct charge *workload_charges(const struct workload *w, size_t *n)
{
	*n = w->runs ? w->held->ncharges : 0;
	return w->runs ? w->held->charges : NULL;
}
