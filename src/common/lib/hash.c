/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.c - an intrusive hash table
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/container.h"
#include "lib/hash.h"

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static struct hash_link **bucket_of(const struct hash *h, uint64_t hash)
{
	return &h->buckets[hash_place(hash, h->nbuckets)];
}

static struct hash_link *chain_find(struct hash_link *link, uint64_t hash)
{
	while (link && link->hash != hash)
		link = link->next;
	return link;
}

struct hash_link *hash_first(const struct hash *h, uint64_t hash)
{
	return h->nbuckets ? chain_find(*bucket_of(h, hash), hash) : NULL;
}

struct hash_link *hash_next(const struct hash_link *link)
{
	return chain_find(link->next, link->hash);
}

static void link_push(struct hash *h, struct hash_link *link)
{
	struct hash_link **bucket = bucket_of(h, link->hash);

	link->next = *bucket;
	*bucket = link;
}

static int hash_grow(struct hash *h)
{
	struct hash old = *h;
	size_t n = old.nbuckets ? 2 * old.nbuckets : 64;
	struct hash_link **buckets = calloc(n, sizeof(*buckets));

	if (!buckets)
		return -1;
	h->buckets = buckets;
	h->nbuckets = n;
	for (size_t i = 0; i < old.nbuckets; i++) {
		struct hash_link *link = old.buckets[i];

		while (link) {
			struct hash_link *next = link->next;

			link_push(h, link);
			link = next;
		}
	}
	free(old.buckets);
	return 0;
}

int hash_insert(struct hash *h, struct hash_link *link, uint64_t hash)
{
	if (h->n >= h->nbuckets && hash_grow(h) < 0)
		return -1;
	link->hash = hash;
	link_push(h, link);
	h->n++;
	return 0;
}

void hash_remove(struct hash *h, struct hash_link *link)
{
	struct hash_link **at = bucket_of(h, link->hash);

	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	link->next = NULL;
	h->n--;
}

static uint64_t keyed_hash(int owner, uint64_t key)
{
	return hash_u64(hash_u64(HASH_INIT, (uint64_t) owner), key);
}

void *keyed_find(const struct hash *h, int owner, uint64_t key)
{
	struct hash_link *link = hash_first(h, keyed_hash(owner, key));

	for (; link; link = hash_next(link)) {
		struct keyed *k = container_of(link, struct keyed, link);

		if (k->owner == owner && k->key == key)
			return k;
	}
	return NULL;
}

void *keyed_get(struct hash *h, int owner, uint64_t key, size_t size)
{
	struct keyed *k = keyed_find(h, owner, key);

	if (k)
		return k;
	k = calloc(1, size);
	if (!k || hash_insert(h, &k->link, keyed_hash(owner, key)) < 0) {
		free(k);
		errno = ENOMEM;
		return NULL;
	}
	k->owner = owner;
	k->key = key;
	return k;
}

void keyed_free(struct hash *h, struct keyed *k)
{
	hash_remove(h, &k->link);
	free(k);
}

void hash_destroy(struct hash *h)
{
	int saved_errno = errno;

	free(h->buckets);
	*h = (struct hash) { 0 };
	errno = saved_errno;
}
