/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * podsets.c - what workloads ask for: those that ask for the same share one copy
 *
 * A copy is one block: the pod sets, then all that they say, as they point to it. What they
 * may leave out is written out, so that the same is said in the same bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine_state.h"
#include "core/podsets.h"
#include "lib/container.h"

struct copy {
	struct hash_link link;
	size_t users, n;
	size_t size;			/* of what is behind the pod sets, a multiple of 8 */
	struct podset_desc podsets[];
};

/* Of a pod set, all that it does not point to */
struct fixed {
	int64_t count, min_count, group, nrequests, varies;
};

static const char *podset_name(const struct podset_desc *ps)
{
	return ps->name ? ps->name : "";
}

/* How many amounts by flavor the pod set has */
static size_t podset_varying(size_t nflavors, const struct podset_desc *ps)
{
	return ps->by_flavor ? ps->nrequests * nflavors : 0;
}

/* Bytes, rounded up so that any type may follow */
static size_t room_of(size_t bytes)
{
	return (bytes + 7) & ~(size_t) 7;
}

static size_t podset_size(size_t nflavors, const struct podset_desc *ps)
{
	return sizeof(struct fixed) + ps->nrequests * sizeof(*ps->requests)
	       + podset_varying(nflavors, ps) * sizeof(*ps->by_flavor)
	       + room_of(nflavors) + room_of(strlen(podset_name(ps)) + 1);
}

/* Writes what the pod set points to; returns the place behind that. Requests are
 * copied by member: there may be bytes between these. */
static char *podset_fill(struct podset_desc *ps, size_t nflavors, char *to)
{
	struct fixed *fixed = (void *) to;
	struct request *requests = (void *) (fixed + 1);
	int64_t *by_flavor = (void *) (requests + ps->nrequests);
	size_t nvarying = podset_varying(nflavors, ps);
	bool *ineligible = (void *) (by_flavor + nvarying);
	char *name = (char *) ineligible + room_of(nflavors);
	size_t name_size = strlen(podset_name(ps)) + 1;

	*fixed = (struct fixed) { ps->count, ps->min_count, ps->group,
				  (int64_t) ps->nrequests, nvarying > 0 };
	for (size_t i = 0; i < ps->nrequests; i++) {
		requests[i].resource = ps->requests[i].resource;
		requests[i].amount = ps->requests[i].amount;
	}
	for (size_t i = 0; i < nvarying; i++)
		by_flavor[i] = ps->by_flavor[i];
	for (size_t f = 0; f < nflavors; f++)
		ineligible[f] = ps->ineligible && ps->ineligible[f];
	memcpy(name, podset_name(ps), name_size);
	ps->name = name;
	ps->requests = requests;
	ps->by_flavor = nvarying ? by_flavor : NULL;
	ps->ineligible = ineligible;
	return name + room_of(name_size);
}

static uint64_t copy_hash(const struct copy *copy)
{
	const uint64_t *words = (const void *) &copy->podsets[copy->n];
	uint64_t hash = hash_u64(HASH_INIT, copy->n);

	for (size_t i = 0; i < copy->size / sizeof(*words); i++)
		hash = hash_u64(hash, words[i]);
	return hash;
}

static struct copy *copy_create(size_t nflavors, const struct podset_desc *podsets, size_t n)
{
	size_t size = 0;
	struct copy *copy;
	char *to;

	for (size_t i = 0; i < n; i++)
		size += podset_size(nflavors, &podsets[i]);
	copy = calloc(1, sizeof(*copy) + n * sizeof(*podsets) + size);
	if (!copy)
		return NULL;
	copy->n = n;
	copy->size = size;
	to = (char *) &copy->podsets[n];
	for (size_t i = 0; i < n; i++) {
		copy->podsets[i] = podsets[i];
		to = podset_fill(&copy->podsets[i], nflavors, to);
	}
	copy->link.hash = copy_hash(copy);
	return copy;
}

static bool copies_are_same(const struct copy *a, const struct copy *b)
{
	return a->n == b->n && a->size == b->size
	       && !memcmp(&a->podsets[a->n], &b->podsets[b->n], a->size);
}

const struct podset_desc *podsets_get(struct engine *e, const struct podset_desc *podsets, size_t n)
{
	struct copy *copy = copy_create(e->books->nflavors, podsets, n), *known;
	struct hash_link *link;

	if (!copy)
		return NULL;
	for (link = hash_first(&e->asks, copy->link.hash); link; link = hash_next(link)) {
		known = container_of(link, struct copy, link);
		if (!copies_are_same(known, copy))
			continue;
		free(copy);
		known->users++;
		return known->podsets;
	}
	if (hash_insert(&e->asks, &copy->link, copy->link.hash) < 0) {
		free(copy);
		errno = ENOMEM;
		return NULL;
	}
	copy->users = 1;
	return copy->podsets;
}

static struct copy *copy_of(const struct podset_desc *podsets)
{
	return container_of(podsets, struct copy, podsets[0]);
}

void podsets_put(struct engine *e, const struct podset_desc *podsets)
{
	if (!podsets || --copy_of(podsets)->users)
		return;
	hash_remove(&e->asks, &copy_of(podsets)->link);
	free(copy_of(podsets));
}

uint64_t podsets_hash(const struct podset_desc *podsets)
{
	return copy_of(podsets)->link.hash;
}
