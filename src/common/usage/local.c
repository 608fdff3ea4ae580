/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.c - local queues: the workloads of one account inside a cluster queue
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/queue_state.h"
#include "core/workload_state.h"
#include "lib/container.h"
#include "usage/by_usage.h"
#include "usage/local.h"

/* Owners of freed quota come first: where usage counts, in any queue. */
static bool is_sticky(const struct queue *q)
{
	return q->spec.strategy == STRATEGY_BEST_EFFORT_FIFO
	       || q->spec.by_usage;
}

struct line_place line_place(const struct workload *w, double key)
{
	const struct shape *s = w->shape;

	return (struct line_place) {
		.owns = workload_claim(w) && is_sticky(s->q),
		.key = key,
		.priority = s->priority,
		.queue_order_at = w->queue_order_at,
		.tiebreak = w->tiebreak,
	};
}

bool workload_before(const struct workload *a, const struct workload *b)
{
	const struct queue *q = a->shape->q;
	bool scored = q->spec.by_usage && b->shape->q == q;
	struct line_place x = line_place(a, scored ? local_key(a->shape->local) : 0);
	struct line_place y = line_place(b, scored ? local_key(b->shape->local) : 0);

	return line_place_before(&x, &y);
}

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

struct local *local_known(const struct engine *e, const struct queue *q,
			  int number)
{
	return local_find(e, q, number, local_hash(q, number));
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
	if (local_usage_create(e, l) < 0
	    || hash_insert(&e->locals, &l->link, hash) < 0) {
		local_usage_destroy(l);
		free(l);
		return NULL;
	}
	l->users = 1;
	return l;
}

void local_put(struct engine *e, struct local *local)
{
	if (!local || --local->users || local_is_remembered(local))
		return;
	local_free(e, local);
}

void local_free(struct engine *e, struct local *local)
{
	hash_remove(&e->locals, &local->link);
	local_usage_destroy(local);
	free(local);
}

void locals_forget(struct engine *e, struct queue *q)
{
	while (q->locals)
		local_free(e, q->locals);
}
