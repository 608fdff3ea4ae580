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

/* False if the policy allows no workload of that priority, whenever it was submitted */
bool policy_may_allow(const struct search *s, enum policy policy,
		      int64_t priority);

bool holding_uses_need(const struct search *s, const struct holding *h);

/* No member of its unit is in the queue. */
bool is_elsewhere(const struct queue *q, struct holding *h);

/* The queue's workloads leave the holding alone, with its unit: it is settled, or too many runs
 * of it are lost already. `pure`: they reclaim what their queue owns. Members on the way out
 * do not count. */
bool progress_keeps(const struct queue *q, bool pure, struct holding *h);

/* No candidate, whatever the policies say */
static inline bool is_left_out(const struct search *s, const struct holding *h)
{
	return h->gone || h->barred || (s->picked && !h->picked)
	       || !holding_uses_need(s, h);
}

/* The preemptor's own queue has turns, and that of its equal h is over, or goes on. */
bool turn_is_over(const struct search *s, const struct holding *h);
bool turn_goes_on(const struct search *s, const struct holding *h);

/* How long workloads of a queue are safe from those of the preemptor's queue,
 * which may be the same queue */
int64_t runtime_against(const struct engine *e, const struct queue *preemptor,
			const struct queue *victim);

/* Policies and time let h be a candidate now, with all of its unit. `runtime` is its
 * min-runtime. *surplus: that protects it, but it may be evicted while its elastic group has
 * more members than it needs, as it has now. */
bool may_be_evicted(const struct search *s, struct holding *h, int64_t runtime,
		    bool *surplus);

/* Takes note (struct passed_over) of those in the queue of the stream that only time, or the
 * number of evictions, keeps from being candidates. Looks only at those that may change what is
 * known already. Where the queue has turns, also of the first turn to end that changes the
 * order. */
void protected_survey(struct search *s, const struct stream *st);

#endif /* COHORT_ALLOW_H */
