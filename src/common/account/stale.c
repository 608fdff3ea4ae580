/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stale.c - what of a copy of the account is no longer as in the account
 */
#include <stdlib.h>

#include "account/stale.h"

static bool grow(struct stale *s)
{
	size_t size = s->size ? 2 * s->size : 64;
	struct stale_item *list = realloc(s->list, size * sizeof(*list));

	if (!list)
		return false;
	s->list = list;
	s->size = size;
	return true;
}

void stale_note(struct stale *s, bool *mark, enum stale_kind kind, int node,
		int pair)
{
	if (!s->copy || *mark || s->all)
		return;
	if (s->n == s->size && !grow(s)) {
		s->all = true;
		return;
	}
	*mark = true;
	s->list[s->n++] = (struct stale_item) { kind, node, pair };
}
