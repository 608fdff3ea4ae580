/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * flavor.h - the flavor that a resource group gets
 */
#ifndef COHORT_FLAVOR_H
#define COHORT_FLAVOR_H

#include "cycle/assignment.h"
#include "steps.h"

/* A resource that the pod sets at hand ask for, and what it would get */
struct want {
	int resource;
	int64_t amount;			/* the least, where flavors differ */
	int group;			/* or SPEC_NONE: not covered */
	bool scanned;			/* the group at hand covers it */
	bool assigned;
	enum suit suit;			/* in the flavor that is looked at */
	int borrow;
	struct assigned_resource best;	/* in the best flavor so far */
};

/* An assignment while it is made */
struct scan {
	struct engine *e;
	const struct ask *ask;
	struct draft *d;
	const size_t *members;		/* pod sets that are assigned as one */
	size_t nmembers;
	struct want *wants;
	size_t nwants;
	bool varies;			/* amounts differ by flavor */
};

static inline const struct podset_desc *scan_podset(const struct scan *s,
						    size_t i)
{
	return &s->ask->w->shape->podsets[i];
}

/* What the members ask for in a flavor */
int64_t want_amount(const struct scan *s, const struct want *want, int flavor);

/* Chooses one flavor for everything in wants[] that the group of the queue
 * covers. False if there is none. */
bool group_scan(struct scan *s, int index);

#endif /* COHORT_FLAVOR_H */
