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
uint64_t hash_u64(uint64_t hash, uint64_t value);

/* First member with that hash, and the next one with the same hash; NULL if
 * there is none. */
struct hash_link *hash_first(const struct hash *h, uint64_t hash);
struct hash_link *hash_next(const struct hash_link *link);

/* -1 with errno = ENOMEM */
int hash_insert(struct hash *h, struct hash_link *link, uint64_t hash);
void hash_remove(struct hash *h, struct hash_link *link);

/* Frees the table, not the members */
void hash_destroy(struct hash *h);

#endif /* COHORT_HASH_H */
