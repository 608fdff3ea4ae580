/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.c - the search for victims, by the algorithm that the spec asks for
 */
#include <stdlib.h>

#include "candidates/allow.h"
#include "holding/trial.h"
#include "victims/find.h"
#include "victims/givers.h"
#include "victims/target.h"
#include "victims/leaving.h"
#include "holding/elastic.h"

int searches_create(struct engine *e)
{
	struct searches *all = calloc(1, sizeof(*all));

	e->searches = all;
	if (!all)
		return -1;
	all->safe_after = INT64_MAX;
	/* one more: no NULL for an empty array */
	all->need = calloc(e->books->npairs + 1, sizeof(*all->need));
	all->givers = calloc(e->books->nnodes + 1, sizeof(*all->givers));
	return all->need && all->givers ? 0 : -1;
}

void searches_destroy(struct engine *e)
{
	if (!e->searches)
		return;
	free(e->searches->need);
	free(e->searches->givers);
	free(e->searches);
	e->searches = NULL;
}

static size_t find(struct search *s, struct target **targets)
{
	return s->e->fair_sharing ? targets_fair(s, targets)
				  : targets_classical(s, targets);
}

/* A job that was evicted evicts for what its queue owns; if it was not evicted often, for
 * what a cohort above its queue owns, too. `everybody`: whether that is so was decided
 * before. */
static size_t find_yielding(struct search *s, struct target **targets)
{
	bool over = s->everybody && demand_is_over_nominal(s);
	size_t mark = trial_begin(s->e), n = 0;
	struct search again;

	s->in_row = false;
	again = *s;
	s->keeps_nominal = true;
	if (!over)
		n = find(s, targets);
	trial_end(s->e, mark);
	if (n || (s->everybody && !over)
	    || s->w->shape->yields == YIELDS_BEYOND_QUEUE)
		return n;
	*s = again;
	s->number = ++s->e->searches->made;
	s->outside_only = true;
	return find(s, targets);
}

size_t targets_find(struct search *s, const struct target **targets)
{
	struct engine *e = s->e;
	bool *need = e->searches->need;
	struct target *found = NULL;
	size_t mark = trial_begin(e);
	size_t n;

	s->number = ++e->searches->made;
	s->need_pairs = 0;
	s->limit = limit_of(s);
	for (size_t i = 0; i < s->nneed; i++) {
		need[s->need[i]] = true;
		s->need_pairs |= pair_bit(s->need[i]);
	}
	if (!s->everybody)
		s->pure = !demand_is_over_nominal(s);
	n = s->w->shape->yields ? find_yielding(s, &found) : find(s, &found);
	if (!s->pick) {
		for (size_t i = 0; i < n && !s->alone; i++)
			elastic_give(found[i].h);
	}
	trial_end(e, mark);
	if (n && !s->everybody && !s->pick) {
		n = leaving_spare_others(s, found, n);
		e->searches->listed += n;
	}
	for (size_t i = 0; i < s->nneed; i++)
		need[s->need[i]] = false;
	*targets = found;
	return n;
}
