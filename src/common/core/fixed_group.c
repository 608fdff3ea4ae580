/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixed_group.c - elastic groups of which only some members are non-preemptible
 */
#include <errno.h>
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/fixed_group.h"
#include "core/queue_state.h"
#include "core/tree.h"
#include "lib/container.h"

static struct fixed_group *group_of(struct hash_link *link)
{
	return container_of(link, struct fixed_group, link);
}

static struct fixed_group *group_create(struct engine *e, const struct queue *q,
					uint64_t key, uint64_t hash)
{
	struct fixed_group *g = calloc(1, sizeof(*g));

	if (g && hash_insert(&e->fixed_groups, &g->link, hash) < 0) {
		free(g);
		g = NULL;
	}
	if (!g) {
		errno = ENOMEM;
		return NULL;
	}
	g->q = q;
	g->key = key;
	return g;
}

struct fixed_group *fixed_group_get(struct engine *e, const struct queue *q,
				    uint64_t key, int64_t most)
{
	uint64_t hash = hash_u64(hash_u64(HASH_INIT, q->node), key);
	struct hash_link *link = hash_first(&e->fixed_groups, hash);
	struct fixed_group *g;

	while (link && (group_of(link)->q != q || group_of(link)->key != key))
		link = hash_next(link);
	g = link ? group_of(link) : group_create(e, q, key, hash);
	if (!g)
		return NULL;
	g->users++;
	fixed_group_tell(e, g, most);
	return g;
}

void fixed_group_tell(struct engine *e, struct fixed_group *g, int64_t most)
{
	if (g->most == most)
		return;
	g->most = most;
	tree_request_plan(e, g->q->tree);
}

void fixed_group_put(struct engine *e, struct fixed_group *g)
{
	if (!g || --g->users)
		return;
	hash_remove(&e->fixed_groups, &g->link);
	free(g);
}

void fixed_group_count(struct engine *e, struct fixed_group *g, int by)
{
	if (g)
		books_write(e->books, &g->now, g->now + by);
}

void fixed_groups_clear(struct engine *e)
{
	for (size_t i = 0; i < e->fixed_groups.nbuckets; i++) {
		struct hash_link *link = e->fixed_groups.buckets[i];

		for (; link; link = link->next)
			group_of(link)->now = 0;
	}
}
