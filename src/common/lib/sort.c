/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort.c - keys that are nearly in order go to their places; else runs of them are
 * merged, two by two
 */
#include <stdbool.h>
#include <string.h>

#include "lib/sort.h"

static inline bool key_before(const struct sort_key *a,
			      const struct sort_key *b)
{
	if (a->words[0] != b->words[0])
		return a->words[0] < b->words[0];
	if (a->words[1] != b->words[1])
		return a->words[1] < b->words[1];
	return a->words[2] < b->words[2];
}

/* Two runs that follow each other, the first one of n keys, to `to`. What is in order
 * already is only copied. */
static void runs_merge(const struct sort_key *from, size_t n, size_t both,
		       struct sort_key *to)
{
	size_t a = 0, b = n;

	if (b == both || !key_before(&from[b], &from[b - 1])) {
		memcpy(to, from, both * sizeof(*to));
		return;
	}
	while (a < n && b < both)
		*to++ = key_before(&from[b], &from[a]) ? from[b++] : from[a++];
	memcpy(to, a < n ? &from[a] : &from[b],
	       (n - a + both - b) * sizeof(*to));
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* So many steps for each key, before runs are merged */
#define STEPS 4

/* Each key that is out of order goes back to its place. False if that takes too many
 * steps: some have gone back, and none has passed another one that is the same. */
static bool keys_insert(struct sort_key *keys, size_t n)
{
	size_t left = STEPS * n;

	for (size_t i = 1; i < n; i++) {
		struct sort_key key = keys[i];
		size_t to = i;

		for (; to && left && key_before(&key, &keys[to - 1]); to--, left--)
			keys[to] = keys[to - 1];
		if (to < i)
			keys[to] = key;
		if (!left)
			return false;
	}
	return true;
}

void sort_keys(struct sort_key *keys, struct sort_key *room, size_t n)
{
	struct sort_key *from = keys, *to = room, *other;

	if (keys_insert(keys, n))
		return;
	for (size_t run = 1; run < n; run *= 2) {
		for (size_t i = 0; i < n; i += 2 * run)
			runs_merge(&from[i], lesser(run, n - i),
				   lesser(2 * run, n - i), &to[i]);
		other = from;
		from = to;
		to = other;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
}
