/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic.c - groups that may shrink while they are protected
 */
#include <errno.h>
#include <stdlib.h>

#include "core/cap.h"
#include "core/engine_state.h"
#include "core/tree.h"
#include "workload/elastic.h"
#include "holding/holding.h"
#include "holding/least.h"
#include "workload/unit.h"

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

static struct elastic *elastic_get(struct engine *e, const struct queue *q,
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

	elastic_take(h);
	h->elastic = NULL;
	if (!g || --g->members)
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
	g->members++;
	elastic_leave(e, h);
	h->elastic = g;
	queue_least_forget_unsafe(h->q);
	elastic_give(h);
	holding_renew(h);
	g->min_available = min_available;
	tree_request_plan(e, h->q->tree);
	return 0;
}

bool elastic_has_spare(const struct holding *h)
{
	return h->elastic && h->elastic->active > h->elastic->min_available;
}

/* ---- non-preemptible ---- */

void holding_fix(struct engine *e, struct holding *h, bool fixed)
{
	int node = h->q->node;

	if (h->fixed == fixed)
		return;
	holding_count(h, -1);
	h->fixed = fixed;
	holding_count(h, 1);
	holding_renew(h);
	if (fixed)
		fixed_add_all(e->books, node, h->uses, h->nuses);
	else
		fixed_remove_all(e->books, node, h->uses, h->nuses);
	fixed_group_count(e, h->w->shape->group, fixed ? 1 : -1);
	unit_touch(e, h);
}

static int64_t start_of(const struct holding *h)
{
	return h->reserved_at ? h->reserved_at : h->q->unset_at;
}

static bool starts_before(const struct holding *a, const struct holding *b)
{
	if (start_of(a) != start_of(b))
		return start_of(a) < start_of(b);
	return a->tiebreak < b->tiebreak;
}

/* Of the members that are (or are not) non-preemptible the first to have
 * started that the cap admits, or the last one; NULL: none */
static struct holding *member_find(const struct engine *e,
				   const struct queue *q,
				   const struct fixed_group *g, bool fixed)
{
	struct holding *found = NULL;

	for (struct holding *h = q->holdings; h; h = h->next) {
		if (h->w->shape->group != g || h->fixed != fixed || h->evicting
		    || (found && starts_before(found, h) != fixed)
		    || (!fixed && !cap_admits(e, q, h->uses, h->nuses)))
			continue;
		found = h;
	}
	return found;
}

void fixed_members_settle(struct engine *e, const struct holding *h)
{
	const struct fixed_group *g = h->w->shape->group;
	struct holding *member;
	bool more;

	while (g && g->now != g->most) {
		more = g->now < g->most;
		member = member_find(e, h->q, g, !more);
		if (!member)
			return;
		holding_fix(e, member, more);
	}
}
