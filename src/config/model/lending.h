/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lending.h - quota that could be lent or borrowed, but has no other side
 */
#ifndef COHORT_LENDING_H
#define COHORT_LENDING_H

#include "spec.h"

/* One quota of one node */
struct lending_quota {
	const struct spec_quota *quota;
	int node;		/* index of the queue or cohort */
	bool cohort;
	bool lonely_lender;
	bool lonely_borrower;
};

/* How much of it may be lent, in the resource's unit */
int64_t lending_amount(const struct lending_quota *q);

/* All quotas of the spec, judged, in the order of the spec, cohorts first. The
 * array is the caller's. Returns 0, or -1 for ENOMEM. */
int lending_judge(const struct spec *spec, struct lending_quota **quotas,
		  size_t *n);

/* By queue: does it lend anything that another node may borrow? Sets lends[] of
 * the queues that do. -1 for ENOMEM. */
int lending_lenders(const struct spec *spec, bool *lends);

#endif /* COHORT_LENDING_H */
