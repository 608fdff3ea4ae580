/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calendar.h - what follows from nominal quotas, and those that are other ones for a time
 *
 * doc/how-it-decides.md, section 2. The time is the caller's. Times in ns.
 */
#ifndef COHORT_CALENDAR_H
#define COHORT_CALENDAR_H

#include "quota/books.h"

/* At that time the nominal quota changes */
struct turning_point {
	int64_t at;
	int node;
	int pair;
	int64_t before, after;
	bool ends;			/* with it a period ends */
};

struct calendar {
	struct turning_point *list;	/* by time */
	size_t n;
	size_t done;			/* how many are behind us */
	struct quota *largest;	/* of each cell: with the largest nominal quotas of now and later */
};

/* Of a tree: subtree, local and potential in quotas[node * npairs + pair], b->quotas or another
 * array, by its nominal quotas and limits */
void quotas_derive(const struct books *b, struct quota *quotas, int root);

/* b->calendar, or NULL if the spec has no periods, in b->arena, which says if it failed */
void calendar_create(struct books *b, const struct spec *spec);

/* When does a quota change next? 0: never */
int64_t calendar_next(const struct books *b);

/* Will a quota of this tree change? */
bool calendar_changes(const struct books *b, int root);

/* Makes one change that is due, or takes back one that is not due yet (the caller's clock was set
 * back). Returns the root of its tree; SPEC_NONE: all quotas are those of that time. */
int calendar_step(struct books *b, int64_t now);

/* The quota of the node if all nominal quotas are the largest of now and later: `potential` is the
 * most that it could ever use, or more than that where quotas are largest at different times. */
static inline const struct quota *calendar_largest(const struct books *b, int node, int pair)
{
	return b->calendar ? &b->calendar->largest[(size_t) node * b->npairs
						   + (size_t) pair]
			   : books_quota(b, node, pair);
}

/* The nominal quota of the node is that from now on. What is in use stays in
 * use: the books are as if the quota had always been so. Not in a trial. */
void books_set_nominal(struct books *b, int node, int pair, int64_t nominal);

#endif /* COHORT_CALENDAR_H */
