/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sharing.c - cells of the same quota and limits store these once
 *
 * Most cells of a large tree are alike: thousands of queues have the same quota
 * of each flavor, or none. Cells whose quota may change (calendar.h) share it
 * with no other one.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "quota/derive.h"

#define NOTHING UINT32_MAX

/* The shared quotas stand at the front of b->quotas; table: their indices by
 * hash, with open addressing */
struct sharing {
	struct books *b;
	uint32_t *table;
	size_t size;			/* a power of two */
	size_t n;
};

static uint64_t quota_hash(const struct quota *q)
{
	uint64_t hash = hash_u64(HASH_INIT, (uint64_t) q->nominal);

	hash = hash_u64(hash, (uint64_t) q->borrowing_limit);
	hash = hash_u64(hash, (uint64_t) q->lending_limit);
	hash = hash_u64(hash, (uint64_t) q->subtree);
	return hash_u64(hash, (uint64_t) q->potential);
}

/* local follows from subtree and lending_limit. */
static bool quota_same(const struct quota *x, const struct quota *y)
{
	return x->nominal == y->nominal
	       && x->borrowing_limit == y->borrowing_limit
	       && x->lending_limit == y->lending_limit
	       && x->subtree == y->subtree && x->local == y->local
	       && x->potential == y->potential && x->present == y->present;
}

/* The place in the table of that quota, or the free one where it belongs */
static uint32_t *place_find(const struct sharing *s, const struct quota *q)
{
	size_t i = hash_place(quota_hash(q), s->size);

	while (s->table[i] != NOTHING
	       && !quota_same(&s->b->quotas[s->table[i]], q))
		i = (i + 1) & (s->size - 1);
	return &s->table[i];
}

static int table_grow(struct sharing *s)
{
	size_t size = s->size ? 2 * s->size : 64;
	uint32_t *table = malloc(size * sizeof(*table));

	if (!table)
		return -1;
	memset(table, 0xff, size * sizeof(*table));
	free(s->table);
	s->table = table;
	s->size = size;
	for (size_t i = 0; i < s->n; i++)
		*place_find(s, &s->b->quotas[i]) = (uint32_t) i;
	return 0;
}

/* The index of the quota among the shared ones; `like`: perhaps it is this one */
static int quota_intern(struct sharing *s, const struct quota *q, uint32_t like,
			uint32_t *index)
{
	uint32_t *place;

	if (like < s->n && quota_same(&s->b->quotas[like], q)) {
		*index = like;
		return 0;
	}
	if (2 * s->n >= s->size && table_grow(s) < 0)
		return -1;
	place = place_find(s, q);
	if (*place == NOTHING) {
		*place = (uint32_t) s->n;
		s->b->quotas[s->n++] = *q;
	}
	*index = *place;
	return 0;
}

/* What is not needed is given back. It may be all of it, if there is no cell. */
static int quotas_trim(struct books *b, size_t n)
{
	struct quota *less = realloc(b->quotas, (n + 1) * sizeof(*less));

	if (!less)
		return -1;
	b->quotas = less;
	b->nquotas = n;
	return 0;
}

int quotas_share(struct books *b)
{
	struct sharing s = { .b = b };
	int rc = 0;

	for (size_t i = 0; !rc && i < b->nquotas; i++) {
		const struct quota q = b->quotas[i];
		uint32_t like = i >= b->npairs ? b->cells[i - b->npairs].quota
						 / QUOTA_UNITS : NOTHING;

		rc = quota_intern(&s, &q, like, &b->cells[i].quota);
		b->cells[i].quota *= QUOTA_UNITS;
	}
	free(s.table);
	return rc < 0 ? rc : quotas_trim(b, s.n);
}

/* There is room for all of the tree. */
static void tree_unshare(struct books *b, int node, int pair)
{
	struct cell *c = books_cell(b, node, pair);
	struct quota *own = &b->quotas[b->nquotas];

	*own = *cell_quota(b, c);
	own->own = true;
	c->quota = (uint32_t) (b->nquotas++ * QUOTA_UNITS);
	for (int k = b->nodes[node].first_child; k != SPEC_NONE;
	     k = b->nodes[k].next_sibling)
		tree_unshare(b, k, pair);
}

int quotas_unshare(struct books *b, int root, int pair)
{
	const struct node *top = &b->nodes[root];
	size_t n = (size_t) (top->last_below - top->number) + 1;
	struct quota *more;

	if (books_quota(b, root, pair)->own)
		return 0;
	more = realloc(b->quotas, (b->nquotas + n) * sizeof(*more));
	if (!more)
		return -1;
	b->quotas = more;
	tree_unshare(b, root, pair);
	return 0;
}
