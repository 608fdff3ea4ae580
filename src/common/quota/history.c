/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history.c - what queues and cohorts have borrowed lately
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/array.h"
#include "quota/history.h"
#include "quota/share.h"

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

int64_t history_longest(int64_t half_life)
{
	return max64(half_life / 64, history_step(half_life));
}

int64_t history_latest(int64_t now, int64_t half_life)
{
	int64_t step = history_step(half_life);
	int64_t at = sat_add(now, history_longest(half_life)) / step * step;

	return at > now ? at : now + step;
}

int history_create(struct books *b, const struct spec *spec)
{
	const struct spec_history *wanted = &spec->history;
	size_t n = b->nnodes * b->nresources;
	struct history *h;

	if (!spec->fair_sharing || wanted->half_life <= 0 || wanted->k <= 0)
		return 0;
	h = b->history = calloc(1, sizeof(*h));
	if (!h)
		return -1;
	h->half_life = wanted->half_life;
	h->k = wanted->k;
	h->margin = wanted->margin;
	h->most = 1.01 * (1 - history_left(history_longest(h->half_life),
					   h->half_life));
	h->at = array_create(b->nnodes, sizeof(*h->at));
	h->past = array_create(n, sizeof(*h->past));
	h->seen = array_create(n, sizeof(*h->seen));
	h->lately = array_create(n, sizeof(*h->lately));
	h->later = array_create(b->nresources, sizeof(*h->later));
	h->amount = array_create(n, sizeof(*h->amount));
	h->plain = array_create(b->nnodes, sizeof(*h->plain));
	h->latest = array_create(b->nnodes, sizeof(*h->latest));
	h->looked_at = INT64_MIN;
	h->gain = array_create(b->nnodes, sizeof(*h->gain));
	h->loss = array_create(b->nnodes, sizeof(*h->loss));
	return h->at && h->past && h->seen && h->lately && h->later && h->amount
	       && h->plain && h->latest && h->gain && h->loss ? 0 : -1;
}

void history_destroy(struct books *b)
{
	struct history *h = b->history;

	if (!h)
		return;
	free(h->at);
	free(h->past);
	free(h->seen);
	free(h->lately);
	free(h->later);
	free(h->amount);
	free(h->plain);
	free(h->latest);
	free(h->gain);
	free(h->loss);
	free(h);
	b->history = NULL;
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
	size_t row = (size_t) node * b->nresources;
	double left;

	if (h->now <= h->at[node] || b->nodes[node].parent == SPEC_NONE)
		return;
	left = history_left(h->now - h->at[node], h->half_life);
	h->at[node] = h->now;
	for (size_t r = 0; r < b->nresources; r++) {
		double *past = &h->past[row + r];
		double amount = (double) share_borrowed(b, node, (int) r);

		if (*past != amount)
			*past = history_moved(*past, amount, left);
	}
}

void history_look(const struct books *b, int64_t now)
{
	struct history *h = b->history;

	if (h->looked_at == now)
		return;
	h->looked_at = now;
	h->latest_at = history_latest(now, h->half_life);
	h->latest_left = history_left(h->latest_at - now, h->half_life);
	for (size_t i = 0; i < b->nnodes; i++)
		b->nodes[i].share_known &= ~SHARE_LATEST;
}

/* How far a share can come by time alone where H is not b. Both move as the
 * largest of the resources does, or less. */
static void swing_see(struct books *b, int node, size_t r, double differs)
{
	struct history *h = b->history;
	int64_t lendable = b->lendable[(size_t) b->nodes[node].parent
				       * b->nresources + r];
	double *swing = differs > 0 ? &h->loss[node] : &h->gain[node];
	double by = fabs(differs) * h->most * h->k * 1000;

	if (lendable > 0 && by > *swing * (double) lendable)
		*swing = by / (double) lendable;
}

static bool node_see(struct books *b, int node)
{
	struct history *h = b->history;
	size_t row = (size_t) node * b->nresources;
	bool moves = false;

	history_fold(b, node);
	h->gain[node] = h->loss[node] = 0;
	for (size_t r = 0; r < b->nresources; r++) {
		double past = h->past[row + r];
		double amount = (double) share_borrowed(b, node, (int) r);

		h->amount[row + r] = amount;
		h->seen[row + r] = history_rounded(past);
		h->lately[row + r] = h->k * h->seen[row + r];
		if (past == amount)
			continue;
		moves = true;
		swing_see(b, node, r, past - amount);
	}
	books_forget_share(b, node);
	return moves;
}

bool history_see(struct books *b, int root)
{
	bool moves = false;

	for (int k = b->nodes[root].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling) {
		moves |= node_see(b, k);
		moves |= history_see(b, k);
	}
	return moves;
}
