/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the order of the lines in which usage counts
 */
#include "account/waits.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "quota/history.h"
#include "usage/line.h"
#include "usage/local.h"

static bool line_is_sorted(const struct rankset *waiting)
{
	const struct rank_node *before = rankset_first(waiting), *n;

	for (; before && (n = rankset_next(before)); before = n) {
		if (waiting->order->less(n, before))
			return false;
	}
	return true;
}

static void line_sort(struct queue *q)
{
	rankset_init(&q->waiting, q->waiting.order);
	for (const struct shape *s = q->shapes; s; s = s->next) {
		for (const struct rank_node *n = rankset_first(&s->waiting); n;
		     n = rankset_next(n)) {
			struct workload *w = container_of(n, struct workload,
							  in_shape);

			rankset_insert(&q->waiting, &w->in_queue,
				       w->follower ? 0 : w->tasks);
		}
	}
	q->line_version++;
}

/* Folds all local queues, frees those not needed any more, and sets the keys of
 * the others. True if time alone changes their order. */
static bool line_see(struct engine *e, struct queue *q)
{
	bool moves = false;
	struct local *next;

	for (struct local *l = q->locals; l; l = next) {
		next = l->next;
		local_fold(e, l);
		if (local_drop(e, l))
			continue;
		for (size_t r = 0; r < e->books->nresources; r++) {
			l->uses[r].planned = 0;
			moves |= l->uses[r].past != (double) l->uses[r].used;
		}
		l->key = l->key_planned = local_score(e, l);
	}
	if (!line_is_sorted(&q->waiting))
		line_sort(q);
	return moves && q->locals && q->locals->next;
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
