/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * restore.c - usage histories that the caller has kept
 */
#include <errno.h>
#include <math.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/tree.h"
#include "core/tree_state.h"
#include "quota/history.h"
#include "usage/local.h"

static bool is_history(const struct usage_history *h)
{
	return h->past >= 0 && h->amount >= 0 && h->past < HUGE_VAL
	       && h->amount < HUGE_VAL;
}

static int invalid(void)
{
	errno = EINVAL;
	return -1;
}

int engine_restore_history(struct engine *e, bool is_cohort, int node,
			   int resource, const struct usage_history *h)
{
	const struct history *history = e->books->history;
	size_t limit = is_cohort ? e->books->ncohorts : e->nqueues;

	if (node < 0 || (size_t) node >= limit || resource < 0
	    || (size_t) resource >= e->books->nresources || !is_history(h))
		return invalid();
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

/* The local queue, whether it has workloads or not; local_put() follows. NULL:
 * no such queue, usage does not count in it, or no memory; errno is then 0 for
 * the second. */
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

	if (resource < 0 || (size_t) resource >= e->books->nresources
	    || !is_history(h))
		return invalid();
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

int engine_weigh_local(struct engine *e, int queue, int local_queue,
		       double weight)
{
	struct local *local;

	if (!(weight >= 0) || !(weight < HUGE_VAL))
		return invalid();
	local = local_hold(e, queue, local_queue);
	if (!local)
		return errno ? -1 : 0;
	local->weight = weight;
	tree_request_plan(e, local->q->tree);
	local_put(e, local);
	return 0;
}
