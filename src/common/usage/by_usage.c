/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * by_usage.c - inside a queue, the local queue goes first that has used less
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "quota/calendar.h"
#include "quota/history.h"
#include "usage/by_usage.h"

/* ---- life ---- */

int worth_create(const struct engine *e, struct queue *q,
		 const struct spec *spec)
{
	const struct books *b = e->books;
	const double *weights = spec->history.weights;

	q->worth = calloc(b->nresources + 1, sizeof(*q->worth));
	if (!q->worth)
		return -1;
	for (size_t p = 0; p < b->npairs; p++)
		q->worth[b->pairs[p].resource]
			+= (double) calendar_largest(b, q->node, (int) p)->potential;
	for (size_t r = 0; r < b->nresources; r++) {
		if (q->worth[r] > 0)
			q->worth[r] = (weights ? weights[r] : 1) * 1000
				      / q->worth[r];
	}
	return 0;
}

double local_score(const struct engine *e, const struct local *local)
{
	const struct local_usage *u = local->usage;
	double sum = 0;

	if (u->weight <= 0)
		return HUGE_VAL;
	for (size_t r = 0; r < e->books->nresources; r++)
		sum += local->q->worth[r]
		       * history_rounded(u->past[r] + u->planned[r]);
	return sum / u->weight;
}

int local_usage_create(struct engine *e, struct local *local)
{
	size_t n = e->books->nresources;
	struct local_usage *u;

	u = calloc(1, sizeof(*u) + n * (2 * sizeof(double) + sizeof(int64_t)));
	if (!u) {
		errno = ENOMEM;
		return -1;
	}
	u->past = (double *) (u + 1);
	u->planned = u->past + n;
	u->used = (int64_t *) (u->planned + n);
	u->local = local;
	u->weight = 1;
	u->at = e->now;
	u->next = local->q->locals;
	u->link = &local->q->locals;
	if (u->next)
		u->next->usage->link = &u->next;
	local->q->locals = local;
	local->usage = u;
	return 0;
}

void local_usage_destroy(struct local *local)
{
	struct local_usage *u = local->usage;

	if (!u)
		return;
	*u->link = u->next;
	if (u->next)
		u->next->usage->link = u->link;
	free(u);
	local->usage = NULL;
}

bool local_is_remembered(const struct local *local)
{
	const struct local_usage *u = local->usage;

	/* past, planned and used stand one behind the other */
	if (!u || u->weight != 1)
		return u;
	for (const double *past = u->past; past < u->planned; past++) {
		if (*past > 0)
			return true;
	}
	return false;
}

/* ---- what is used ---- */

void local_fold(const struct engine *e, struct local *local)
{
	struct local_usage *u = local->usage;
	double left;

	if (e->now <= u->at)
		return;
	left = u->at && e->local_half_life
	       ? history_left(e->now - u->at, e->local_half_life) : 1;
	u->at = e->now;
	for (size_t r = 0; r < e->books->nresources; r++) {
		double used = (double) u->used[r];

		if (u->past[r] != used)
			u->past[r] = history_moved(u->past[r], used, left);
	}
}

static double *resource_of(const struct engine *e, double *row,
			   const struct use *use)
{
	return &row[e->books->pairs[use->pair].resource];
}

/* How much of a start counts at once */
static double part_at_once(const struct engine *e)
{
	return e->local_half_life
	       ? 1 - history_left(e->sampling, e->local_half_life) : 0;
}

/* Puts the uses into what the local queue holds (sign 1), or takes them out
 * (-1) */
static void used_change(const struct engine *e, struct local *local,
			const struct use *uses, size_t n, int sign)
{
	if (!local)
		return;
	local_fold(e, local);
	for (size_t i = 0; i < n; i++) {
		int64_t *used = &local->usage->used[e->books->pairs[uses[i].pair].resource];

		*used = max64(0, sat_add(*used, sign * uses[i].amount));
	}
}

void local_charge(const struct engine *e, struct local *local,
		  const struct use *uses, size_t n)
{
	used_change(e, local, uses, n, 1);
}

void local_release(const struct engine *e, struct local *local,
		   const struct use *uses, size_t n)
{
	used_change(e, local, uses, n, -1);
}

/* Adds to a row what starts count at once */
static void starts_add(const struct engine *e, double *row,
		       const struct use *uses, size_t n)
{
	double part = part_at_once(e);

	for (size_t i = 0; i < n; i++)
		*resource_of(e, row, &uses[i]) += part * (double) uses[i].amount;
}

void local_start(const struct engine *e, struct local *local,
		 const struct use *uses, size_t n)
{
	if (!local)
		return;
	local_charge(e, local, uses, n);
	starts_add(e, local->usage->past, uses, n);
}

void local_plan_start(const struct engine *e, struct local *local,
		      const struct use *uses, size_t n)
{
	if (!local)
		return;
	starts_add(e, local->usage->planned, uses, n);
	local->usage->key_planned = local_score(e, local);
}
