/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.h - memory that is given back all at once
 *
 * What one cycle allocates lives until the next one. Blocks are kept for
 * reuse, so that after some cycles nothing is allocated any more.
 */
#ifndef COHORT_ARENA_H
#define COHORT_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *first;
	struct arena_block *current;
	bool failed;		/* an allocation failed since the last reset */
};

/* Zeroed memory for n objects of `size` bytes, aligned for any type. NULL
 * with a->failed set if there is none. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

void arena_reset(struct arena *a);
void arena_destroy(struct arena *a);

#endif /* COHORT_ARENA_H */
