/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - dominant resource share: how far a node borrows, as one number
 */
#ifndef COHORT_SHARE_H
#define COHORT_SHARE_H

#include "quota/books.h"

/* The share of a node, by the books as they are now; roots borrow nothing. It is
 * remembered: valid until the usage of the node changes. */
const struct share *share_renew(const struct books *b, int node);

static inline const struct share *share_of(const struct books *b, int node)
{
	return b->nodes[node].share_known ? &b->nodes[node].share
					  : share_renew(b, node);
}

/* The share if the node used that much less, no pair twice. left: of how far history is from what
 * is borrowed, so much is left: 1 now, less later; 0: history does not count */
struct share share_less(const struct books *b, int node, const struct use *less, size_t n,
			double left);

/* What a child of the node could get of the resource, over all flavors */
int64_t lendable_of(const struct books *b, int node, int resource);

/* < 0, 0, > 0 if a is smaller than, equal to or larger than b. The share of a
 * node that borrows with weight 0 is larger than any share with a weight. */
int share_compare(const struct share *a, const struct share *b);

/* The node `taker` wants something of what `giver` uses, which would then use less[0..n) less. It
 * may have it if its share is smaller, with or_equal not larger. */
struct taking {
	const struct books *books;
	int taker, giver;
	const struct use *less;
	size_t n;
	bool or_equal;
};

/* May it, with these shares? Where history alone makes the difference the taker's has to be smaller
 * by the margin of the history, so that equals do not take from each other all the time. */
bool share_may_take(const struct taking *t, const struct share *taker, const struct share *giver);

/* With histories time alone may change a "no", as they move on while nothing happens. The
 * first full second in which share_may_take() says yes, if nothing else happens; 0: not
 * before history_latest() */
int64_t crossing_at(const struct taking *t, int64_t now);

#endif /* COHORT_SHARE_H */
