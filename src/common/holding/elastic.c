/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic.c - groups that may shrink while they are protected
 *
 * A protected member is evicted only while its group has spare members.
 */
#include <errno.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/tree.h"
#include "holding/elastic.h"
#include "holding/holding.h"

static uint64_t elastic_hash(const struct queue *q, uint64_t key)
{
	return hash_u64(hash_u64(HASH_INIT, q->node), key);
}

static struct elastic *elastic_find(const struct engine *e,
				    const struct queue *q, uint64_t key,
				    uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&e->elastics, hash); link;
	     link = hash_next(link)) {
		struct elastic *g = container_of(link, struct elastic, link);

		if (g->q == q && g->key == key)
			return g;
	}
	return NULL;
}

static struct elastic *elastic_get(struct engine *e, struct queue *q,
				   uint64_t key)
{
	uint64_t hash = elastic_hash(q, key);
	struct elastic *g = elastic_find(e, q, key, hash);

	if (g)
		return g;
	g = calloc(1, sizeof(*g));
	if (!g)
		return NULL;
	g->q = q;
	g->key = key;
	if (hash_insert(&e->elastics, &g->link, hash) < 0) {
		free(g);
		errno = ENOMEM;
		return NULL;
	}
	return g;
}

void elastic_leave(struct engine *e, struct holding *h)
{
	struct elastic *g = h->elastic;

	if (!g)
		return;
	elastic_take(h);
	h->elastic = NULL;
	if (--g->members)
		return;
	hash_remove(&e->elastics, &g->link);
	free(g);
}

int elastic_join(struct engine *e, struct holding *h, uint64_t key,
		 int64_t min_available)
{
	struct elastic *g = elastic_get(e, h->q, key);

	if (!g)
		return -1;
	if (h->elastic == g && g->min_available == min_available)
		return 0;
	if (h->elastic != g) {
		elastic_leave(e, h);
		h->elastic = g;
		g->members++;
		holding_renew(h);
		elastic_give(h);
	}
	h->q->nspare -= elastic_has_spare(h);
	g->min_available = min_available;
	h->q->nspare += elastic_has_spare(h);
	tree_request_plan(e, h->q->tree);
	return 0;
}
