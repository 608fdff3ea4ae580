/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allocations.c - how often this program asks for memory
 *
 * The command is linked with --wrap for the functions that allocate: calls
 * from our own objects come here.
 */
#include <stdlib.h>

#include "measure/allocations.h"

static uint64_t allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	allocations++;
	return __real_realloc(memory, size);
}

uint64_t allocations_count(void)
{
	return allocations;
}
