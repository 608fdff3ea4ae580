/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leaving.c - no victim where others leave anyway
 *
 * doc/how-it-decides.md, section 9, freed quota has an owner. A victim that is
 * still ending uses its quota, and its preemptor owns the same quota already. If
 * no policy lets another preemptor evict that victim, usage seems too large to
 * it by what is there twice. Whoever ends for another reason frees what it has as well.
 * Kueue evicts another workload then if that one's queue has to give first.
 */
#include "core/tree_state.h"
#include "holding/trial.h"
#include "candidates/allow.h"
#include "victims/leaving.h"
#include "holding/unit.h"

/* The targets leave the books. True if one of them stays without this search */
static bool targets_leave(struct search *s, const struct target *targets,
			  size_t n)
{
	bool stays = false;

	for (size_t i = 0; i < n; i++) {
		unit_set_gone(targets[i].h, true);
		target_remove(s->e, targets[i].h);
		stays |= !targets[i].h->evicting;
	}
	return stays;
}

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

/* Adds it to targets[] if it leaves, and returns how many there are */
static size_t holding_leave(struct search *s, struct holding *h,
			    struct target *targets, size_t n)
{
	if (!unit_leaves(s, h))
		return n;
	unit_set_gone(h, true);
	target_remove(s->e, h);
	targets[n++] = (struct target) {
		h, h->q == s->q ? VICTIM_IN_CLUSTER_QUEUE : VICTIM_RECLAMATION,
		h->q == s->q ? LIST_OWN : LIST_PRIORITY
	};
	return n;
}

/* The same of all in a queue. They stand before all others of it. */
static size_t queue_leave(struct search *s, struct queue *q,
			  struct target *targets, size_t n)
{
	holdings_date(q, s->now);
	for (struct holding *h = q->holdings; h && h->evicting; h = h->next) {
		s->e->searches->looks++;
		n = holding_leave(s, h, targets, n);
	}
	return n;
}

/* ---- what is not needed ---- */

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

size_t leaving_spare_others(struct search *s, struct target *targets, size_t n)
{
	const struct tree *tree = s->q->tree;
	size_t total = n, mark;
	bool stays;

	if (!leaving_counts(s->e, tree))
		return n;
	mark = trial_begin(s->e);
	stays = targets_leave(s, targets, n);
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
