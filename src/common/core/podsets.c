/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * podsets.c - what workloads ask for: compared, copied and shared
 */
#include <stdlib.h>
#include <string.h>

#include "core/engine_state.h"
#include "core/podsets.h"
#include "lib/container.h"

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

/* Where the parts of a copy go: all are in one block */
struct podset_room {
	struct podset_desc *podsets;
	struct request *requests;
	int64_t *by_flavor;
	bool *ineligible;
	char *names;
};

/* A block with so many bytes before all that; NULL with errno = ENOMEM */
static char *podsets_room(struct podset_room *room, size_t head, size_t nflavors,
			  const struct podset_desc *podsets, size_t n)
{
	size_t nrequests = 0, nvarying = 0, names = 0;
	char *block;

	for (size_t i = 0; i < n; i++) {
		nrequests += podsets[i].nrequests;
		nvarying += podset_varying(nflavors, &podsets[i]);
		names += strlen(podset_name(&podsets[i])) + 1;
	}
	block = malloc(head + n * sizeof(*room->podsets)
		       + nrequests * sizeof(*room->requests)
		       + nvarying * sizeof(*room->by_flavor)
		       + n * nflavors + names + 1);
	if (!block)
		return NULL;
	room->podsets = (void *) (block + head);
	room->requests = (void *) (room->podsets + n);
	room->by_flavor = (void *) (room->requests + nrequests);
	room->ineligible = (void *) (room->by_flavor + nvarying);
	room->names = (char *) (room->ineligible + n * nflavors);
	return block;
}

static void podsets_fill(struct podset_room room, size_t nflavors,
			 const struct podset_desc *podsets, size_t n)
{
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
}

struct podset_desc *podsets_copy(size_t nflavors,
				 const struct podset_desc *podsets, size_t n)
{
	struct podset_room room;

	if (!podsets_room(&room, 0, nflavors, podsets, n))
		return NULL;
	podsets_fill(room, nflavors, podsets, n);
	return room.podsets;
}

/* ---- shared ---- */

struct asks {
	struct hash_link link;
	size_t users, n;
	struct podset_desc podsets[];	/* with all they point to behind them */
};

static struct asks *asks_find(const struct engine *e, const struct podset_desc *podsets,
			      size_t n, uint64_t hash)
{
	struct hash_link *link;

	for (link = hash_first(&e->asks, hash); link; link = hash_next(link)) {
		struct asks *asks = container_of(link, struct asks, link);

		if (podsets_ask_same(e->books->nflavors, asks->podsets, asks->n, podsets,
				     n))
			return asks;
	}
	return NULL;
}

static struct asks *asks_create(struct engine *e, const struct podset_desc *podsets,
				size_t n, uint64_t hash)
{
	struct podset_room room;
	struct asks *asks = (void *) podsets_room(&room, sizeof(*asks), e->books->nflavors,
						  podsets, n);

	if (!asks)
		return NULL;
	*asks = (struct asks) { .n = n };
	podsets_fill(room, e->books->nflavors, podsets, n);
	if (hash_insert(&e->asks, &asks->link, hash) < 0) {
		free(asks);
		return NULL;
	}
	return asks;
}

const struct podset_desc *podsets_get(struct engine *e, const struct podset_desc *podsets,
				      size_t n)
{
	uint64_t hash = podsets_hash(e->books->nflavors, podsets, n, HASH_INIT);
	struct asks *asks = asks_find(e, podsets, n, hash);

	if (!asks)
		asks = asks_create(e, podsets, n, hash);
	if (!asks)
		return NULL;
	asks->users++;
	return asks->podsets;
}

void podsets_put(struct engine *e, const struct podset_desc *podsets)
{
	struct asks *asks;

	if (!podsets)
		return;
	asks = container_of(podsets, struct asks, podsets[0]);
	if (--asks->users)
		return;
	hash_remove(&e->asks, &asks->link);
	free(asks);
}
