/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - the order of the lines in which usage counts; histories that the caller has kept
 */
#include <math.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "quota/history.h"
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
			struct workload *w = container_of(n, struct workload, in_shape);

			rankset_insert(&q->waiting, &w->in_queue, w->follower ? 0 : w->tasks);
		}
	}
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

/* ---- histories that the caller has kept ---- */

static bool is_history(const struct usage_history *h)
{
	return h->past >= 0 && h->amount >= 0 && h->past < HUGE_VAL
	       && h->amount < HUGE_VAL;
}

int engine_restore_history(struct engine *e, bool is_cohort, int node,
			   int resource, const struct usage_history *h)
{
	const struct history *history = e->books->history;
	size_t limit = is_cohort ? e->books->ncohorts : e->nqueues;

	if (node < 0 || (size_t) node >= limit || resource < 0
	    || (size_t) resource >= e->books->nresources || !is_history(h))
		return failed(EINVAL);
	if (!is_cohort)
		node += (int) e->books->ncohorts;
	if (!history || e->books->nodes[node].parent == SPEC_NONE)
		return 0;
	history_fold(e->books, node);
	history_past(e->books, node, resource)->past
		= history_moved(h->past, h->amount,
				history_left(sat_sub(e->now, h->at),
					     history->half_life));
	tree_request_plan(e, tree_of_root(e, e->books->nodes[node].root));
	return 0;
}

/* The local queue, whether it has workloads or not; local_put() follows. NULL: no such queue, usage
 * does not count in it, or no memory; errno is then 0 for the second. */
static struct local *local_hold(struct engine *e, int queue, int local_queue)
{
	struct queue *q;

	errno = EINVAL;
	if (queue < 0 || (size_t) queue >= e->nqueues)
		return NULL;
	q = &e->queues[queue];
	errno = q->spec.by_usage ? ENOMEM : 0;
	return q->spec.by_usage ? local_get(e, q, local_queue) : NULL;
}

int engine_restore_local(struct engine *e, int queue, int local_queue,
			 int resource, const struct usage_history *h)
{
	struct local *local;

	if (resource < 0 || (size_t) resource >= e->books->nresources || !is_history(h))
		return failed(EINVAL);
	local = local_hold(e, queue, local_queue);
	if (!local)
		return errno ? -1 : 0;
	local_fold(e, local);
	local->uses[resource].past
		= e->local_half_life
		  ? history_moved(h->past, h->amount,
				  history_left(sat_sub(e->now, h->at),
					       e->local_half_life)) : h->past;
	tree_request_plan(e, local->q->tree);
	local_put(e, local);
	return 0;
}

int engine_weigh_local(struct engine *e, int queue, int local_queue, double weight)
{
	struct local *local;

	if (!(weight >= 0) || !(weight < HUGE_VAL))
		return failed(EINVAL);
	local = local_hold(e, queue, local_queue);
	if (!local)
		return errno ? -1 : 0;
	local->weight = weight;
	tree_request_plan(e, local->q->tree);
	local_put(e, local);
	return 0;
}
