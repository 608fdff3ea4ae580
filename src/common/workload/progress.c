/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.c - how far the plan that runs, or ran last, came with a workload
 */
#include "core/queue_state.h"
#include "core/tree_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "workload/progress.h"
#include "workload/pending.h"

void workload_renew(struct workload *w)
{
	uint64_t plan = w->shape->q->tree->plan;

	if (w->plan == plan)
		return;
	w->plan = plan;
	w->decision = NULL;
	w->done = false;
	if (w->rare)
		w->rare->because = NULL;
}

struct decision *workload_decision(const struct workload *w)
{
	return w->plan == w->shape->q->tree->plan ? w->decision : NULL;
}

/* The plan has dealt with quota that the workload owns, unless the claim was
 * void. */
bool workload_is_undecided(const struct workload *w)
{
	if (w->plan != w->shape->q->tree->plan)
		return !workload_claim(w);
	return !w->done && (!workload_claim(w) || (w->decision && w->decision->claim_void));
}

/* The one of its shape before it has not been decided about. Those are decided about in
 * their order, but components that give up let others pass, and have their turn after
 * them. */
static bool is_behind_in_shape(const struct workload *w)
{
	const struct rank_node *node = rankset_previous(&w->in_shape);
	const struct workload *before;

	if (!node)
		return false;
	before = container_of(node, struct workload, in_shape);
	return workload_is_undecided(before) && !workload_bond(before);
}

bool workload_is_unseen(const struct workload *w)
{
	const struct shape *s = w->shape;
	const struct queue *q = s->q;

	if (q->tree->needs_plan || workload_claim(w) || w->blocked || workload_bond(w)
	    || w->plan == q->tree->plan)
		return false;
	if (queue_held(q))
		return true;
	/* In a plan a cursor never moves back, not even for components that return:
	 * their queue has waited there. Where usage counts, starts of the plan change
	 * the order. */
	if (q->spec.strategy == STRATEGY_STRICT_FIFO)
		return !q->spec.by_usage && q->cursor
		       && workload_before(q->cursor, w);
	return is_behind_in_shape(w);
}
