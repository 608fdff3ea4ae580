/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * space.c - what nodes have while some go and some stay
 */
#include <stdlib.h>
#include <string.h>

#include "clearing/space.h"

/* ---- what is lost ---- */

void cost_add(struct cost *cost, const struct clearing_item *item, int sign)
{
	cost->by_level[item->level] += sign * item->loss;
	cost->ties[item->level] += sign * item->tie;
	cost->count += sign;
	if (item->level > cost->top)
		cost->top = item->level;
}

/* Sums that differ by no more than rounding are equal. */
static int sums_compare(double x, double y)
{
	double close = (x + y) * 1e-12 + 1e-9;

	return (x - y > close) - (y - x > close);
}

struct cost cost_of_item(const struct clearing_item *item)
{
	struct cost cost = { .count = 0 };

	cost_add(&cost, item, 1);
	return cost;
}

int cost_compare_each(const struct cost *a, size_t na, const struct cost *b, size_t nb)
{
	for (int i = a->top > b->top ? a->top : b->top; i >= 0; i--) {
		int order = sums_compare(a->by_level[i] / (double) na,
					 b->by_level[i] / (double) nb);

		if (!order)
			order = sums_compare(a->ties[i] / (double) na,
					     b->ties[i] / (double) nb);
		if (order)
			return order;
	}
	return a->count - b->count;
}

int cost_compare(const struct cost *a, const struct cost *b)
{
	return cost_compare_each(a, 1, b, 1);
}

int clearing_compare_items(const struct clearing_item *a, const struct clearing_item *b)
{
	if (a->level != b->level)
		return a->level - b->level;
	if (a->loss > b->loss || a->loss < b->loss)
		return a->loss > b->loss ? 1 : -1;
	return (a->tie > b->tie) - (a->tie < b->tie);
}

static struct cost cost_of_set(const struct clearing *c, const bool *set)
{
	struct cost cost = { .count = 0 };

	for (size_t i = 0; i < c->nitems; i++) {
		if (set[i])
			cost_add(&cost, &c->items[i], 1);
	}
	return cost;
}

bool clearing_is_better(const struct clearing *c, const bool *a, const bool *b)
{
	struct cost x = cost_of_set(c, a), y = cost_of_set(c, b);

	return cost_compare(&x, &y) < 0;
}

/* What is lost by a set is at least what is lost by each of its items. */
size_t clearing_find_useful(const struct clearing *c, const bool *now, bool *useful)
{
	struct cost most = cost_of_set(c, now);
	size_t found = 0;

	for (size_t i = 0; i < c->nitems; i++) {
		struct cost alone = cost_of_item(&c->items[i]);
		bool leaves = c->items[i].leaving;
		bool is_useful = !leaves && cost_compare(&alone, &most) < 0;

		found += is_useful;
		if (useful)
			useful[i] = leaves || is_useful;
	}
	return found;
}

/* ---- the items of a node ---- */

/* Of one array, so that equal ones keep their order */
static int by_cost(const void *x, const void *y)
{
	const struct clearing_item *a = *(const struct clearing_item *const *) x;
	const struct clearing_item *b = *(const struct clearing_item *const *) y;
	int order = clearing_compare_items(a, b);

	return order ? order : (a > b) - (a < b);
}

static bool items_sort(struct space *s)
{
	const struct clearing *c = s->c;
	const struct clearing_item **list = arena_alloc(&s->arena, c->nitems, sizeof(*list));

	for (size_t i = 0; list && i < c->nitems; i++)
		list[i] = &c->items[i];
	if (list)
		qsort(list, c->nitems, sizeof(*list), by_cost);
	for (size_t i = 0; list && i < c->nitems; i++)
		s->sorted[i] = (size_t) (list[i] - c->items);
	return list;
}

/* Lists the items of each node, the cheapest first. False: no memory */
static bool index_fill(struct space *s)
{
	const struct clearing *c = s->c;
	size_t *filled = arena_alloc(&s->arena, c->nnodes, sizeof(*filled));

	for (size_t i = 0; i < c->nitems; i++) {
		for (size_t k = 0; k < c->items[i].nshares; k++)
			s->first[c->items[i].shares[k].node + 1]++;
		s->looks += c->items[i].nshares;
	}
	for (size_t v = 0; v < c->nnodes; v++)
		s->first[v + 1] += s->first[v];
	for (size_t i = 0; filled && i < c->nitems; i++) {
		const struct clearing_item *it = &c->items[s->sorted[i]];

		for (size_t k = 0; k < it->nshares; k++) {
			size_t node = it->shares[k].node;
			size_t at = s->first[node] + filled[node]++;

			s->on[at] = s->sorted[i];
			s->held[at] = it->shares[k].amounts;
		}
	}
	return filled;
}

/* ---- nodes ---- */

int64_t space_node_lacks(const struct space *s, size_t node, size_t resource)
{
	size_t at = node * s->c->nresources + resource;

	if (s->c->need[at] <= 0)
		return INT64_MIN;
	return s->c->need[at] == INT64_MAX ? INT64_MAX
	       : s->c->need[at] - s->have[at];
}

static void node_renew(struct space *s, size_t node)
{
	bool ready = !s->shut[node];

	for (size_t r = 0; ready && r < s->c->nresources; r++)
		ready = space_node_lacks(s, node, r) <= 0;
	s->nready += (int) ready - (int) s->ready[node];
	s->ready[node] = ready;
	s->looks++;
}

static bool space_alloc(struct space *s)
{
	const struct clearing *c = s->c;
	size_t amounts = c->nnodes * c->nresources, nshares = 0;

	for (size_t i = 0; i < c->nitems; i++)
		nshares += c->items[i].nshares;
	s->have = arena_alloc(&s->arena, amounts, sizeof(*s->have));
	s->ready = arena_alloc(&s->arena, c->nnodes, sizeof(*s->ready));
	s->shut = arena_alloc(&s->arena, c->nnodes, sizeof(*s->shut));
	s->gone = arena_alloc(&s->arena, c->nitems, sizeof(*s->gone));
	s->first = arena_alloc(&s->arena, c->nnodes + 2, sizeof(*s->first));
	s->on = arena_alloc(&s->arena, nshares, sizeof(*s->on));
	s->held = arena_alloc(&s->arena, nshares, sizeof(*s->held));
	s->sorted = arena_alloc(&s->arena, c->nitems, sizeof(*s->sorted));
	s->stale = arena_alloc(&s->arena, c->nnodes, sizeof(*s->stale));
	s->amounts = arena_alloc(&s->arena, c->nnodes, sizeof(*s->amounts));
	return !s->arena.failed;
}

bool space_open(struct space *s, const struct clearing *c)
{
	s->c = c;
	if (!space_alloc(s) || !items_sort(s) || !index_fill(s))
		return false;
	memcpy(s->have, c->idle,
	       c->nnodes * c->nresources * sizeof(*s->have));
	for (size_t v = 0; v < c->nnodes; v++) {
		s->stale[v] = true;
		node_renew(s, v);
	}
	return true;
}

void space_move(struct space *s, size_t item, bool goes)
{
	const struct clearing_item *it = &s->c->items[item];
	size_t n = s->c->nresources;
	int sign = goes ? 1 : -1;

	s->gone[item] = goes;
	for (size_t k = 0; k < it->nshares; k++) {
		size_t node = it->shares[k].node;

		for (size_t r = 0; r < n; r++)
			s->have[node * n + r] += sign * it->shares[k].amounts[r];
		s->stale[node] |= !s->quiet;
		node_renew(s, node);
	}
	cost_add(&s->cost, it, sign);
}

void space_return_all(struct space *s)
{
	for (size_t i = 0; i < s->c->nitems; i++) {
		if (s->gone[i])
			space_move(s, i, false);
	}
	s->looks += s->c->nitems / 8;
	s->cost = (struct cost) { .count = 0 };
}

void space_mark(struct space *s, size_t item)
{
	const struct clearing_item *it = &s->c->items[item];

	for (size_t k = 0; k < it->nshares; k++)
		s->stale[it->shares[k].node] = true;
	s->looks += it->nshares;
}

void space_shut(struct space *s, size_t node, bool shut)
{
	s->shut[node] = shut;
	node_renew(s, node);
}

/* ---- all nodes together ---- */

static int by_amount(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a < *b) - (*a > *b);
}

/* How much of what a node has counts for the total */
static int64_t counted(const struct space *s, size_t node, size_t resource)
{
	int64_t have = s->have[node * s->c->nresources + resource];

	if (have <= 0)
		return 0;
	return s->c->unit ? have - have % s->c->unit[resource] : have;
}

/* A sort of n takes so many looks more for each */
#define SORT_LOOKS 8

/* The most that max_nodes nodes could have, against what is wanted */
int64_t space_lacks(struct space *s, size_t resource)
{
	const struct clearing *c = s->c;
	int64_t lacks = c->total[resource];
	size_t n = 0;

	if (lacks <= 0)
		return 0;
	for (size_t v = 0; v < c->nnodes; v++) {
		if (s->ready[v])
			s->amounts[n++] = counted(s, v, resource);
	}
	s->looks += c->nnodes / 4 + n;
	if (n > c->max_nodes) {
		qsort(s->amounts, n, sizeof(*s->amounts), by_amount);
		s->looks += n * SORT_LOOKS;
	}
	for (size_t i = 0; i < n && i < c->max_nodes; i++)
		lacks -= s->amounts[i];
	return lacks;
}

bool space_fits(struct space *s)
{
	if (s->nready < s->c->min_nodes)
		return false;
	for (size_t r = 0; r < s->c->nresources; r++) {
		if (space_lacks(s, r) > 0)
			return false;
	}
	return true;
}
