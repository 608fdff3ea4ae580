/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - what queues and cohorts have borrowed lately
 */
#include <math.h>

#include "quota/history.h"

#define LEAST 0x1p-30			/* less than that is nothing */
#define GRAIN 0x1p20			/* of rounded values */

double history_left(int64_t dt, int64_t half_life)
{
	return dt > 0 ? exp2(-((double) dt / (double) half_life)) : 1;
}

double history_moved(double past, double amount, double left)
{
	past = amount + (past - amount) * left;
	return past < LEAST ? 0 : past;
}

double history_rounded(double past)
{
	return rint(past * GRAIN) / GRAIN;
}

int64_t history_step(int64_t half_life)
{
	return half_life >= 60 * SPEC_SEC ? SPEC_SEC : 1;
}

int64_t history_latest(int64_t now, int64_t half_life)
{
	int64_t step = history_step(half_life);
	int64_t at = sat_add(now, max64(half_life / 64, step)) / step * step;

	return at > now ? at : now + step;
}

void history_create(struct books *b, const struct spec *spec)
{
	const struct spec_history *wanted = &spec->history;
	struct history *h;

	if (!spec->fair_sharing || wanted->half_life <= 0 || wanted->k <= 0)
		return;
	h = b->history = arena_alloc(&b->arena, 1, sizeof(*h));
	if (!h)
		return;
	h->half_life = wanted->half_life;
	h->k = wanted->k;
	h->margin = wanted->margin;
	h->at = arena_alloc(&b->arena, b->nnodes, sizeof(*h->at));
	h->pasts = arena_alloc(&b->arena, b->nnodes * b->nresources, sizeof(*h->pasts));
}

int64_t borrowed_of(const struct books *b, int node, int resource, const struct use *less, size_t n)
{
	int64_t borrowed = 0;

	for (int f = 0; f < (int) b->nflavors; f++) {
		int pair = books_pair(b, f, resource);
		int64_t subtree, usage;

		if (pair == SPEC_NONE || !books_quota(b, node, pair)->present)
			continue;
		subtree = books_quota(b, node, pair)->subtree;
		usage = books_usage(b, node, pair);
		for (size_t i = 0; i < n; i++) {
			if (less[i].pair == pair)
				usage = sat_sub(usage, less[i].amount);
		}
		if (usage > subtree)
			borrowed = sat_add(borrowed, sat_sub(usage, subtree));
	}
	return borrowed;
}

void history_advance(struct books *b, int64_t now)
{
	struct history *h = b->history;

	if (!h || now <= h->now)
		return;
	for (size_t i = 0; !h->now && i < b->nnodes; i++)
		h->at[i] = max64(h->at[i], now);
	h->now = now;
}

void history_fold(struct books *b, int node)
{
	struct history *h = b->history;
	double left;

	if (h->now <= h->at[node] || b->nodes[node].parent == SPEC_NONE)
		return;
	left = history_left(h->now - h->at[node], h->half_life);
	h->at[node] = h->now;
	for (size_t r = 0; r < b->nresources; r++) {
		double *past = &history_past(b, node, (int) r)->past;
		double amount = (double) borrowed_of(b, node, (int) r, NULL, 0);

		if (*past != amount)
			*past = history_moved(*past, amount, left);
	}
}

bool history_see(struct books *b, int root)
{
	bool moves = false;

	for (int i = b->nodes[root].number + 1; i <= b->nodes[root].last_below; i++) {
		int node = b->order[i];

		history_fold(b, node);
		for (size_t r = 0; r < b->nresources; r++) {
			struct past *past = history_past(b, node, (int) r);

			past->amount = (double) borrowed_of(b, node, (int) r, NULL, 0);
			past->seen = history_rounded(past->past);
			moves |= past->past != past->amount;
		}
		b->nodes[node].share_known = false;
	}
	return moves;
}
