/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - the workloads that wait in a cluster queue, in order
 */
#include "account/waits.h"
#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/withheld.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "workload/pending.h"
#include "workload/shape.h"

struct rank_node;

static bool queue_less(const struct rank_node *a, const struct rank_node *b)
{
	return workload_before(container_of(a, struct workload, in_queue),
			       container_of(b, struct workload, in_queue));
}

static const struct rank_order in_line = { .less = queue_less };

void pending_init(struct queue *q)
{
	rankset_init(&q->waiting, &in_line);
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

void pending_add(struct engine *e, struct workload *w)
{
	struct shape *s = w->shape;
	int64_t weight = w->follower ? 0 : w->tasks;

	if (!s->q->waiting.root)
		account_waits(e, s->q, true);
	w->joined = e->plans;
	s->q->line_version++;
	if (!s->waiting.root)
		shape_list(s);
	rankset_insert(&s->waiting, &w->in_shape, 1);
	rankset_insert(&s->q->waiting, &w->in_queue, weight);
}

void pending_remove(struct engine *e, struct workload *w)
{
	struct shape *s = w->shape;

	s->q->line_version++;
	rankset_remove(&s->waiting, &w->in_shape);
	rankset_remove(&s->q->waiting, &w->in_queue);
	if (!s->waiting.root) {
		kept_give_up(s);
		shape_unlist(s);
	}
	if (!s->q->waiting.root)
		account_waits(e, s->q, false);
}
