/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns.c - the preemptor's equals in its own queue, by their turns (KEP-8522)
 *
 * A queue with turns has its holdings in a second order, see holding.c: those on
 * the way out first, then by priority, cost, and the earlier start. Equals are
 * next to each other there, first those on the way out and then the others, and
 * of one cost those whose turn is over stand before those whose turn goes on.
 */
#include "candidates/allow.h"
#include "holding/holding.h"

/* Is it before (< 0), among or behind (> 0) the equals that are, or are not, on
 * the way out? */
static int side_of(const struct search *s, const struct holding *h, bool leaving)
{
	int64_t priority = s->w->shape->priority;

	if (h->evicting != leaving)
		return h->evicting ? -1 : 1;
	return (h->priority > priority) - (h->priority < priority);
}

/* Some of those below a node may be equals, and use what is needed. */
static bool equals_below(const struct search *s,
			 const struct holding_bounds *below)
{
	return (below->pairs & s->need_pairs)
	       && below->lowest_priority <= s->w->shape->priority;
}

/* ---- those whose turn is over ---- */

/* Of none of those below a node time lets go, as it is not yet over, or keeps
 * them for longer. */
static bool equals_stay(const struct search *s, const struct stream *st,
			const struct holding_bounds *below)
{
	if (!equals_below(s, below) || time_keeps_all(s, st, below))
		return true;
	return !(below->kinds & HOLDING_IS_LEAVING)
	       && s->now < turn_until(s, below->first_from);
}

static bool equal_goes(const struct search *s, const struct stream *st,
		       struct holding *h)
{
	s->e->searches->looks++;
	return !is_left_out(s, h) && turn_is_over(s, h)
	       && time_lets_go(s, st, h, &(bool) { false });
}

/* The first that may go of those at or below a node */
static struct holding *equal_below(const struct search *s,
				   const struct stream *st,
				   const struct rank_node *node, bool leaving)
{
	while (node) {
		struct holding *h = holding_by_start(node), *found;
		int side = side_of(s, h, leaving);

		if (equals_stay(s, st, &h->by_start.below))
			return NULL;
		if (side >= 0) {
			found = equal_below(s, st, node->left, leaving);
			if (found)
				return found;
		}
		if (side > 0)
			return NULL;
		if (side == 0 && equal_goes(s, st, h))
			return h;
		node = node->right;
	}
	return NULL;
}

struct holding *equal_first(const struct search *s, const struct stream *st)
{
	const struct rank_node *root = holdings_by_start(st->q);
	struct holding *h = equal_below(s, st, root, true);

	return h ? h : equal_below(s, st, root, false);
}

struct holding *equal_after(const struct search *s, const struct stream *st,
			    const struct holding *h)
{
	const struct rank_node *node = &h->by_start.node;
	bool leaving = h->evicting;
	struct holding *found = equal_below(s, st, node->right, leaving);

	for (; !found && node->parent; node = node->parent) {
		const struct rank_node *parent = node->parent;

		if (node != parent->left)
			continue;
		found = holding_by_start(parent);
		if (side_of(s, found, leaving) > 0)
			found = NULL;
		else if (!equal_goes(s, st, found))
			found = equal_below(s, st, parent->right, leaving);
	}
	if (!found && leaving)
		found = equal_below(s, st, holdings_by_start(st->q), false);
	return found;
}

/* ---- those whose turn goes on ---- */

/* All of them are protected for longer than their turn. */
static bool outlast_turns(const struct search *s, const struct stream *st,
			  const struct holding_bounds *below)
{
	int64_t end = turn_until(s, below->last_from);

	if (below->kinds & HOLDING_HAD_TURNS)
		return false;
	return all_stay_at(st, below, end, below->last_from);
}

/* One of those below a node may be the first whose turn ends. */
static bool ends_matter(const struct search *s, const struct stream *st,
			const struct holding_bounds *below)
{
	int64_t turn = s->e->searches->passed.turn;

	if (!equals_below(s, below) || !(below->kinds & HOLDING_IS_RUNNING))
		return false;
	if (below->kinds & HOLDING_IS_LEAVING)
		return true;
	if (!turn_may_go_on(s, below) || outlast_turns(s, st, below))
		return false;
	return !turn || turn_until(s, below->first_from) < turn;
}

static void ends_below(struct search *s, const struct stream *st,
		       const struct rank_node *node, bool leaving)
{
	while (node) {
		struct holding *h = holding_by_start(node);
		int side = side_of(s, h, leaving);

		if (!ends_matter(s, st, &h->by_start.below))
			return;
		if (side >= 0)
			ends_below(s, st, node->left, leaving);
		if (side > 0)
			return;
		s->e->searches->looks++;
		if (side == 0 && !is_left_out(s, h) && turn_goes_on(s, h))
			turn_note(s, h, st->runtime);
		node = node->right;
	}
}

void turns_survey(struct search *s, const struct stream *st)
{
	const struct rank_node *root = holdings_by_start(st->q);

	ends_below(s, st, root, true);
	ends_below(s, st, root, false);
}
