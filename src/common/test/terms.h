/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * terms.h - one of the terms of a running workload is changed, for tests
 */
#ifndef COHORT_TEST_TERMS_H
#define COHORT_TEST_TERMS_H

#include "engine.h"
#include "test/inside/steps.h"

static inline struct eviction_terms terms_of(const struct workload *w)
{
	struct eviction_terms terms;

	workload_terms(w, &terms);
	return terms;
}

static inline int terms_set_exempt(struct engine *e, struct workload *w, int64_t until)
{
	struct eviction_terms terms = terms_of(w);

	terms.exempt_until = until;
	return engine_set_terms(e, w, &terms);
}

static inline int terms_set_evictions(struct engine *e, struct workload *w, int64_t evictions)
{
	return engine_set_evictions(e, w, evictions, evictions);
}

static inline int terms_set_cost(struct engine *e, struct workload *w, int64_t cost)
{
	struct eviction_terms terms = terms_of(w);

	terms.cost = cost;
	return engine_set_terms(e, w, &terms);
}

static inline int terms_set_elastic(struct engine *e, struct workload *w,
				    uint64_t group, int64_t min_available)
{
	struct eviction_terms terms = terms_of(w);

	terms.group = group;
	terms.min_available = min_available;
	return engine_set_terms(e, w, &terms);
}

static inline int terms_join(struct engine *e, struct workload *w, struct workload *to)
{
	struct eviction_terms terms = terms_of(w);

	terms.joined_to = to;
	return engine_set_terms(e, w, &terms);
}

#endif /* COHORT_TEST_TERMS_H */
