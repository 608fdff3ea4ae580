/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hash.h - an intrusive hash table
 *
 * Members embed a hash_link; the caller computes hashes and compares keys.
 */
#ifndef COHORT_HASH_H
#define COHORT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_INIT UINT64_C(0xcbf29ce484222325)	/* FNV-1a */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15) /* odd: 2^64 / golden ratio */

struct hash_link {
	struct hash_link *next;
	uint64_t hash;
};

struct hash {
	struct hash_link **buckets;
	size_t nbuckets;		/* 0 or a power of two */
	size_t n;
};

/* FNV-1a of some bytes, continued from `hash` */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n);

/* Of a number, in one step: different numbers have different hashes. What its low bits
 * are may depend on a few bits of the number only, so ask hash_place() for a place. */
static inline uint64_t hash_u64(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * HASH_FACTOR;
	return hash ^ hash >> 32;
}

/* Its place in a table with so many, a power of two and at most 2^32 */
static inline size_t hash_place(uint64_t hash, size_t nplaces)
{
	return (size_t) (hash * HASH_FACTOR >> 32) & (nplaces - 1);
}

/* First member with that hash, and the next one with the same hash; NULL if there is none. */
struct hash_link *hash_first(const struct hash *h, uint64_t hash);
struct hash_link *hash_next(const struct hash_link *link);

/* -1 with errno = ENOMEM */
int hash_insert(struct hash *h, struct hash_link *link, uint64_t hash);
void hash_remove(struct hash *h, struct hash_link *link);

/* Frees the table, not the members */
void hash_destroy(struct hash *h);

/* ---- members that are known by a number, unique for an owner ---- */

struct keyed {
	struct hash_link link;		/* first */
	int owner;
	uint64_t key;
};

/* NULL: there is none */
void *keyed_find(const struct hash *h, int owner, uint64_t key);

/* The same, or a new one: zeroed memory of that size that begins with a struct keyed. NULL with
 * errno = ENOMEM */
void *keyed_get(struct hash *h, int owner, uint64_t key, size_t size);

/* Takes it out and frees it */
void keyed_free(struct hash *h, struct keyed *k);

#endif /* COHORT_HASH_H */
