/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - the search for victims
 */
#ifndef COHORT_TARGET_H
#define COHORT_TARGET_H

#include "victims/candidate.h"

struct target {
	struct holding *h;
	enum victim_reason reason;
};

/* Victims for s->w of s->q, on the books as they are, which are the same
 * afterwards; s is filled in up to `everybody`. Returns their number;
 * *targets stays valid until the next search. */
size_t targets_find(struct search *s, const struct target **targets);

/* The two algorithms; in s everything up to need[] is set. targets_fill_back()
 * puts back what is not needed. */
size_t targets_classical(struct search *s, struct target **targets);
size_t targets_fair(struct search *s, struct target **targets);
size_t targets_fill_back(struct search *s, struct target *targets, size_t n,
			 bool allow_borrow);

/* Room for all candidates of the open streams. NULL: no memory. */
struct target *targets_reserve(struct search *s);

/* The demand fits now, and within nominal quota if borrowing is not allowed */
bool search_fits(const struct search *s, bool allow_borrow);

/* Takes a victim out of the books, with all of its unit, or puts it back */
void target_remove(struct engine *e, struct holding *h);
void target_restore(struct engine *e, struct holding *h);

#endif /* COHORT_TARGET_H */
