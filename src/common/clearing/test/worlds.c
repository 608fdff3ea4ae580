/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worlds.c - random worlds: nodes, and jobs on them that may go
 */
#include <stdlib.h>
#include <string.h>

#include "clearing/test/worlds.h"

static unsigned int pick(struct world *w, unsigned int n)
{
	w->seed = w->seed * 1103515245u + 12345u;
	return (w->seed >> 8) % n;
}

/* A queue gives as long as it borrows; its largest goes last. */
enum clearing_answer world_judge(const bool *gone, void *arg)
{
	struct world *w = arg;
	int64_t sum[QUEUES] = { 0 }, largest[QUEUES] = { 0 }, all = 0;

	w->questions++;
	for (size_t i = 0; i < w->c.nitems; i++) {
		int q = w->queue[i];

		if (!gone[i])
			continue;
		sum[q] += w->held[i];
		all += w->held[i];
		if (w->held[i] > largest[q])
			largest[q] = w->held[i];
	}
	for (int q = 0; q < QUEUES; q++) {
		if (sum[q] && sum[q] - largest[q] >= w->lent[q])
			return CLEARING_FORBIDDEN;
	}
	return all < w->lacks ? CLEARING_TOO_FEW : CLEARING_ALLOWED;
}

/* ---- worlds ---- */

/* `count` nodes with that many idle CPUs; returns how many there are */
static size_t nodes_with(struct world *w, int64_t cpus, size_t count, struct clearing_share *shares)
{
	size_t n = 0, start = pick(w, (unsigned int) w->c.nnodes);

	for (size_t i = 0; i < w->c.nnodes && n < count; i++) {
		size_t v = (start + i) % w->c.nnodes;

		if (w->idle[v] >= cpus)
			shares[n++].node = v;
	}
	return n;
}

static void add_job(struct world *w, size_t count, int64_t cpus, bool stays)
{
	size_t i = w->c.nitems;
	struct clearing_share *shares = w->shares[i];
	int64_t age;

	if (i == MAX_ITEMS || nodes_with(w, cpus, count, shares) < count)
		return;
	w->amounts[i] = cpus;
	for (size_t k = 0; k < count; k++) {
		w->idle[shares[k].node] -= cpus;
		shares[k].amounts = &w->amounts[i];
	}
	if (stays)
		return;
	w->held[i] = cpus * (int64_t) count;
	age = 1 + (int64_t) pick(w, 1000);
	w->queue[i] = (int) pick(w, QUEUES);
	w->items[i] = (struct clearing_item) {
		.loss = (double) (w->held[i] * age),
		.shares = shares, .nshares = count,
	};
	w->c.nitems++;
}

static void fill(struct world *w, int64_t cpus)
{
	int64_t own = (int64_t) w->c.nnodes * cpus / 4;

	while (own > 0) {
		int64_t n = 1 + pick(w, (unsigned int) cpus);

		add_job(w, 1, n, true);
		own -= n;
	}
	for (size_t i = 0; i < 8 * w->c.nnodes && w->c.nitems < MAX_ITEMS; i++) {
		unsigned int kind = pick(w, 10);
		int64_t n = 1 + pick(w, (unsigned int) cpus);

		add_job(w, kind < 7 ? 1 : kind < 9 ? 2 : 4, kind < 7 ? n : (n + 1) / 2, false);
	}
}

static void want(struct world *w, int64_t cpus)
{
	unsigned int kind = pick(w, 3), most = (unsigned int) w->c.nnodes / 4 + 1;
	int64_t each = kind == 0 ? cpus : kind == 1 ? (cpus + 1) / 2 : 1;
	size_t n = 1 + pick(w, most);

	for (size_t v = 0; v < w->c.nnodes; v++)
		w->need[v] = each;
	w->c.min_nodes = kind == 2 ? 1 : n;
	w->c.max_nodes = kind == 2 ? w->c.nnodes : n;
	w->total = kind == 2 ? (int64_t) n * cpus : 0;
	w->lacks = pick(w, 4) ? 0 : (int64_t) n * each;
}

void world_make(struct world *w, unsigned int seed, size_t nodes, int64_t cpus)
{
	memset(w, 0, sizeof(*w));
	w->seed = seed * 2654435761u + 1;
	w->c = (struct clearing) {
		.nresources = 1, .nnodes = nodes, .idle = w->idle,
		.need = w->need, .total = &w->total, .items = w->items,
		.judge = world_judge, .arg = w,
		.max_questions = 400, .max_looks = 400000,
	};
	for (size_t v = 0; v < nodes; v++)
		w->idle[v] = cpus;
	fill(w, cpus);
	want(w, cpus);
	for (size_t i = 0; i < w->c.nitems; i++)
		w->lent[w->queue[i]] += w->held[i];
	if (pick(w, 2))
		w->lent[0] = w->lent[0] * 2 / 3;
}

/* ---- what is where ---- */

static int by_amount(const void *x, const void *y)
{
	const int64_t *a = x, *b = y;

	return (*a < *b) - (*a > *b);
}

bool world_fits(const struct world *w, const int64_t *have)
{
	int64_t list[MAX_NODES], sum = 0;
	size_t n = 0;

	for (size_t v = 0; v < w->c.nnodes; v++) {
		if (have[v] >= w->need[v])
			list[n++] = have[v];
	}
	if (n < w->c.min_nodes)
		return false;
	qsort(list, n, sizeof(*list), by_amount);
	for (size_t i = 0; i < n && i < w->c.max_nodes; i++)
		sum += list[i];
	return sum >= w->total;
}

void world_add(const struct world *w, size_t i, int64_t *have, int sign)
{
	for (size_t k = 0; k < w->items[i].nshares; k++)
		have[w->items[i].shares[k].node] += sign * w->amounts[i];
}

double world_loss(const struct world *w, const bool *gone)
{
	double loss = 0;

	for (size_t i = 0; i < w->c.nitems; i++)
		loss += gone[i] ? w->items[i].loss : 0;
	return loss;
}

bool world_finds_useful(const struct world *w, const bool *better, const bool *now)
{
	bool useful[MAX_ITEMS];
	bool all = clearing_find_useful(&w->c, now, useful) > 0;

	for (size_t i = 0; i < w->c.nitems; i++)
		all &= !better[i] || useful[i];
	return all;
}

bool world_is_right(struct world *w, const bool *gone)
{
	int64_t have[MAX_NODES];

	memcpy(have, w->idle, sizeof(have));
	for (size_t i = 0; i < w->c.nitems; i++) {
		if (gone[i])
			world_add(w, i, have, 1);
	}
	return world_fits(w, have) && world_judge(gone, w) == CLEARING_ALLOWED;
}

void world_make_few(struct world *w, size_t n, const int64_t *held, int64_t need)
{
	memset(w, 0, sizeof(*w));
	w->c = (struct clearing) {
		.nresources = 1, .nnodes = 2, .nitems = n, .idle = w->idle,
		.need = w->need, .total = &w->total, .items = w->items,
		.min_nodes = 1, .max_nodes = 1, .judge = world_judge, .arg = w,
		.max_questions = 400, .max_looks = 10000,
	};
	w->need[0] = w->need[1] = need;
	w->lent[0] = w->lent[1] = 8;
	for (size_t i = 0; i < n; i++) {
		w->held[i] = w->amounts[i] = held[i];
		w->queue[i] = (int) i % 2;
		w->shares[i][0] = (struct clearing_share) { i / 2, &w->amounts[i] };
		w->items[i] = (struct clearing_item) {
			.loss = (double) held[i], .nshares = 1, .shares = w->shares[i],
		};
	}
}
