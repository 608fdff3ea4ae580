/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allow.h - which workloads policies and time let a preemptor evict
 */
#ifndef COHORT_ALLOW_H
#define COHORT_ALLOW_H

#include "victims/candidate.h"

bool policy_allows(const struct search *s, enum policy policy,
		   const struct holding *h);

/* False if the policy allows none of those that the bounds are about */
bool policy_may_allow(const struct search *s, enum policy policy,
		      const struct holding_bounds *below);

static inline bool holding_uses_need(const struct search *s,
				     const struct holding *h)
{
	if (!(h->pairs & s->need_pairs))
		return false;
	if (s->e->books->npairs <= 64)
		return true;
	for (size_t i = 0; i < h->nuses; i++) {
		if (s->e->need[h->uses[i].pair])
			return true;
	}
	return false;
}

/* No candidate, whatever the policies say */
static inline bool is_left_out(const struct search *s, const struct holding *h)
{
	return h->gone || (s->picked && !h->picked)
	       || !holding_uses_need(s, h);
}

/* When the holding began, if that is known; else: now */
int64_t reserved_at(const struct search *s, const struct holding *h);

/* Own queue with turns: it is the preemptor's equal, and its turn is over */
bool turn_is_over(const struct search *s, const struct holding *h);

/* ... and its turn is not over yet */
bool turn_goes_on(const struct search *s, const struct holding *h);

/* How long workloads of a queue are safe from those of the preemptor's queue,
 * which may be the same queue */
int64_t runtime_against(const struct engine *e, const struct queue *preemptor,
			const struct queue *victim);

/* It is protected: by its min-runtime, which is `runtime`, by the caller's
 * terms, or because it was evicted too often. */
bool is_protected(const struct search *s, const struct holding *h,
		  int64_t runtime);

/* By the caller's terms, or as it was evicted too often, it is protected for
 * ever. */
bool stays_for_good(const struct holding *h);

/* Another member of its unit must stay, whatever holds for h itself. */
bool unit_stays(const struct search *s, struct holding *h);

/* Takes note of h if only time keeps it, with all of its unit, from being a
 * candidate */
void wait_note(struct search *s, struct holding *h, int64_t runtime);

/* h may be a candidate: takes note of the end of its turn, which gives it
 * another place in the order */
void turn_note(struct search *s, const struct holding *h, int64_t runtime);

#endif /* COHORT_ALLOW_H */
