/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy.h - what withinClusterQueue, reclaimWithinCohort and borrowWithinCohort
 * allow (KEP-83, KEP-1337): the only file that knows the values of enum policy
 */
#ifndef COHORT_POLICY_H
#define COHORT_POLICY_H

#include "spec.h"

/* Does the policy allow a preemptor of priority `own` to evict a job of this priority?
 * newer: the job was submitted later */
static inline bool policy_compare(enum policy policy, int64_t own, int64_t priority, bool newer)
{
	switch (policy) {
	case POLICY_ANY:
		return true;
	case POLICY_LOWER_OR_NEWER_EQUAL:
		return own > priority || (own == priority && newer);
	case POLICY_LOWER_PRIORITY:
		return own > priority;
	default:
		return false;
	}
}

/* Some job may be evicted by it. */
static inline bool policy_evicts(enum policy policy)
{
	return policy != POLICY_NEVER && policy != POLICY_EMPTY;
}

/* It is not Never. The "" of a scenario counts as set, and evicts nothing. */
static inline bool policy_is_set(enum policy policy)
{
	return policy != POLICY_NEVER;
}

/* No job is safe from it by its priority. */
static inline bool policy_is_any(enum policy policy)
{
	return policy == POLICY_ANY;
}

/* borrowWithinCohort: jobs that borrow may evict those of other queues. */
static inline bool policy_borrows(const struct spec_queue *spec)
{
	return spec->borrow_set && spec->borrow != POLICY_NEVER;
}

#endif /* COHORT_POLICY_H */
