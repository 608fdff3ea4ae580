/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the order of the lines in which usage counts
 */
#include <stdlib.h>

#include "account/waits.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/scratch.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "quota/history.h"
#include "usage/by_usage.h"
#include "usage/line.h"
#include "usage/local.h"

struct tree;

static int by_key(const void *x, const void *y)
{
	const struct local_usage *a = *(struct local_usage *const *) x;
	const struct local_usage *b = *(struct local_usage *const *) y;

	return (a->key > b->key) - (a->key < b->key);
}

static struct workload *workload_of(const struct rank_node *in_shape)
{
	return container_of(in_shape, struct workload, in_shape);
}

static void waiting_take_out(struct queue *q, const struct shape *s)
{
	for (const struct rank_node *n = rankset_first(&s->waiting); n;
	     n = rankset_next(n))
		rankset_remove(&q->waiting, &workload_of(n)->in_queue);
}

static void waiting_put_in(struct queue *q, const struct shape *s)
{
	for (const struct rank_node *n = rankset_first(&s->waiting); n;
	     n = rankset_next(n)) {
		struct workload *w = workload_of(n);

		rankset_insert(&q->waiting, &w->in_queue,
			       w->follower ? 0 : w->tasks);
	}
}

/* For each shape whose local queue moves: where usage counts, all that wait in a
 * shape are of one. */
static void moves_do(struct queue *q,
		     void (*f)(struct queue *q, const struct shape *s))
{
	for (const struct shape *s = q->shapes; s; s = s->next) {
		if (s->local->usage->moves)
			f(q, s);
	}
}

/* Do two stand to each other as before? */
static bool is_same_order(const struct local_usage *a,
			  const struct local_usage *b)
{
	int before = (a->key > b->key) - (a->key < b->key);
	int after = (a->next_key > b->next_key) - (a->next_key < b->next_key);

	return before == after;
}

/* Sets the new keys. Those whose place has changed leave the line before it, and
 * come back behind it. */
static void keys_set(struct queue *q, struct local_usage **all, size_t n)
{
	size_t moved = n;

	qsort(all, n, sizeof(*all), by_key);
	for (size_t i = 1; i < n && moved == n; i++) {
		if (!is_same_order(all[i - 1], all[i]))
			moved = i - 1;
	}
	for (size_t i = 0; i < n; i++)
		all[i]->moves = i >= moved;
	if (moved < n)
		moves_do(q, waiting_take_out);
	for (size_t i = 0; i < n; i++)
		all[i]->key = all[i]->next_key;
	if (moved == n)
		return;
	moves_do(q, waiting_put_in);
	q->line_version++;
}

/* Folds all of them, and frees those not needed any more. Returns how many are
 * left; *moves if time alone changes any of them. */
static size_t locals_fold(struct engine *e, struct queue *q, bool *moves)
{
	struct local *next;
	size_t n = 0;

	for (struct local *l = q->locals; l; l = next) {
		struct local_usage *u = l->usage;

		next = u->next;
		local_fold(e, l);
		if (!l->users && !local_is_remembered(l)) {
			local_free(e, l);
			continue;
		}
		for (size_t r = 0; r < e->books->nresources; r++) {
			u->planned[r] = 0;
			*moves |= u->past[r] != (double) u->used[r];
		}
		n++;
	}
	return n;
}

static bool line_see(struct engine *e, struct queue *q)
{
	bool moves = false;
	size_t n = locals_fold(e, q, &moves), i = 0;
	struct local_usage **all = scratch_reserve(e, SCRATCH_LOCALS, n,
						   sizeof(*all));

	if (!all || !n)
		return moves;
	for (struct local *l = q->locals; l; l = l->usage->next) {
		l->usage->next_key = l->usage->key_planned = local_score(e, l);
		all[i++] = l->usage;
	}
	keys_set(q, all, n);
	return moves && n > 1;
}

void engine_advance(struct engine *e, int64_t now)
{
	if (now > e->now)
		e->now = now;
	trees_date(e, now);
	history_advance(e->books, now);
	account_advance(e, now);
}

void usage_see(struct engine *e, struct tree *tree, int64_t now)
{
	engine_advance(e, now);
	tree->moves = e->books->history && history_see(e->books, tree->root);
	for (size_t i = 0; i < tree->nqueues; i++) {
		if (tree->queues[i]->spec.by_usage)
			tree->moves |= line_see(e, tree->queues[i]);
	}
}
