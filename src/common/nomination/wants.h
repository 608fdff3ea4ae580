/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wants.h - the resources that pod sets want while they get their flavors
 */
#ifndef COHORT_WANTS_H
#define COHORT_WANTS_H

#include "core/workload_state.h"
#include "nomination/ask.h"

/* How a flavor suits a resource, or a whole resource group */
struct judgement {
	enum suit suit;
	int borrow;			/* borrow level after it */
};

/* A resource that the pod sets of the scan ask for, and what it would get */
struct want {
	int resource;
	int64_t amount;			/* the smallest, where flavors differ */
	int group;			/* or SPEC_NONE: not covered */
	bool scanned;			/* the group that is tried covers it */
	bool assigned;
	struct judgement judged;	/* in the flavor that is tried */
	struct assigned_resource best;	/* in the best flavor so far */
};

/* An assignment while it is made */
struct scan {
	struct engine *e;
	const struct ask *ask;
	struct draft *d;
	const size_t *members;		/* pod sets that get their flavors
					 * together */
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

/* The number of pods of pod set i that are requested: fewer than its own in a
 * partial admission */
static inline int64_t scan_count(const struct scan *s, size_t i)
{
	return s->ask->counts ? s->ask->counts[i] : scan_podset(s, i)->count;
}

/* Fills wants[] with what all members together ask for, one entry for each
 * resource. It has room for as many entries as the members have requests. */
void wants_collect(struct scan *s);

/* NULL: the members do not ask for that resource. */
static inline struct want *want_find(struct scan *s, int resource)
{
	for (size_t i = 0; i < s->nwants; i++) {
		if (s->wants[i].resource == resource)
			return &s->wants[i];
	}
	return NULL;
}

/* The amount that the members together ask for in one flavor */
int64_t want_amount(const struct scan *s, const struct want *want, int flavor);

#endif /* COHORT_WANTS_H */
