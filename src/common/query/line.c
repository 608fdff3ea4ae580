/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line.c - places in the line of a queue
 */
#include "query.h"
#include "workload/workload.h"

/* The member of its bond whose place the workload has, or itself. What they are sorted by
 * may differ, such as the usage of their local queues. */
static const struct workload *holder_of_place(const struct workload *w)
{
	const struct bond *bond = w->follower ? w->bond : NULL;

	for (const struct workload *x = bond ? bond->members : NULL; x; x = x->bond_next) {
		if (!x->follower && !x->runs && x->shape->q == w->shape->q)
			return x;
	}
	return w;
}

int64_t engine_place(const struct engine *e, const struct workload *w, int64_t *total)
{
	(void) e;
	*total = 0;
	if (w->runs)
		return 0;
	w = holder_of_place(w);
	*total = rankset_total(&w->shape->q->waiting);
	return rankset_before(&w->in_queue) + !w->follower;
}

bool engine_is_behind(const struct engine *e, const struct workload *w)
{
	const struct queue *q = w->shape->q;

	if (q->spec.strategy != STRATEGY_STRICT_FIFO)
		return false;
	for_each_waiting(x, q) {
		const struct verdict *v = engine_verdict(e, x);

		if (x == w)
			break;
		if ((!w->bond || x->bond != w->bond)
		    && (v->kind != VERDICT_WAIT || v->reason != WAIT_IS_NEVER))
			return true;
	}
	return false;
}

void engine_counts(const struct engine *e, int queue, int64_t *waiting, int64_t *running)
{
	*waiting = rankset_total(&e->queues[queue].waiting);
	*running = e->queues[queue].running;
}

void engine_line(const struct engine *e, int queue,
		 bool (*f)(void *arg, const struct workload *w, int64_t tasks,
			   int local_queue), void *arg)
{
	for_each_waiting(w, &e->queues[queue]) {
		if (!f(arg, w, rankset_weight(&w->in_queue), w->local))
			return;
	}
}
