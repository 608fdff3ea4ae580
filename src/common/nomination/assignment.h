/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assignment.h - what flavors a workload gets, and what comes of that
 */
#ifndef COHORT_ASSIGNMENT_H
#define COHORT_ASSIGNMENT_H

#include "engine.h"

/* How well a flavor suits one resource, worst first */
enum suit { SUIT_NOFIT, SUIT_NO_CANDIDATES, SUIT_PREEMPT, SUIT_RECLAIM,
	    SUIT_FIT };

/* Replaces the search for victims during flavor assignment: what preemption in (flavor, resource)
 * for `amount` alone would lead to. Sets *suit to NO_CANDIDATES, PREEMPT or RECLAIM, and *borrow
 * to the borrow level after it. */
struct oracle {
	void (*ask)(void *arg, int flavor, int resource, int64_t amount,
		    enum suit *suit, int *borrow);
	void *arg;
};

struct assigned_resource {
	int resource;
	int flavor;
	enum mode mode;
	int tried;		/* triedFlavorIdx: -1 if the scan reached the end */
	int borrow;		/* level of this resource alone */
	int64_t amount;		/* for `count` pods */
};

struct assigned_podset {
	size_t index;		/* in workload_desc.podsets */
	int64_t count;		/* less than the request: partial admission */
	bool nofit;		/* no flavors were found; resources is empty */
	struct assigned_resource *resources;
	size_t nresources;
};

/* Pod sets behind the first one without flavors were not tried and are not listed. */
struct assignment {
	enum mode mode;
	int borrow;			/* largest level of all resources */
	struct assigned_podset *podsets;
	size_t npodsets;
	struct charge *usage;		/* summed by flavor and resource, */
	struct use *uses;		/* ... by pair */
	bool *needs;			/* usage[i] needs preemption */
	size_t nusage;
};

enum outcome {
	OUTCOME_ADMITTED,
	OUTCOME_PREEMPTING,
	OUTCOME_NO_CANDIDATES,
	OUTCOME_NOFIT,
	OUTCOME_SKIPPED,
	OUTCOME_DEFERRED_FIT,
};

#endif /* COHORT_ASSIGNMENT_H */
