/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * engine_state.c - arrays that grow and are kept; which trees the next plan has to look at
 */
#include <stdlib.h>

#include "core/engine_state.h"
#include "core/tree_state.h"
#include "quota/calendar.h"

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

struct tree *tree_of_root(const struct engine *e, int root)
{
	size_t i = 0;

	while (e->trees[i].root != root)
		i++;
	return &e->trees[i];
}

void tree_request_plan(struct engine *e, struct tree *tree)
{
	tree->needs_plan = true;
	e->stale = true;
}

void trees_date(struct engine *e, int64_t now)
{
	int root;

	while ((root = calendar_step(e->books, now)) != SPEC_NONE)
		tree_request_plan(e, tree_of_root(e, root));
}
