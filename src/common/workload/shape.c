/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape.c - waiting workloads that are alike
 *
 * A shape has one copy of its pod sets, whatever the number of workloads
 * that share it: a million waiting tasks of a thousand shapes cost little. Shapes
 * that differ in priority only share that copy, too.
 */
#include <stdlib.h>

#include "core/cap.h"
#include "core/podsets.h"
#include "lib/container.h"
#include "workload/workload.h"

/* A job that was evicted less often may still evict for what a cohort above its queue owns */
#define COHORT_YIELDS_AFTER 3

static bool waiting_less(const struct rank_node *a, const struct rank_node *b)
{
	const struct workload *x = container_of(a, struct workload, in_shape);
	const struct workload *y = container_of(b, struct workload, in_shape);

	if (x->queue_order_at != y->queue_order_at)
		return x->queue_order_at < y->queue_order_at;
	return x->tiebreak < y->tiebreak;
}

static const struct rank_order by_time = { .less = waiting_less };

/* What makes a shape: queue, priority, preemptibility, how it yields, and requests; and the
 * local queue, where usage counts */
struct shape_key {
	struct queue *q;
	int64_t priority;
	bool nonpreemptible;
	enum yielding yields;
	uint64_t group;
	int64_t fixed_members;		/* 0: no group; only its presence counts */
	int local;
	const struct podset_desc *podsets;	/* the engine's copy */
	size_t npodsets;
};

static uint64_t key_hash(const struct shape_key *key)
{
	uint64_t hash = hash_u64(HASH_INIT, key->q->node);

	hash = hash_u64(hash, key->priority);
	hash = hash_u64(hash, key->nonpreemptible + 2 * key->yields);
	hash = hash_u64(hash, key->fixed_members ? key->group + 1 : 0);
	if (key->local)
		hash = hash_u64(hash, (uint64_t) key->local);
	return hash_u64(hash, podsets_hash(key->podsets));
}

static bool group_is(const struct shape *s, const struct shape_key *key)
{
	return key->fixed_members ? s->group && s->group->keyed.key == key->group
				  : !s->group;
}

static bool is_of_local(const struct shape *s, const struct shape_key *key)
{
	return !s->local || (int) s->local->keyed.key == key->local;
}

static struct shape *shape_find(const struct engine *e,
				const struct shape_key *key, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&e->shapes, hash); link; link = hash_next(link)) {
		struct shape *s = container_of(link, struct shape, link);

		if (s->q == key->q && s->priority == key->priority
		    && s->nonpreemptible == key->nonpreemptible
		    && s->yields == key->yields
		    && group_is(s, key) && is_of_local(s, key)
		    && s->podsets == key->podsets)
			return s;
	}
	return NULL;
}

static struct shape *shape_create(struct engine *e, const struct shape_key *key, uint64_t hash)
{
	struct shape *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->q = key->q;
	s->priority = key->priority;
	s->nonpreemptible = key->nonpreemptible;
	s->yields = key->yields;
	s->had_turn = key->q->tree->goes_on;	/* in the next round */
	s->npodsets = (uint32_t) key->npodsets;
	s->podsets = key->podsets;
	if (key->fixed_members)
		s->group = fixed_group_get(e, key->q, key->group, key->fixed_members);
	if (key->q->spec.by_usage)
		s->local = local_get(e, key->q, key->local);
	if ((key->fixed_members && !s->group)
	    || (key->q->spec.by_usage && !s->local)
	    || hash_insert(&e->shapes, &s->link, hash) < 0) {
		fixed_group_put(e, s->group);
		local_put(e, s->local);
		free(s);
		return NULL;
	}
	rankset_init(&s->waiting, &by_time);
	return s;
}

static enum yielding yields_after(const struct spec_queue *q, int64_t evictions)
{
	if (!q->yield_after || evictions < q->yield_after)
		return YIELDS_NOT;
	return evictions < COHORT_YIELDS_AFTER ? YIELDS_BEYOND_COHORT
					       : YIELDS_BEYOND_QUEUE;
}

struct shape *shape_get(struct engine *e, struct queue *q, const struct workload_desc *d)
{
	struct shape_key key = {
		.q = q, .priority = d->priority, .nonpreemptible = d->nonpreemptible,
		.yields = yields_after(&q->spec, d->evictions), .group = d->group,
		.fixed_members = d->nonpreemptible ? d->fixed_members : 0,
		.local = q->spec.by_usage ? d->local_queue : 0,
		.podsets = d->podsets, .npodsets = d->npodsets,
	};
	struct shape *s;
	uint64_t hash;

	key.podsets = podsets_get(e, d->podsets, d->npodsets);
	if (!key.podsets)
		return NULL;
	hash = key_hash(&key);
	s = shape_find(e, &key, hash);
	if (!s)
		s = shape_create(e, &key, hash);
	if (!s || s->users)
		podsets_put(e, key.podsets);
	if (s)
		s->users++;
	if (s && s->group)
		fixed_group_tell(e, s->group, key.fixed_members);
	return s;
}

void shape_put(struct engine *e, struct shape *shape)
{
	if (!shape || --shape->users)
		return;
	hash_remove(&e->shapes, &shape->link);
	fixed_group_put(e, shape->group);
	podsets_put(e, shape->podsets);
	local_put(e, shape->local);
	free(shape);
}
