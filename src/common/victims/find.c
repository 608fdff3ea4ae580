/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find.c - the search for victims, by the algorithm that the spec asks for; no victim where
 * others leave anyway
 */
#include "candidates/candidate.h"
#include "core/tree_state.h"
#include "holding/holding.h"
#include "victims/target.h"

/* So often a search with fair sharing is made, each time without those that are barred */
#define MOST_TRIES 4

/* ---- who leaves anyway ---- */

/* All of its unit is on the way out, and one of them uses what is needed. */
static bool unit_leaves(const struct search *s, struct holding *h)
{
	bool uses = false;

	for_each_in_unit(m, h) {
		if (!m->evicting || m->gone)
			return false;
		uses |= holding_uses_need(s, m);
	}
	return uses;
}

/* Adds those of a queue that leave to targets[]: they stand before all others of it. Returns
 * how many there are */
static size_t queue_leave(struct search *s, struct queue *q, struct target *targets, size_t n)
{
	bool own = q == s->q;

	for_each_leaving(h, q) {
		s->e->searches->looks++;
		if (!unit_leaves(s, h))
			continue;
		unit_set_gone(h, true);
		target_remove(s->e, h);
		targets[n++] = (struct target) {
			h, own ? VICTIM_IN_CLUSTER_QUEUE : VICTIM_RECLAMATION,
			own ? LIST_OWN : LIST_PRIORITY
		};
	}
	return n;
}

/* Puts back what is not needed, the last one first */
static void put_back(struct search *s, const struct target *targets, size_t n)
{
	for (size_t i = n; i-- > 0; ) {
		struct holding *h = targets[i].h;

		s->e->searches->looks++;
		target_restore(s->e, h);
		if (search_fits(s, s->borrowed))
			unit_set_gone(h, false);
		else
			target_remove(s->e, h);
	}
}

/* Drops those that were put back */
static size_t targets_compact(struct target *targets, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		struct holding *h = targets[i].h;

		if (!h->gone)
			continue;
		unit_set_gone(h, false);
		targets[kept++] = targets[i];
	}
	return kept;
}

/* A workload on its way out leaves, whether or not the policies name it for this
 * preemptor; and if it has been evicted for an owner, what it frees is in the books twice,
 * as its use and as the owner's (doc/how-it-decides.md, section 9). So a search that counts
 * it as staying finds too many victims. With all of them gone, targets that are not needed are
 * dropped; those that leave, and that the demand counts on, are added at the end of
 * targets[]. Returns how many there are. The books are as before. */
static size_t leaving_spare_others(struct search *s, struct target *targets, size_t n)
{
	const struct tree *tree = s->q->tree;
	size_t total = n, mark;
	bool stays = false;

	if (!leaving_counts(s->e, tree))
		return n;
	mark = trial_begin(s->e);
	for (size_t i = 0; i < n; i++) {
		unit_set_gone(targets[i].h, true);
		target_remove(s->e, targets[i].h);
		stays |= !targets[i].h->evicting;
	}
	for (size_t i = 0; stays && i < tree->nqueues; i++)
		total = queue_leave(s, tree->queues[i], targets, total);
	if (total > n) {
		put_back(s, targets, n);
		put_back(s, targets + n, total - n);
	}
	n = targets_compact(targets, total);
	trial_end(s->e, mark);
	return n;
}

/* ---- the search ---- */

static size_t find(struct search *s, struct target **targets)
{
	return s->e->fair_sharing ? targets_fair(s, targets)
				  : targets_classical(s, targets);
}

/* A job that was evicted evicts for what its queue owns; if it was not evicted often, for what a
 * cohort above its queue owns, too. `everybody`: whether that is so was decided before. */
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
	if (n || (s->everybody && !over) || s->w->shape->yields == YIELDS_BEYOND_QUEUE)
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
	if (!s->alone)
		targets_give(*found, n);
	trial_end(e, mark);
	return n && !s->everybody ? leaving_spare_others(s, *found, n) : n;
}

size_t targets_find(struct search *s, const struct target **targets)
{
	struct engine *e = s->e;
	struct target *found = NULL;
	struct search fresh;
	size_t n;

	s->need_pairs = 0;
	for (size_t i = 0; i < s->nneed; i++)
		s->need_pairs |= pair_bit(s->need[i].pair);
	if (!s->everybody)
		s->pure = !demand_is_over_nominal(s);
	s->first = e->searches->made + 1;
	fresh = *s;
	n = targets_search(s, &found);
	/* With fair sharing all victims are judged once more, as own jobs may have been spared
	 * in the end. Whoever may not be evicted then is barred, and the search begins anew. */
	for (size_t tries = 1; n && set_bars_any(s, found, n); tries++) {
		*s = fresh;
		n = tries < MOST_TRIES ? targets_search(s, &found) : 0;
	}
	*targets = found;
	return n;
}
