/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.c - what a search has to know of holdings that are protected
 *
 * A preemptor is told when the first of them may go. The holdings of a queue
 * stand in the order in which they began, with bounds of all below a node: most
 * often the first one that is looked at is the one, and all others would come
 * later.
 */
#include "victims/allow.h"
#include "victims/survey.h"
#include "workload/holding.h"

/* No min-runtime and no exemption of those below holds any more. */
static bool times_are_over(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	if (s->now < below->last_exempt)
		return false;
	return st->runtime <= 0
	       || s->now >= minruntime_until(below->last_from, st->runtime);
}

/* The earliest time at which one of those below could be free */
static int64_t first_free(const struct stream *st,
			  const struct holding_bounds *below)
{
	if (st->runtime <= 0)
		return below->first_exempt;
	return max64(below->first_exempt,
		     minruntime_until(below->first_from, st->runtime));
}

/* One of those below may change what is known; see wait_note() */
static bool survey_matters(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	const struct passed_over *passed = &s->e->passed;
	bool known = passed->protected
		     && (st->q == s->q || passed->protected_in_other_queue);

	if (!(below->pairs & s->need_pairs)
	    || !policy_may_allow(s, st->policy, below))
		return false;
	if (below->kinds & HOLDING_HAS_UNIT)
		return true;
	if ((below->kinds & HOLDING_IS_SPENT) && !(known && passed->spent))
		return true;
	if (times_are_over(s, st, below))
		return false;
	if (!known)
		return true;
	return (below->kinds & HOLDING_IS_RUNNING)
	       && (!passed->until || first_free(st, below) < passed->until);
}

static void survey_below(struct search *s, const struct stream *st,
			 const struct rank_node *node)
{
	for (; node; node = node->right) {
		struct holding *h = holding_by_start(node);

		if (!survey_matters(s, st, &h->by_start.below))
			return;
		survey_below(s, st, node->left);
		s->e->looks++;
		if (!is_left_out(s, h))
			wait_note(s, h, st->runtime);
	}
}

void protected_survey(struct search *s, const struct stream *st)
{
	survey_below(s, st, holdings_by_start(st->q));
}
