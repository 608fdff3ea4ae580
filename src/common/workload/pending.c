/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pending.c - the workloads that wait in a cluster queue, in order, and in a
 * local queue: those of one account inside of it
 */
#include <stdlib.h>

#include "core/withheld.h"
#include "workload/pending.h"

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

void pending_init(struct queue *q)
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

void pending_add(struct engine *e, struct workload *w)
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

void pending_remove(struct workload *w)
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

/* ---- local queues ---- */

static uint64_t local_hash(const struct queue *q, int number)
{
	return hash_u64(hash_u64(HASH_INIT, q->node), number);
}

static struct local *local_find(const struct engine *e, const struct queue *q,
				int number, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&e->locals, hash); link;
	     link = hash_next(link)) {
		struct local *l = container_of(link, struct local, link);

		if (l->q == q && l->number == number)
			return l;
	}
	return NULL;
}

static bool local_less(const struct rank_node *a, const struct rank_node *b)
{
	return workload_before(container_of(a, struct workload, in_local),
			       container_of(b, struct workload, in_local));
}

struct local *local_get(struct engine *e, struct queue *q, int number)
{
	uint64_t hash = local_hash(q, number);
	struct local *l = local_find(e, q, number, hash);

	if (l) {
		l->users++;
		return l;
	}
	l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->q = q;
	l->number = number;
	if (hash_insert(&e->locals, &l->link, hash) < 0) {
		free(l);
		return NULL;
	}
	rankset_init(&l->waiting, local_less);
	l->users = 1;
	return l;
}

void local_put(struct engine *e, struct local *local)
{
	if (!local || --local->users)
		return;
	hash_remove(&e->locals, &local->link);
	free(local);
}
