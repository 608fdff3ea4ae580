/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.h - how much a pod set asks for
 */
#ifndef COHORT_REQUEST_H
#define COHORT_REQUEST_H

#include "core/engine_state.h"

/* A total for the pod set's own count of pods, for another count */
static inline int64_t amount_scale(const struct podset_desc *ps, int64_t amount,
				   int64_t count)
{
	return count == ps->count ? amount : sat_mul(amount / ps->count, count);
}

/* The smallest amount of requests[i] in any flavor, for `count` pods */
static inline int64_t request_least(const struct podset_desc *ps, size_t i,
				    int64_t count)
{
	return amount_scale(ps, ps->requests[i].amount, count);
}

/* The amount of requests[i] in one flavor, for `count` pods
 * (doc/how-it-decides.md, section 4: it may differ by flavor) */
static inline int64_t request_in(const struct engine *e,
				 const struct podset_desc *ps, size_t i,
				 int flavor, int64_t count)
{
	if (!ps->by_flavor)
		return request_least(ps, i, count);
	return amount_scale(ps, ps->by_flavor[i * e->books->nflavors
					      + (size_t) flavor], count);
}

/* The smallest number of pods that the pod set can do with (partial
 * admission) */
static inline int64_t request_least_count(const struct engine *e,
					  const struct podset_desc *ps)
{
	return ps->min_count > 0 && !e->no_partial ? ps->min_count : ps->count;
}

#endif /* COHORT_REQUEST_H */
