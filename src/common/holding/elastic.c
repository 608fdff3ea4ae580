/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * elastic.c - groups that may shrink while they are protected
 *
 * A protected member goes only while its group has spare members. Holdings of groups that
 * have some are marked (may_shrink), so that searches pass over all others as over any that
 * are protected. A mark stays when the last spare member has gone: often there is soon
 * another one. It goes when searches have looked at the members so often in vain that it
 * would have cost less to unmark them.
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

/* ---- members ---- */

static void member_add(struct elastic *g, struct holding *h)
{
	h->elastic = g;
	h->next_member = g->first;
	h->member_link = &g->first;
	if (g->first)
		g->first->member_link = &h->next_member;
	g->first = h;
	g->members++;
	h->may_shrink = g->may_shrink;
}

static void member_remove(struct holding *h)
{
	*h->member_link = h->next_member;
	if (h->next_member)
		h->next_member->member_link = h->member_link;
	h->elastic->members--;
	h->elastic = NULL;
	h->may_shrink = false;
}

static void wasted_unlink(struct elastic *g)
{
	if (!g->wasted_link)
		return;
	*g->wasted_link = g->next_wasted;
	if (g->next_wasted)
		g->next_wasted->wasted_link = g->wasted_link;
	g->wasted_link = NULL;
}

void elastic_leave(struct engine *e, struct holding *h)
{
	struct elastic *g = h->elastic;

	if (!g)
		return;
	elastic_take(h);
	member_remove(h);
	if (g->members)
		return;
	wasted_unlink(g);
	hash_remove(&e->elastics, &g->link);
	free(g);
}

/* ---- groups ---- */

static void members_mark(struct elastic *g, bool may_shrink)
{
	g->may_shrink = may_shrink;
	for (struct holding *h = g->first; h; h = h->next_member) {
		h->may_shrink = may_shrink;
		holding_renew(h);
	}
}

void elastic_mark(struct elastic *g)
{
	members_mark(g, true);
}

void elastic_waste(struct engine *e, const struct holding *h)
{
	struct elastic *g = h->elastic;

	if (++g->wasted < g->members || g->wasted_link)
		return;
	g->next_wasted = e->wasted_elastics;
	g->wasted_link = &e->wasted_elastics;
	if (g->next_wasted)
		g->next_wasted->wasted_link = &g->next_wasted;
	e->wasted_elastics = g;
}

void elastics_settle(struct engine *e)
{
	struct elastic *g;

	while ((g = e->wasted_elastics)) {
		wasted_unlink(g);
		g->wasted = 0;
		if (!elastic_spares(g))
			members_mark(g, false);
	}
}

static void minimum_set(struct elastic *g, int64_t min_available)
{
	g->q->nspare -= elastic_spares(g);
	g->min_available = min_available;
	g->q->nspare += elastic_spares(g);
	elastic_note_spare(g);
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
		member_add(g, h);
		holding_renew(h);
		elastic_give(h);
	}
	minimum_set(g, min_available);
	tree_request_plan(e, h->q->tree);
	return 0;
}
