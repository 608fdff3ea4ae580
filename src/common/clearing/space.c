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

int cost_compare_each(const struct cost *a, size_t na, const struct cost *b,
		      size_t nb)
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

int clearing_compare_items(const struct clearing_item *a,
			   const struct clearing_item *b)
{
	if (a->level != b->level)
		return a->level - b->level;
	if (a->loss > b->loss || a->loss < b->loss)
		return a->loss > b->loss ? 1 : -1;
	return (a->tie > b->tie) - (a->tie < b->tie);
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
	const struct clearing_item **list = calloc(c->nitems + 1, sizeof(*list));

	if (!list)
		return false;
	for (size_t i = 0; i < c->nitems; i++)
		list[i] = &c->items[i];
	qsort(list, c->nitems, sizeof(*list), by_cost);
	for (size_t i = 0; i < c->nitems; i++)
		s->sorted[i] = (size_t) (list[i] - c->items);
	free(list);
	return true;
}

static void index_count(struct space *s)
{
	const struct clearing *c = s->c;

	for (size_t i = 0; i < c->nitems; i++) {
		for (size_t k = 0; k < c->items[i].nshares; k++)
			s->first[c->items[i].shares[k].node + 1]++;
		s->looks += c->items[i].nshares;
	}
	for (size_t v = 0; v < c->nnodes; v++)
		s->first[v + 1] += s->first[v];
}

static void index_fill(struct space *s)
{
	for (size_t i = 0; i < s->c->nitems; i++) {
		const struct clearing_item *it = &s->c->items[s->sorted[i]];

		for (size_t k = 0; k < it->nshares; k++) {
			size_t node = it->shares[k].node;
			size_t at = s->first[node] + s->filled[node]++;

			s->on[at] = s->sorted[i];
			s->held[at] = it->shares[k].amounts;
		}
	}
}

size_t shares_count(const struct clearing *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->nitems; i++)
		n += c->items[i].nshares;
	return n;
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
	size_t amounts = c->nnodes * c->nresources + 1;

	s->have = calloc(amounts, sizeof(*s->have));
	s->ready = calloc(c->nnodes + 1, sizeof(*s->ready));
	s->shut = calloc(c->nnodes + 1, sizeof(*s->shut));
	s->gone = calloc(c->nitems + 1, sizeof(*s->gone));
	s->barred = calloc(c->nitems + 1, sizeof(*s->barred));
	s->first = calloc(c->nnodes + 2, sizeof(*s->first));
	s->on = calloc(shares_count(c) + 1, sizeof(*s->on));
	s->held = calloc(shares_count(c) + 1, sizeof(*s->held));
	s->sorted = calloc(c->nitems + 1, sizeof(*s->sorted));
	s->stale = calloc(c->nnodes + 1, sizeof(*s->stale));
	s->filled = calloc(c->nnodes + 1, sizeof(*s->filled));
	s->amounts = calloc(c->nnodes + 1, sizeof(*s->amounts));
	return s->have && s->ready && s->shut && s->gone && s->barred
	       && s->first && s->on && s->held && s->sorted && s->stale
	       && s->filled && s->amounts;
}

bool space_open(struct space *s, const struct clearing *c)
{
	*s = (struct space) { .c = c };
	if (!space_alloc(s) || !items_sort(s)) {
		space_close(s);
		return false;
	}
	memcpy(s->have, c->idle,
	       c->nnodes * c->nresources * sizeof(*s->have));
	index_count(s);
	index_fill(s);
	for (size_t v = 0; v < c->nnodes; v++) {
		s->stale[v] = true;
		node_renew(s, v);
	}
	return true;
}

void space_close(struct space *s)
{
	free(s->have);
	free(s->ready);
	free(s->shut);
	free(s->gone);
	free(s->barred);
	free(s->first);
	free(s->on);
	free(s->held);
	free(s->sorted);
	free(s->stale);
	free(s->filled);
	free(s->amounts);
}

static void space_move(struct space *s, size_t item, int sign)
{
	const struct clearing_item *it = &s->c->items[item];
	size_t n = s->c->nresources;

	for (size_t k = 0; k < it->nshares; k++) {
		size_t node = it->shares[k].node;

		for (size_t r = 0; r < n; r++)
			s->have[node * n + r] += sign * it->shares[k].amounts[r];
		s->stale[node] |= !s->quiet;
		node_renew(s, node);
	}
	cost_add(&s->cost, it, sign);
}

void space_take(struct space *s, size_t item)
{
	s->gone[item] = true;
	space_move(s, item, 1);
}

void space_return(struct space *s, size_t item)
{
	s->gone[item] = false;
	space_move(s, item, -1);
}

void space_return_all(struct space *s)
{
	for (size_t i = 0; i < s->c->nitems; i++) {
		if (s->gone[i])
			space_return(s, i);
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

void space_bar(struct space *s, size_t item, bool barred)
{
	s->barred[item] = barred;
	space_mark(s, item);
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
