/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiting.c - workloads in their queue
 */
#include "core/withheld.h"
#include "workload/waiting.h"

bool workload_before(const struct workload *a, const struct workload *b)
{
	bool sticky = a->shape->q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO;

	if (sticky && !a->claim != !b->claim)
		return a->claim;
	if (a->shape->priority != b->shape->priority)
		return a->shape->priority > b->shape->priority;
	if (a->queue_order_at != b->queue_order_at)
		return a->queue_order_at < b->queue_order_at;
	return a->tiebreak < b->tiebreak;
}

static bool queue_less(const struct rank_node *a, const struct rank_node *b)
{
	return workload_before(container_of(a, struct workload, in_queue),
			       container_of(b, struct workload, in_queue));
}

void waiting_init(struct queue *q)
{
	rankset_init(&q->waiting, queue_less);
}

static void shape_list(struct shape *s)
{
	s->next = s->q->shapes;
	s->prev = &s->q->shapes;
	if (s->next)
		s->next->prev = &s->next;
	s->q->shapes = s;
	s->q->nshapes++;
}

static void shape_unlist(struct shape *s)
{
	*s->prev = s->next;
	if (s->next)
		s->next->prev = s->prev;
	s->q->nshapes--;
}

void waiting_link(struct engine *e, struct workload *w)
{
	struct shape *s = w->shape;
	int64_t weight = w->follower ? 0 : w->tasks;

	w->joined = e->plans;
	s->q->line_version++;
	if (!s->waiting.root)
		shape_list(s);
	rankset_insert(&s->waiting, &w->in_shape, 1, w->tiebreak);
	rankset_insert(&s->q->waiting, &w->in_queue, weight, w->tiebreak);
	rankset_insert(&w->local->waiting, &w->in_local, weight, w->tiebreak);
}

void waiting_unlink(struct workload *w)
{
	struct shape *s = w->shape;

	s->q->line_version++;
	rankset_remove(&s->waiting, &w->in_shape);
	rankset_remove(&s->q->waiting, &w->in_queue);
	rankset_remove(&w->local->waiting, &w->in_local);
	if (!s->waiting.root) {
		withheld_forget_shape(s);
		shape_unlist(s);
	}
}
