/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arena.c - memory that is given back all at once
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

/* Enough for most plans at once; memory that is not touched costs nothing */
#define SMALLEST_BLOCK ((size_t) 64 * 1024)
#define LARGEST_BLOCK ((size_t) 1024 * 1024)
#define ALIGNMENT _Alignof(max_align_t)

/* AddressSanitizer then reports uses of memory that was given back */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define POISONS 1
#else
#define ASAN_POISON_MEMORY_REGION(p, size) ((void) 0)
#define ASAN_UNPOISON_MEMORY_REGION(p, size) ((void) 0)
#define POISONS 0
#endif

struct arena_block {
	struct arena_block *next;
	size_t size;
	size_t used;
	_Alignas(max_align_t) char bytes[];
};

/* Each block is twice the size of the last, up to a limit. */
static struct arena_block *block_create(const struct arena_block *last, size_t size)
{
	size_t usual = last ? 2 * last->size : SMALLEST_BLOCK;
	struct arena_block *block;

	if (usual > LARGEST_BLOCK)
		usual = LARGEST_BLOCK;
	if (size < usual)
		size = usual;
	block = malloc(sizeof(*block) + size);
	if (!block)
		return NULL;
	*block = (struct arena_block) { .size = size };
	ASAN_POISON_MEMORY_REGION(block->bytes, size);
	return block;
}

/* The first block from the current one on that has room; a new one comes last. */
static struct arena_block *block_find(struct arena *a, size_t size)
{
	struct arena_block **link = &a->first, *block = a->current;

	for (; block; block = block->next) {
		if (block != a->current)
			block->used = 0;
		if (block->size - block->used >= size)
			return block;
		link = &block->next;
	}
	*link = block_create(a->current, size);
	return *link;
}

void *arena_alloc(struct arena *a, size_t n, size_t size)
{
	struct arena_block *block = NULL;
	size_t bytes;
	void *p;

	if (!__builtin_mul_overflow(n, size, &bytes) && bytes < SIZE_MAX / 2) {
		bytes = (bytes + ALIGNMENT) & ~(ALIGNMENT - 1);
		block = block_find(a, bytes);
	}
	if (!block) {
		a->failed = true;
		errno = ENOMEM;
		return NULL;
	}
	a->current = block;
	p = block->bytes + block->used;
	block->used += bytes;
	ASAN_UNPOISON_MEMORY_REGION(p, n * size);
	return memset(p, 0, n * size);
}

void arena_reset(struct arena *a)
{
	for (struct arena_block *b = POISONS ? a->first : NULL; b; b = b->next)
		ASAN_POISON_MEMORY_REGION(b->bytes, b->size);
	a->current = a->first;
	if (a->first)
		a->first->used = 0;
	a->failed = false;
}

void arena_destroy(struct arena *a)
{
	struct arena_block *block = a->first;
	int saved_errno = errno;

	while (block) {
		struct arena_block *next = block->next;

		ASAN_UNPOISON_MEMORY_REGION(block->bytes, block->size);
		free(block);
		block = next;
	}
	a->first = a->current = NULL;
	errno = saved_errno;
}
