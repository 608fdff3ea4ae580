/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * survey.c - what a search has to know of holdings that are protected
 *
 * A preemptor is told when the first of them may go. Bounds tell which of them are not
 * protected, and which would come later than one that is known.
 */
#include "candidates/allow.h"
#include "holding/holding.h"

/* That some are protected is known. */
static bool is_known(const struct search *s, const struct stream *st)
{
	const struct passed_over *passed = &s->e->searches->passed;

	return passed->protected
	       && (st->q == s->q || passed->protected_in_other_queue);
}

/* It changes what is known that one of those below is protected, and free at a time. */
static bool time_matters(const struct search *s, const struct stream *st, int64_t time)
{
	int64_t until = s->e->searches->passed.until;

	return !is_known(s, st) || !until || time < until;
}

/* An elastic one may go as soon as its exemption is over; see wait_note(). */
static bool times_matter(const struct search *s, const struct stream *st,
			 const struct holding_bounds *below)
{
	if (below->next_exempt < INT64_MAX && time_matters(s, st, below->next_exempt))
		return true;
	return st->runtime > 0 && below->first_from < INT64_MAX
	       && s->now < minruntime_until(below->last_from, st->runtime)
	       && time_matters(s, st, minruntime_until(below->first_from, st->runtime));
}

/* One of those below may change what is known, see wait_note(). Of a unit others may be
 * protected. */
static bool survey_matters(const struct search *s, const struct stream *st,
			   const struct holding_bounds *below)
{
	const struct passed_over *passed = &s->e->searches->passed;

	if (!(below->pairs & s->need_pairs)
	    || !policy_may_allow(s, st->policy, below->lowest_priority))
		return false;
	return (below->kinds & HOLDING_HAS_UNIT)
	       || ((below->kinds & HOLDING_IS_FIXED)
		   && !(is_known(s, st) && passed->fixed)
		   && queue_is_overfixed(s, st->q))
	       || ((below->kinds & HOLDING_IS_SPENT)
		   && !(is_known(s, st) && passed->spent))
	       || times_matter(s, st, below);
}

/* The first that is protected by a min-runtime is the first one whose protection ends. */
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

void protected_survey(struct search *s, const struct stream *st)
{
	if (!st->turns) {
		survey_below(s, st, st->q->starts.root);
		return;
	}
	for (struct holding *h = st->q->holdings; h; h = h->next) {
		s->e->searches->looks++;
		if (is_left_out(s, h))
			continue;
		wait_note(s, h, st->runtime);
		if (turn_goes_on(s, h))
			turn_note(s, h, st->runtime);
	}
}
