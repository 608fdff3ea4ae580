/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.c - the search for victims, by the algorithm that the spec asks for
 */
#include <stdlib.h>

#include "candidates/allow.h"
#include "holding/trial.h"
#include "victims/find.h"
#include "victims/strategy.h"
#include "victims/target.h"
#include "victims/leaving.h"
#include "holding/unit.h"
#include "holding/elastic.h"

/* So often a search with fair sharing is made, each time without those that may not go */
#define MOST_TRIES 4

int searches_create(struct engine *e)
{
	struct searches *all = calloc(1, sizeof(*all));

	e->searches = all;
	if (!all)
		return -1;
	/* one more: no NULL for an empty array */
	all->need = calloc(e->books->npairs + 1, sizeof(*all->need));
	all->closed = calloc(e->books->nnodes + 1, sizeof(*all->closed));
	return all->need && all->closed ? 0 : -1;
}

void searches_destroy(struct engine *e)
{
	if (!e->searches)
		return;
	free(e->searches->need);
	free(e->searches->closed);
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

static size_t targets_search(struct search *s, struct target **found)
{
	struct engine *e = s->e;
	size_t mark = trial_begin(e), n;

	s->number = ++e->searches->made;
	n = s->w->shape->yields ? find_yielding(s, found) : find(s, found);
	for (size_t i = 0; i < n && !s->alone; i++)
		elastic_give((*found)[i].h);
	trial_end(e, mark);
	return n && !s->everybody ? leaving_spare_others(s, *found, n) : n;
}

/* With fair sharing all that go are judged once more, as own jobs may have been spared in
 * the end. Whoever may not go then is left out, and the search begins anew. */
static size_t targets_search_anew(struct search *s, struct target **found)
{
	struct search fresh = *s;
	size_t n = targets_search(s, found);

	for (size_t tries = 1; n && set_bars_any(s, *found, n); tries++) {
		fresh.barred = s->barred;
		fresh.nbarred = s->nbarred;
		*s = fresh;
		n = tries < MOST_TRIES ? targets_search(s, found) : 0;
	}
	for (size_t i = 0; i < s->nbarred; i++)
		unit_set_barred(s->barred[i], false);
	return n;
}

size_t targets_find(struct search *s, const struct target **targets)
{
	struct engine *e = s->e;
	bool *need = e->searches->need;
	struct target *found = NULL;
	size_t n;

	s->need_pairs = 0;
	for (size_t i = 0; i < s->nneed; i++) {
		need[s->need[i]] = true;
		s->need_pairs |= pair_bit(s->need[i]);
	}
	if (!s->everybody)
		s->pure = !demand_is_over_nominal(s);
	n = targets_search_anew(s, &found);
	for (size_t i = 0; i < s->nneed; i++)
		need[s->need[i]] = false;
	*targets = found;
	return n;
}
