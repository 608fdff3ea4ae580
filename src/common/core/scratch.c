/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scratch.c - arrays that grow and are kept
 */
#include <stdlib.h>

#include "core/engine_state.h"

void *scratch_reserve(struct engine *e, enum scratch_use use, size_t n, size_t size)
{
	struct scratch *s = &e->scratch[use];
	size_t bytes = n * size;

	if (bytes > s->size || !s->memory) {
		size_t larger = bytes < 512 ? 1024 : 2 * bytes;
		void *memory = realloc(s->memory, larger);

		if (!memory) {
			e->no_memory = true;
			return NULL;
		}
		s->memory = memory;
		s->size = larger;
	}
	return s->memory;
}
