/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - dominant resource share: how far a node borrows, as one number
 */
#ifndef COHORT_SHARE_H
#define COHORT_SHARE_H

#include "quota/books.h"

/* The share of a node, by the books as they are now; roots borrow nothing. It
 * is computed only if the usage of the node has changed, and valid until that
 * changes again. */
const struct share *share_renew(const struct books *b, int node);

static inline const struct share *share_of(const struct books *b, int node)
{
	return b->nodes[node].share_known ? &b->nodes[node].share
					  : share_renew(b, node);
}

/* The share if the node used that much less; no pair twice */
struct share share_less(const struct books *b, int node,
			const struct use *less, size_t n);

/* < 0, 0, > 0 if a is smaller than, equal to or larger than b. The share of a
 * node that borrows with weight 0 is larger than any share with a weight. */
int share_compare(const struct share *a, const struct share *b);

#endif /* COHORT_SHARE_H */
