/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.c - local queues: the workloads of one account inside a cluster queue
 */
#include <math.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "quota/calendar.h"
#include "quota/history.h"
#include "usage/local.h"

/* ---- the order ---- */

/* Owners of freed quota come first: where usage counts, in any queue. */
static bool is_sticky(const struct queue *q)
{
	return q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO
	       || q->spec.by_usage;
}

struct line_place line_place(const struct workload *w, double key)
{
	const struct shape *s = w->shape;

	return (struct line_place) {
		.owns = w->claim && is_sticky(s->q),
		.key = key,
		.priority = s->priority,
		.queue_order_at = w->queue_order_at,
		.tiebreak = w->tiebreak,
	};
}

bool workload_before(const struct workload *a, const struct workload *b)
{
	const struct queue *q = a->shape->q;
	bool scored = q->spec.by_usage && b->shape->q == q;
	struct line_place x = line_place(a, scored ? local_key(a->shape->local) : 0);
	struct line_place y = line_place(b, scored ? local_key(b->shape->local) : 0);

	return line_place_before(&x, &y);
}

/* ---- life ---- */

void worth_create(const struct engine *e, struct queue *q, const struct spec *spec)
{
	const struct books *b = e->books;
	const double *weights = spec->history.weights;

	q->worth = arena_alloc(&e->books->arena, b->nresources, sizeof(*q->worth));
	if (!q->worth)
		return;
	for (size_t p = 0; p < b->npairs; p++)
		q->worth[b->pairs[p].resource]
			+= (double) calendar_largest(b, q->node, (int) p)->potential;
	for (size_t r = 0; r < b->nresources; r++) {
		if (q->worth[r] > 0)
			q->worth[r] = (weights ? weights[r] : 1) * 1000 / q->worth[r];
	}
}

struct local *local_known(const struct engine *e, const struct queue *q, int number)
{
	return keyed_find(&e->locals, q->node, (uint64_t) number);
}

static void local_init(const struct engine *e, struct local *l, struct queue *q)
{
	l->q = q;
	l->weight = 1;
	l->at = e->now;
	list_push(&q->locals, l, next, link);
}

struct local *local_get(struct engine *e, struct queue *q, int number)
{
	struct local *l = keyed_get(&e->locals, q->node, (uint64_t) number,
				    sizeof(*l) + e->books->nresources * sizeof(*l->uses));

	if (!l)
		return NULL;
	if (!l->q)
		local_init(e, l, q);
	l->users++;
	return l;
}

static void local_free(struct engine *e, struct local *l)
{
	list_drop(l, next, link);
	keyed_free(&e->locals, &l->keyed);
}

bool local_drop(struct engine *e, struct local *l)
{
	bool remembered = l->weight != 1;

	for (size_t r = 0; r < e->books->nresources; r++)
		remembered |= l->uses[r].past > 0;
	if (l->users || remembered)
		return false;
	local_free(e, l);
	return true;
}

void local_put(struct engine *e, struct local *l)
{
	if (!l)
		return;
	l->users--;
	(void) local_drop(e, l);	/* there may be other users */
}

void locals_forget(struct engine *e, struct queue *q)
{
	while (q->locals)
		local_free(e, q->locals);
}

/* ---- what is used ---- */

double local_score(const struct engine *e, const struct local *l)
{
	double sum = 0;

	if (l->weight <= 0)
		return HUGE_VAL;
	for (size_t r = 0; r < e->books->nresources; r++)
		sum += l->q->worth[r] * history_rounded(l->uses[r].past + l->uses[r].planned);
	return sum / l->weight;
}

void local_fold(const struct engine *e, struct local *l)
{
	double left;

	if (e->now <= l->at)
		return;
	left = l->at && e->local_half_life
	       ? history_left(e->now - l->at, e->local_half_life) : 1;
	l->at = e->now;
	for (size_t r = 0; r < e->books->nresources; r++) {
		struct local_use *u = &l->uses[r];

		if (u->past != (double) u->used)
			u->past = history_moved(u->past, (double) u->used, left);
	}
}

static struct local_use *use_of(const struct engine *e, struct local *l, const struct use *use)
{
	return &l->uses[e->books->pairs[use->pair].resource];
}

void local_change(const struct engine *e, struct local *l,
		  const struct use *uses, size_t n, int sign)
{
	if (!l)
		return;
	local_fold(e, l);
	for (size_t i = 0; i < n; i++) {
		int64_t *used = &use_of(e, l, &uses[i])->used;

		*used = max64(0, sat_add(*used, sign * uses[i].amount));
	}
}

/* How much of a start counts at once */
static double part_at_once(const struct engine *e)
{
	return e->local_half_life
	       ? 1 - history_left(e->sampling, e->local_half_life) : 0;
}

void local_start(const struct engine *e, struct local *l, const struct use *uses, size_t n)
{
	if (!l)
		return;
	local_change(e, l, uses, n, 1);
	for (size_t i = 0; i < n; i++)
		use_of(e, l, &uses[i])->past
			+= part_at_once(e) * (double) uses[i].amount;
}

void local_plan_start(const struct engine *e, struct local *l, const struct use *uses, size_t n)
{
	if (!l)
		return;
	for (size_t i = 0; i < n; i++)
		use_of(e, l, &uses[i])->planned
			+= part_at_once(e) * (double) uses[i].amount;
	l->key_planned = local_score(e, l);
}
