/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - the victims that a search has chosen
 */
#ifndef COHORT_TARGET_H
#define COHORT_TARGET_H

#include "candidates/candidate.h"

struct target {
	struct holding *h;
	enum victim_reason reason;
	enum candidate_list list;
};

/* Victims for s->w of s->q, on the books as they are; the books are the same
 * afterwards. The caller has filled in s up to `everybody`. Returns the number
 * of victims; *targets stays valid until the next search. (find.c) */
size_t targets_find(struct search *s, const struct target **targets);

/* Puts back the targets that are not needed; returns how many are left */
size_t targets_fill_back(struct search *s, struct target *targets, size_t n,
			 bool allow_borrow);
/* Room for all holdings of the tree. NULL: no memory. */
struct target *targets_reserve(struct search *s);

/* With the demand the preemptor's queue would be over its nominal quota, in any
 * pair of it. */
bool demand_is_over_nominal(const struct search *s);

/* The demand fits now, and within nominal quota if borrowing is not allowed */
bool search_fits(const struct search *s, bool allow_borrow);

/* Takes a victim out of the books, with all of its unit, or puts it back */
void target_remove(struct engine *e, struct holding *h);
void target_restore(struct engine *e, struct holding *h);

#endif /* COHORT_TARGET_H */
