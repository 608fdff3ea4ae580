/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explain.c - why the shapes wait that a plan has dropped
 *
 * doc/how-it-decides.md, section 11. The reason is made on the books of the last
 * cycle; whether a shape only waits for its turn, on those before the plan.
 */
#include "core/tree_state.h"
#include "cycle/queue_heads.h"
#include "plan/plan.h"
#include "workload/progress.h"
#include "workload/shape.h"

static void shape_explain(struct plan *p, struct shape *s)
{
	s->verdict = reason_to_wait(p, shape_any(s), &s->passed);
	/* what an earlier plan has met may be over: the next one to come to it tells */
	s->in_turn = false;
	if (s->had_turn && s->verdict.reason == WAIT_IS_PROTECTED
	    && s->verdict.until <= p->now)
		s->verdict.reason = WAIT_IS_ORDER;
}

void shapes_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];

		free_know(p, q);
		for (struct shape *s = q->shapes; s; s = s->next) {
			if (shape_is_inadmissible(s))
				shape_explain(p, s);
		}
	}
	free_know(p, NULL);
}

static void shape_renew_order(struct plan *p, struct shape *s)
{
	struct verdict v = s->verdict;

	if (!shape_is_inadmissible(s) || reason_is_quota(p, s->q, &v))
		return;
	reason_renew_order(p, shape_any(s), &v);
	s->in_turn = v.reason == WAIT_IS_ORDER;
}

void order_explain(struct plan *p)
{
	for (size_t i = 0; i < p->tree->nqueues; i++) {
		struct queue *q = p->tree->queues[i];
		struct decision *d = q->cursor ? workload_decision(q->cursor)
					       : NULL;

		if (q->spec.strategy == STRATEGY_STRICT_FIFO && d && !d->failed
		    && d->verdict.kind == VERDICT_WAIT)
			reason_renew_order(p, q->cursor, &d->verdict);
		free_know(p, q);
		for (struct shape *s = q->shapes; s; s = s->next)
			shape_renew_order(p, s);
	}
	free_know(p, NULL);
}
