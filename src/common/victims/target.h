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
 * of victims, 0 if they are not enough; *targets stays valid until the next search.
 * (find.c) */
size_t targets_find(struct search *s, const struct target **targets);

/* The two ways to do that: by priority and by distance in the cohort tree, or by fair share.
 * In s everything up to need[] is set, and a trial is open. */
size_t targets_classical(struct search *s, struct target **targets);
size_t targets_fair(struct search *s, struct target **targets);

/* Ours, not Kueue's. The targets, which are in the books, were found by fair share for a
 * preemptor that borrows. Those of other queues are judged once more by the shares, after
 * all victims of its own queue have left. Bars the targets that the shares refuse. False:
 * none is refused. (fair.c) */
bool set_bars_any(struct search *s, const struct target *targets, size_t n);

/* ---- target.c: what all of these share ---- */

/* Puts back the targets that are not needed; returns how many are left */
size_t targets_fill_back(struct search *s, struct target *targets, size_t n, bool allow_borrow);
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

/* A candidate is chosen: out of the books, unless each is judged alone */
struct target target_take(struct search *s, const struct candidate *c, enum victim_reason reason);

/* None of them is evicted after all. Their trial is for the caller to end. */
void targets_give(const struct target *targets, size_t n);

#endif /* COHORT_TARGET_H */
