/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * local.c - local queues: the entries of one account inside a cluster queue
 */
#include <stdlib.h>

#include "workload/local.h"
#include "workload/waiting.h"

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

static bool waiting_less(const struct rank_node *a, const struct rank_node *b)
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
	rankset_init(&l->waiting, waiting_less);
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
