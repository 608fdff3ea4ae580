/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.c - what a search has to know of holdings that are protected
 *
 * A preemptor is told when the first of them may go. The holdings of a queue
 * stand in the order in which they began, with bounds of all below a node: most
 * often the first one that is looked at is the one, and all others would come
 * later. Exemptions end in any order. So those that are exempt are looked for in the
 * order of searches, where all that a priority may evict stand together: the bounds
 * tell which way the first end is.
 */
#include "candidates/allow.h"
#include "holding/holding.h"

/* Some may be the preemptor's equals, in its own queue, and it has turns. */
static bool has_equals(const struct search *s, const struct stream *st,
		       const struct holding_bounds *below)
{
	return st->turns && below->lowest_priority <= s->w->shape->priority;
}

/* Some may be candidates, if no time keeps them: the policy allows it, or their
 * turn is over. */
static bool may_be_allowed(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	return policy_may_allow(s, st->policy, below)
	       || (has_equals(s, st, below)
		   && s->now >= turn_until(s, below->first_from));
}

/* Some may be equals that the policy keeps until their turn is over. */
static bool may_have_turns(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	if (!has_equals(s, st, below) || !turn_may_go_on(s, below))
		return false;
	return st->policy == POLICY_LOWER_PRIORITY
	       || (st->policy == POLICY_LOWER_OR_NEWER_EQUAL
		   && s->w->queue_order_at >= below->first_queued);
}

/* The earliest time from which one of those below could be evicted, or an elastic
 * one while its min-runtime goes on; see wait_note() */
static int64_t first_end(const struct stream *st,
			 const struct holding_bounds *below)
{
	if ((below->kinds & HOLDING_IS_ELASTIC) && below->next_exempt < INT64_MAX)
		return below->first_exempt;
	return holdings_first_free(below, st->runtime);
}

/* That some are protected is known. */
static bool is_known(const struct search *s, const struct stream *st)
{
	const struct passed_over *passed = &s->e->searches->passed;

	return passed->protected
	       && (st->q == s->q || passed->protected_in_other_queue);
}

/* It changes what is known that one of those below is free at a time, or
 * later. */
static bool time_matters(const struct search *s, const struct stream *st,
			 const struct holding_bounds *below, int64_t time)
{
	const struct passed_over *passed = &s->e->searches->passed;

	if (!is_known(s, st))
		return true;
	return (below->kinds & HOLDING_IS_RUNNING)
	       && (!passed->until || time < passed->until);
}

/* It changes what is known when the first of those is free whose exemption is not over
 * yet. Of an elastic one it is the exemption that counts; see wait_note(). */
static bool exempt_matter(const struct search *s, const struct stream *st,
			  const struct holding_bounds *below)
{
	int64_t first = below->next_exempt;

	if (first == INT64_MAX)
		return false;
	if (st->runtime > 0 && !(below->kinds & HOLDING_IS_ELASTIC))
		first = max64(first, minruntime_until(below->first_from,
						      st->runtime));
	return time_matters(s, st, below, first);
}

/* The same of those whose exemption is over, but not their min-runtime. */
static bool young_matter(const struct search *s, const struct stream *st,
			 const struct holding_bounds *below)
{
	if (st->runtime <= 0 || below->over_from == INT64_MAX
	    || s->now >= minruntime_until(below->last_from, st->runtime))
		return false;
	return time_matters(s, st, below, minruntime_until(below->over_from,
							   st->runtime));
}

/* The turn of a member in the preemptor's own queue may go on. */
static bool units_may_have_turns(const struct search *s,
				 const struct holding_bounds *below)
{
	return below->unit_from != INT64_MIN
	       && s->now < turn_until(s, below->unit_from);
}

/* A unit of one of those below may change what is known: it ends with its last member,
 * wherever that is, and not before the one that is below. Equals in the preemptor's queue
 * may have turns. */
static bool units_matter(const struct search *s, const struct stream *st,
			 const struct holding_bounds *below)
{
	if (!(below->kinds & HOLDING_HAS_UNIT))
		return false;
	if (below->unit_exempt == INT64_MAX)
		return true;
	if (s->q->spec.min_admit != SPEC_NO_TIME)
		return !units_are_free(s->e, below, s->now)
		       || units_may_have_turns(s, below);
	if (units_end_by_exemptions(s->e, below))
		return st->turns && exempt_matter(s, st, below);
	return !units_are_free(s->e, below, s->now)
	       && time_matters(s, st, below, first_end(st, below));
}

/* One of those below may change what is known, see wait_note(), other than by its
 * exemption alone. In a queue with turns that counts, too. */
static bool survey_matters(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	bool allowed = may_be_allowed(s, st, below);
	bool turns = may_have_turns(s, st, below);

	if (!(below->pairs & s->need_pairs)
	    || !(allowed || has_equals(s, st, below)))
		return false;
	if (units_matter(s, st, below))
		return true;
	if ((below->kinds & HOLDING_IS_LEAVING) && has_equals(s, st, below))
		return true;
	if ((below->kinds & HOLDING_IS_FIXED)
	    && !(is_known(s, st) && s->e->searches->passed.fixed)
	    && queue_is_overfixed(s, st->q))
		return true;
	if ((below->kinds & HOLDING_IS_SPENT)
	    && !(is_known(s, st) && s->e->searches->passed.spent))
		return true;
	if (allowed && (young_matter(s, st, below)
			|| (st->turns && exempt_matter(s, st, below))))
		return true;
	return turns && time_matters(s, st, below,
				     max64(first_end(st, below),
					   turn_until(s, below->first_from)));
}

static void survey_below(struct search *s, const struct stream *st,
			 const struct rank_node *node)
{
	for (; node; node = node->right) {
		struct holding *h = holding_by_start(node);

		if (!survey_matters(s, st, &h->by_start.below))
			return;
		survey_below(s, st, node->left);
		s->e->searches->looks++;
		if (!is_left_out(s, h))
			wait_note(s, h, st->runtime);
	}
}

static bool ends_sooner(const struct rank_node *a, const struct rank_node *b)
{
	return a && b && holding_bounds_at(a)->next_exempt
			 < holding_bounds_at(b)->next_exempt;
}

/* First where the first end is: then the others hardly matter. */
static void exempt_below(struct search *s, const struct stream *st,
			 const struct rank_node *node)
{
	while (node) {
		const struct holding_bounds *below = holding_bounds_at(node);
		struct holding *h = holding_in_order(node);
		bool right = ends_sooner(node->right, node->left);

		if (!(below->pairs & s->need_pairs)
		    || !policy_may_allow(s, st->policy, below)
		    || !exempt_matter(s, st, below))
			return;
		exempt_below(s, st, right ? node->right : node->left);
		s->e->searches->looks++;
		if (holding_is_exempt(h) && !is_left_out(s, h))
			wait_note(s, h, st->runtime);
		node = right ? node->left : node->right;
	}
}

void protected_survey(struct search *s, const struct stream *st)
{
	const struct rank_node *root = holdings_by_start(st->q);

	survey_below(s, st, root);
	if (!root || holding_bounds_at(root)->next_exempt == INT64_MAX
	    || st->turns)
		return;
	holdings_know_bounds(st->q);
	exempt_below(s, st, st->q->order.root);
}
