/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calendar.c - what follows from nominal quotas, and those that are other ones for a time
 */
#include <stdlib.h>

#include "quota/calendar.h"
#include "quota/history.h"

/* ---- what follows from nominal quotas and limits alone ---- */

/* The quota of a subtree, and the part of it that is never lent, children first */
static void subtrees_derive(const struct books *b, struct quota *quotas, int root, size_t pair)
{
	int first = b->nodes[root].number, last = b->nodes[root].last_below;

	for (int i = first; i <= last; i++) {
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];

		q->subtree = q->nominal;
	}
	for (int i = last; i >= first; i--) {
		int parent = b->nodes[b->order[i]].parent;
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];
		struct quota *above;

		q->local = q->lending_limit == SPEC_NO_LIMIT ? 0
			: max64(0, sat_sub(q->subtree, q->lending_limit));
		if (parent == SPEC_NONE)
			continue;
		above = &quotas[(size_t) parent * b->npairs + pair];
		above->subtree = sat_add(above->subtree, sat_sub(q->subtree, q->local));
		above->present |= q->present;
	}
}

/* Parents first */
static void potentials_derive(const struct books *b, struct quota *quotas, int root, size_t pair)
{
	for (int i = b->nodes[root].number; i <= b->nodes[root].last_below; i++) {
		int parent = b->nodes[b->order[i]].parent;
		struct quota *q = &quotas[(size_t) b->order[i] * b->npairs + pair];

		q->potential = q->subtree;
		if (parent == SPEC_NONE)
			continue;
		q->potential = sat_add(q->local, quotas[(size_t) parent * b->npairs
							 + pair].potential);
		if (q->borrowing_limit != SPEC_NO_LIMIT)
			q->potential = min64(q->potential, sat_add(q->subtree, q->borrowing_limit));
	}
}

void quotas_derive(const struct books *b, struct quota *quotas, int root)
{
	for (size_t p = 0; p < b->npairs; p++) {
		subtrees_derive(b, quotas, root, p);
		potentials_derive(b, quotas, root, p);
	}
}

/* ---- the turning points ---- */

/* One period of a quota may begin when another one ends: the end comes first. */
static int point_compare(const void *x, const void *y)
{
	const struct turning_point *a = x, *b = y;
	int by = compare64(a->at, b->at);

	if (!by)
		by = compare64(a->node, b->node);
	if (!by)
		by = compare64(a->pair, b->pair);
	return by ? by : compare64(b->ends, a->ends);
}

static void points_add(struct books *b, const struct spec_period *p)
{
	struct calendar *calendar = b->calendar;
	int node = p->is_cohort ? p->node : (int) b->ncohorts + p->node;
	int pair = books_pair(b, p->flavor, p->resource);
	int64_t base;

	if (pair == SPEC_NONE)
		return;
	base = books_quota(b, node, pair)->nominal;
	calendar->list[calendar->n++] = (struct turning_point) {
		p->from, node, pair, base, p->nominal, false,
	};
	if (p->until < INT64_MAX)
		calendar->list[calendar->n++] = (struct turning_point) {
			p->until, node, pair, p->nominal, base, true,
		};
}

/* ---- the most that there will ever be ---- */

/* The largest nominal quotas of a tree, of now and of all times to come, and what
 * follows from them */
static void largest_find(struct books *b, int root)
{
	const struct calendar *calendar = b->calendar;

	for (int i = b->nodes[root].number; i <= b->nodes[root].last_below; i++) {
		size_t row = (size_t) b->order[i] * b->npairs;

		for (size_t p = 0; p < b->npairs; p++)
			calendar->largest[row + p] = b->quotas[row + p];
	}
	for (size_t i = calendar->done; i < calendar->n; i++) {
		const struct turning_point *t = &calendar->list[i];
		int64_t *nominal = &calendar->largest[(size_t) t->node * b->npairs
						      + (size_t) t->pair].nominal;

		if (b->nodes[t->node].root == root)
			*nominal = max64(*nominal, t->after);
	}
	quotas_derive(b, calendar->largest, root);
}

/* ---- life ---- */

void calendar_create(struct books *b, const struct spec *spec)
{
	struct calendar *calendar;

	if (!spec->nperiods)
		return;
	calendar = b->calendar = arena_alloc(&b->arena, 1, sizeof(*calendar));
	if (!calendar)
		return;
	calendar->list = arena_alloc(&b->arena, 2 * spec->nperiods, sizeof(*calendar->list));
	calendar->largest = arena_alloc(&b->arena, b->nnodes * b->npairs,
					sizeof(*calendar->largest));
	if (!calendar->list || !calendar->largest)
		return;
	for (size_t i = 0; i < spec->nperiods; i++)
		points_add(b, &spec->periods[i]);
	qsort(calendar->list, calendar->n, sizeof(*calendar->list), point_compare);
	for (size_t i = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent == SPEC_NONE)
			largest_find(b, (int) i);
	}
}

/* ---- as time goes by ---- */

void books_set_nominal(struct books *b, int node, int pair, int64_t nominal)
{
	int root = b->nodes[node].root;

	for (int n = node; b->history && n != SPEC_NONE; n = b->nodes[n].parent)
		history_fold(b, n);
	books_quota(b, node, pair)->nominal = nominal;
	quotas_derive(b, b->quotas, root);
	books_follow(b, root, pair);
	for (int n = node; b->watch && n != SPEC_NONE; n = b->nodes[n].parent)
		b->watch->changed(b->watch, n, pair);
}

int64_t calendar_next(const struct books *b)
{
	const struct calendar *calendar = b->calendar;

	if (!calendar || calendar->done == calendar->n)
		return 0;
	return calendar->list[calendar->done].at;
}

bool calendar_changes(const struct books *b, int root)
{
	const struct calendar *calendar = b->calendar;

	for (size_t i = calendar ? calendar->done : 0; calendar && i < calendar->n; i++) {
		if (b->nodes[calendar->list[i].node].root == root)
			return true;
	}
	return false;
}

/* What was borrowed up to then counts as it was. */
static int nominal_change(struct books *b, const struct turning_point *t, int64_t nominal)
{
	int root = b->nodes[t->node].root;

	if (b->history && b->history->now)
		history_advance(b, t->at);
	if (b->watch)
		b->watch->dated(b->watch, t->at);
	books_set_nominal(b, t->node, t->pair, nominal);
	largest_find(b, root);
	return root;
}

int calendar_step(struct books *b, int64_t now)
{
	struct calendar *calendar = b->calendar;
	const struct turning_point *t;

	if (!calendar)
		return SPEC_NONE;
	if (calendar->done < calendar->n && calendar->list[calendar->done].at <= now) {
		t = &calendar->list[calendar->done++];
		return nominal_change(b, t, t->after);
	}
	if (calendar->done && calendar->list[calendar->done - 1].at > now) {
		t = &calendar->list[--calendar->done];
		return nominal_change(b, t, t->before);
	}
	return SPEC_NONE;
}
