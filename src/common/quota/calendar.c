/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calendar.c - nominal quotas that are other ones for a time
 */
#include <stdlib.h>

#include "quota/calendar.h"
#include "quota/derive.h"
#include "quota/fixed.h"
#include "quota/history.h"

/* ---- the turning points ---- */

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* One period of a quota may begin when another one ends: the end comes first. */
static int point_compare(const void *x, const void *y)
{
	const struct turning_point *a = x, *b = y;
	int by = order(a->at, b->at);

	if (!by)
		by = order(a->node, b->node);
	if (!by)
		by = order(a->pair, b->pair);
	return by ? by : order(b->ends, a->ends);
}

static void points_add(struct books *b, const struct spec_period *p)
{
	struct calendar *calendar = b->calendar;
	int node = p->is_cohort ? p->node : (int) b->ncohorts + p->node;
	int pair = books_pair(b, p->flavor, p->resource);
	struct turning_point begin, end;
	int64_t base;

	if (pair == SPEC_NONE)
		return;
	base = books_quota(b, node, pair)->nominal;
	begin = (struct turning_point) {
		p->from, node, pair, base, p->nominal, false,
	};
	end = (struct turning_point) {
		p->until, node, pair, p->nominal, base, true,
	};
	calendar->list[calendar->n++] = begin;
	if (p->until < INT64_MAX)
		calendar->list[calendar->n++] = end;
}

/* ---- the most that there will ever be ---- */

static int64_t *most_of(const struct books *b, int node, int pair)
{
	return &b->calendar->most[(size_t) node * b->npairs + (size_t) pair];
}

/* Of `most` as quota of a subtree: what is never lent upward */
static int64_t local_of(const struct books *b, int node, int pair)
{
	const struct quota *q = books_quota(b, node, pair);

	if (q->lending_limit == SPEC_NO_LIMIT)
		return 0;
	return max64(0, sat_sub(*most_of(b, node, pair), q->lending_limit));
}

static int64_t *nominal_of(const struct books *b, int node, int pair)
{
	return &b->calendar->nominal[(size_t) node * b->npairs + (size_t) pair];
}

/* The largest quotas of the nodes themselves */
static void most_begin(struct books *b, int node, int pair)
{
	*nominal_of(b, node, pair) = books_quota(b, node, pair)->nominal;
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		most_begin(b, k, pair);
}

static void most_raise(struct books *b, const struct turning_point *t)
{
	int64_t *nominal = nominal_of(b, t->node, t->pair);

	*nominal = max64(*nominal, t->after);
}

/* Children first: the quota of subtrees */
static void most_sum(struct books *b, int node, int pair)
{
	int64_t *most = most_of(b, node, pair);

	*most = *nominal_of(b, node, pair);
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		most_sum(b, k, pair);
		*most = sat_add(*most, sat_sub(*most_of(b, k, pair),
					       local_of(b, k, pair)));
	}
}

/* Parents first: what can be had from above */
static void most_derive(struct books *b, int node, int pair)
{
	const struct quota *q = books_quota(b, node, pair);
	int64_t *most = most_of(b, node, pair), quota = *most;
	int parent = b->nodes[node].parent;

	if (parent != SPEC_NONE)
		*most = sat_add(local_of(b, node, pair),
				*most_of(b, parent, pair));
	if (parent != SPEC_NONE && q->borrowing_limit != SPEC_NO_LIMIT)
		*most = min64(*most, sat_add(quota, q->borrowing_limit));
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		most_derive(b, k, pair);
}

static void most_renew(struct books *b, int root, int pair)
{
	const struct calendar *calendar = b->calendar;

	most_begin(b, root, pair);
	for (size_t i = calendar->done; i < calendar->n; i++) {
		const struct turning_point *t = &calendar->list[i];

		if (t->pair == pair && b->nodes[t->node].root == root)
			most_raise(b, t);
	}
	most_sum(b, root, pair);
	most_derive(b, root, pair);
}

static void most_fill(struct books *b)
{
	struct calendar *calendar = b->calendar;

	for (size_t i = 0; i < b->nnodes * b->npairs; i++)
		calendar->nominal[i] = cell_quota(b, &b->cells[i])->nominal;
	for (size_t i = 0; i < calendar->n; i++)
		most_raise(b, &calendar->list[i]);
	for (size_t i = 0; i < b->nnodes; i++) {
		if (b->nodes[i].parent != SPEC_NONE)
			continue;
		for (size_t p = 0; p < b->npairs; p++) {
			most_sum(b, (int) i, (int) p);
			most_derive(b, (int) i, (int) p);
		}
	}
}

int64_t calendar_most(const struct books *b, int node, int pair)
{
	return b->calendar ? *most_of(b, node, pair)
			   : books_quota(b, node, pair)->potential;
}

/* ---- life ---- */

/* Quotas of the whole tree may change with that of one node. */
static void points_mark(struct books *b)
{
	for (size_t i = 0; i < b->calendar->n; i++) {
		const struct turning_point *t = &b->calendar->list[i];
		int root = b->nodes[t->node].root;

		for (size_t n = 0; n < b->nnodes; n++) {
			if (b->nodes[n].root == root)
				quota_to_set(b, (int) n, t->pair)->dated = true;
		}
	}
}

int calendar_create(struct books *b, const struct spec *spec)
{
	struct calendar *calendar;

	if (!spec->nperiods)
		return 0;
	calendar = b->calendar = calloc(1, sizeof(*calendar));
	if (!calendar)
		return -1;
	calendar->list = malloc(2 * spec->nperiods * sizeof(*calendar->list));
	calendar->most = malloc((b->nnodes * b->npairs + 1)
				* sizeof(*calendar->most));
	calendar->nominal = malloc((b->nnodes * b->npairs + 1)
				   * sizeof(*calendar->nominal));
	if (!calendar->list || !calendar->most || !calendar->nominal)
		return -1;
	for (size_t i = 0; i < spec->nperiods; i++)
		points_add(b, &spec->periods[i]);
	qsort(calendar->list, calendar->n, sizeof(*calendar->list),
	      point_compare);
	most_fill(b);
	points_mark(b);
	return 0;
}

void calendar_destroy(struct books *b)
{
	if (!b->calendar)
		return;
	free(b->calendar->list);
	free(b->calendar->most);
	free(b->calendar->nominal);
	free(b->calendar);
	b->calendar = NULL;
}

/* ---- as time goes by ---- */

void books_set_nominal(struct books *b, int node, int pair, int64_t nominal)
{
	int64_t before = books_quota(b, node, pair)->nominal;
	__int128 more = 0;

	for (int n = node; b->history && n != SPEC_NONE;
	     n = b->nodes[n].parent)
		history_fold(b, n);
	quota_to_set(b, node, pair)->nominal = nominal;
	for (int n = node; n != SPEC_NONE; n = b->nodes[n].parent)
		more = books_follow(b, n, pair, more);
	fixed_follow(b, node, pair, before);
	derive_tree(b, b->nodes[node].root, pair);
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

	for (size_t i = calendar ? calendar->done : 0;
	     calendar && i < calendar->n; i++) {
		if (b->nodes[calendar->list[i].node].root == root)
			return true;
	}
	return false;
}

/* What was borrowed up to then counts as it was. */
static int nominal_change(struct books *b, const struct turning_point *t,
			  int64_t nominal)
{
	int root = b->nodes[t->node].root;

	if (b->history && b->history->now)
		history_advance(b, t->at);
	if (b->watch)
		b->watch->dated(b->watch, t->at);
	books_set_nominal(b, t->node, t->pair, nominal);
	most_renew(b, root, t->pair);
	return root;
}

int calendar_step(struct books *b, int64_t now)
{
	struct calendar *calendar = b->calendar;
	const struct turning_point *t;

	if (!calendar)
		return SPEC_NONE;
	if (calendar->done < calendar->n
	    && calendar->list[calendar->done].at <= now) {
		t = &calendar->list[calendar->done++];
		return nominal_change(b, t, t->after);
	}
	if (calendar->done && calendar->list[calendar->done - 1].at > now) {
		t = &calendar->list[--calendar->done];
		return nominal_change(b, t, t->before);
	}
	return SPEC_NONE;
}
