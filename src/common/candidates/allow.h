/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * allow.h - which workloads policies and time let a preemptor evict
 */
#ifndef COHORT_ALLOW_H
#define COHORT_ALLOW_H

#include "holding/holding.h"
#include "candidates/candidate.h"

bool policy_allows(const struct search *s, enum policy policy,
		   const struct holding *h);

/* False if the policy allows none of that priority, whenever it was submitted */
bool policy_may_allow(const struct search *s, enum policy policy,
		      int64_t priority);

static inline bool holding_uses_need(const struct search *s,
				     const struct holding *h)
{
	if (!(h->pairs & s->need_pairs))
		return false;
	if (s->e->books->npairs <= 64)
		return true;
	for (size_t i = 0; i < h->nuses; i++) {
		if (s->e->searches->need[h->uses[i].pair])
			return true;
	}
	return false;
}

/* None of its unit is in the queue. */
bool is_elsewhere(const struct queue *q, struct holding *h);

/* Those of the queue leave the holding alone, with its unit: it is settled, or too many runs
 * of it are lost already. `pure`: they reclaim what their queue owns. Members on the way out
 * do not count. */
bool progress_keeps(const struct queue *q, bool pure, struct holding *h);

/* No candidate, whatever the policies say */
static inline bool is_left_out(const struct search *s, const struct holding *h)
{
	return h->gone || h->barred || (s->picked && !h->picked)
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
bool is_protected(const struct search *s, struct holding *h, int64_t runtime);

/* No time keeps it from being a candidate of the stream: neither it nor others
 * of its unit. *surplus: its min-runtime protects it, but it may go while its
 * elastic group has more members than it needs, as it has now. */
bool time_lets_go(const struct search *s, const struct stream *st,
		  struct holding *h, bool *surplus);

/* Non-preemptible workloads of the queue use more than nominal quota of what is
 * needed. */
bool queue_is_overfixed(const struct search *s, const struct queue *q);

/* By the caller's terms, as it is non-preemptible, or by progress_keeps(), it is
 * protected for ever. */
bool stays_for_good(const struct search *s, struct holding *h);

/* Another member of its unit must stay, whatever holds for h itself. */
bool unit_stays(const struct search *s, struct holding *h);

/* Takes note of h if only time keeps it, with all of its unit, from being a
 * candidate */
void wait_note(struct search *s, struct holding *h, int64_t runtime);

/* h may be a candidate: takes note of the end of its turn, which gives it
 * another place in the order */
void turn_note(struct search *s, struct holding *h, int64_t runtime);

/* Takes note of those in the queue of the stream that only time, or the number
 * of evictions, keeps from being candidates: see struct passed_over. Looks only
 * at those that may change what is known already. Where the queue has turns, also of the
 * first turn to end that changes the order (survey.c). */
void protected_survey(struct search *s, const struct stream *st);

#endif /* COHORT_ALLOW_H */
