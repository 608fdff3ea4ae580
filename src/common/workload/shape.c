/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shape.c - waiting workloads that are alike
 *
 * A shape owns one copy of its pod sets, whatever the number of workloads
 * that share it: a million waiting tasks of a thousand shapes cost little.
 */
#include <stdlib.h>
#include <string.h>

#include "core/engine_state.h"
#include "core/fixed_group.h"
#include "lib/container.h"
#include "workload/asked.h"
#include "workload/shape.h"

static const char *podset_name(const struct podset_desc *ps)
{
	return ps->name ? ps->name : "";
}

static bool podset_bars(const struct podset_desc *ps, size_t flavor)
{
	return ps->ineligible && ps->ineligible[flavor];
}

/* How many amounts by flavor the pod set has */
static size_t podset_varying(size_t nflavors, const struct podset_desc *ps)
{
	return ps->by_flavor ? ps->nrequests * nflavors : 0;
}

/* A bit for each flavor */
static uint64_t bars_hash(size_t nflavors, const struct podset_desc *ps,
			  uint64_t hash)
{
	uint64_t bits = 0;

	for (size_t f = 0; f < nflavors; f++) {
		if (f && f % 64 == 0) {
			hash = hash_u64(hash, bits);
			bits = 0;
		}
		bits |= (uint64_t) podset_bars(ps, f) << f % 64;
	}
	return hash_u64(hash, bits);
}

/* Its name does not count: those that differ only in that are rare. How much there is
 * of what follows comes first, so that no amount is taken for something else. */
static uint64_t podset_hash(size_t nflavors, const struct podset_desc *ps,
			    uint64_t hash)
{
	size_t nvarying = podset_varying(nflavors, ps);

	hash = hash_u64(hash, (uint64_t) ps->count);
	hash = hash_u64(hash, (uint64_t) ps->min_count);
	hash = hash_u64(hash, (uint64_t) ps->group);
	hash = hash_u64(hash, ps->nrequests);
	hash = hash_u64(hash, nvarying);
	for (size_t i = 0; i < ps->nrequests; i++) {
		hash = hash_u64(hash, (uint64_t) ps->requests[i].resource);
		hash = hash_u64(hash, (uint64_t) ps->requests[i].amount);
	}
	for (size_t i = 0; i < nvarying; i++)
		hash = hash_u64(hash, (uint64_t) ps->by_flavor[i]);
	return bars_hash(nflavors, ps, hash);
}

static bool podset_asks_same(size_t nflavors, const struct podset_desc *a,
			     const struct podset_desc *b)
{
	size_t varying;

	if (a->count != b->count || a->min_count != b->min_count
	    || a->group != b->group || a->nrequests != b->nrequests
	    || strcmp(podset_name(a), podset_name(b)))
		return false;
	for (size_t i = 0; i < a->nrequests; i++) {
		if (a->requests[i].resource != b->requests[i].resource
		    || a->requests[i].amount != b->requests[i].amount)
			return false;
	}
	varying = podset_varying(nflavors, a);
	if (varying != podset_varying(nflavors, b)
	    || (varying && memcmp(a->by_flavor, b->by_flavor,
				  varying * sizeof(*a->by_flavor))))
		return false;
	for (size_t f = 0; f < nflavors; f++) {
		if (podset_bars(a, f) != podset_bars(b, f))
			return false;
	}
	return true;
}

uint64_t podsets_hash(size_t nflavors, const struct podset_desc *podsets,
		      size_t n, uint64_t hash)
{
	hash = hash_u64(hash, n);
	for (size_t i = 0; i < n; i++)
		hash = podset_hash(nflavors, &podsets[i], hash);
	return hash;
}

bool podsets_ask_same(size_t nflavors, const struct podset_desc *a, size_t na,
		      const struct podset_desc *b, size_t nb)
{
	if (na != nb)
		return false;
	for (size_t i = 0; i < na; i++) {
		if (!podset_asks_same(nflavors, &a[i], &b[i]))
			return false;
	}
	return true;
}

bool shape_asks_same(const struct engine *e, const struct shape *a,
		     struct shape *b)
{
	if (a->asks == b->asks)
		return true;
	if (!podsets_ask_same(e->books->nflavors, a->podsets, a->npodsets,
			      b->podsets, b->npodsets))
		return false;
	b->asks = a->asks;
	return true;
}

/* Where the parts of a copy go: all are in one block */
struct podset_room {
	struct podset_desc *podsets;
	struct request *requests;
	int64_t *by_flavor;
	bool *ineligible;
	char *names;
};

static void *podsets_room(struct podset_room *room, size_t nflavors,
			  const struct podset_desc *podsets, size_t n)
{
	size_t nrequests = 0, nvarying = 0, names = 0;
	char *block;

	for (size_t i = 0; i < n; i++) {
		nrequests += podsets[i].nrequests;
		nvarying += podset_varying(nflavors, &podsets[i]);
		names += strlen(podset_name(&podsets[i])) + 1;
	}
	block = malloc(n * sizeof(*room->podsets)
		       + nrequests * sizeof(*room->requests)
		       + nvarying * sizeof(*room->by_flavor)
		       + n * nflavors + names + 1);
	if (!block)
		return NULL;
	room->podsets = (void *) block;
	room->requests = (void *) (room->podsets + n);
	room->by_flavor = (void *) (room->requests + nrequests);
	room->ineligible = (void *) (room->by_flavor + nvarying);
	room->names = (char *) (room->ineligible + n * nflavors);
	return block;
}

struct podset_desc *podsets_copy(size_t nflavors,
				 const struct podset_desc *podsets, size_t n)
{
	struct podset_room room;

	if (!podsets_room(&room, nflavors, podsets, n))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		struct podset_desc *copy = &room.podsets[i];
		size_t size = strlen(podset_name(&podsets[i])) + 1;

		*copy = podsets[i];
		copy->name = memcpy(room.names, podset_name(&podsets[i]), size);
		room.names += size;
		copy->requests = room.requests;
		if (copy->nrequests)
			memcpy(room.requests, podsets[i].requests,
			       copy->nrequests * sizeof(*copy->requests));
		room.requests += copy->nrequests;
		if (copy->by_flavor) {
			size_t nvarying = podset_varying(nflavors, copy);

			copy->by_flavor = room.by_flavor;
			if (nvarying)
				memcpy(room.by_flavor, podsets[i].by_flavor,
				       nvarying * sizeof(*room.by_flavor));
			room.by_flavor += nvarying;
		}
		copy->ineligible = room.ineligible;
		for (size_t f = 0; f < nflavors; f++)
			*room.ineligible++ = podset_bars(&podsets[i], f);
	}
	return room.podsets;
}

static bool waiting_less(const struct rank_node *a, const struct rank_node *b)
{
	const struct workload *x = container_of(a, struct workload, in_shape);
	const struct workload *y = container_of(b, struct workload, in_shape);

	if (x->queue_order_at != y->queue_order_at)
		return x->queue_order_at < y->queue_order_at;
	return x->tiebreak < y->tiebreak;
}

/* What makes a shape: queue, priority, preemptibility and requests; and the local
 * queue, where usage counts */
struct shape_key {
	struct queue *q;
	int64_t priority;
	uint64_t alone;
	bool nonpreemptible;
	uint64_t group;
	int64_t fixed_members;		/* 0: no group; only its presence
					 * counts */
	int local;
	const struct podset_desc *podsets;
	size_t npodsets;
};

static uint64_t key_hash(const struct engine *e, const struct shape_key *key)
{
	uint64_t hash = hash_u64(HASH_INIT, key->q->node);

	hash = hash_u64(hash, key->priority);
	hash = hash_u64(hash, key->alone);
	hash = hash_u64(hash, key->nonpreemptible);
	hash = hash_u64(hash, key->fixed_members ? key->group + 1 : 0);
	if (key->local)
		hash = hash_u64(hash, (uint64_t) key->local);
	return podsets_hash(e->books->nflavors, key->podsets, key->npodsets,
			    hash);
}

static bool group_is(const struct shape *s, const struct shape_key *key)
{
	return key->fixed_members ? s->group && s->group->key == key->group
				  : !s->group;
}

static struct shape *shape_find(const struct engine *e,
				const struct shape_key *key, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&e->shapes, hash); link;
	     link = hash_next(link)) {
		struct shape *s = container_of(link, struct shape, link);

		if (s->q == key->q && s->priority == key->priority
		    && s->alone == key->alone
		    && s->nonpreemptible == key->nonpreemptible
		    && group_is(s, key) && s->local == key->local
		    && podsets_ask_same(e->books->nflavors, s->podsets,
					s->npodsets, key->podsets,
					key->npodsets))
			return s;
	}
	return NULL;
}

static struct shape *shape_create(struct engine *e,
				  const struct shape_key *key, uint64_t hash)
{
	struct shape *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->number = s->asks = ++e->shape_numbers;
	s->q = key->q;
	s->priority = key->priority;
	s->alone = key->alone;
	s->nonpreemptible = key->nonpreemptible;
	s->local = key->local;
	s->npodsets = key->npodsets;
	s->podsets = podsets_copy(e->books->nflavors, key->podsets,
				  key->npodsets);
	if (key->fixed_members)
		s->group = fixed_group_get(e, key->q, key->group,
					   key->fixed_members);
	if (!s->podsets || (key->fixed_members && !s->group)
	    || hash_insert(&e->shapes, &s->link, hash) < 0) {
		fixed_group_put(e, s->group);
		free(s->podsets);
		free(s);
		return NULL;
	}
	rankset_init(&s->waiting, waiting_less);
	s->simple = shape_asks_simply(s);
	return s;
}

static struct shape *key_get(struct engine *e, const struct shape_key *key)
{
	uint64_t hash = key_hash(e, key);
	struct shape *s = shape_find(e, key, hash);

	if (!s)
		s = shape_create(e, key, hash);
	if (s)
		s->users++;
	if (s && s->group)
		fixed_group_tell(e, s->group, key->fixed_members);
	return s;
}

struct shape *shape_get(struct engine *e, struct queue *q,
			const struct workload_desc *d, uint64_t alone)
{
	struct shape_key key = { q, d->priority, alone, d->nonpreemptible,
				 d->group, d->nonpreemptible
					   ? d->fixed_members : 0,
				 q->spec.by_usage ? d->local_queue : 0,
				 d->podsets, d->npodsets };

	return key_get(e, &key);
}

struct shape *shape_get_like(struct engine *e, const struct shape *like,
			     uint64_t alone)
{
	struct shape_key key = { like->q, like->priority, alone,
				 like->nonpreemptible,
				 like->group ? like->group->key : 0,
				 like->group ? like->group->most : 0,
				 like->local,
				 like->podsets, like->npodsets };

	return key_get(e, &key);
}

void shape_set_told(struct shape *s)
{
	if (!s->untold_link)
		return;
	*s->untold_link = s->next_untold;
	if (s->next_untold)
		s->next_untold->untold_link = s->untold_link;
	s->untold_link = NULL;
}

void shape_untell(struct shape *s)
{
	if (s->untold_link)
		return;
	s->next_untold = s->q->untold;
	s->untold_link = &s->q->untold;
	if (s->next_untold)
		s->next_untold->untold_link = &s->next_untold;
	s->q->untold = s;
}

void shape_put(struct engine *e, struct shape *shape)
{
	if (!shape || --shape->users)
		return;
	hash_remove(&e->shapes, &shape->link);
	fixed_group_put(e, shape->group);
	free(shape->podsets);
	free(shape);
}
