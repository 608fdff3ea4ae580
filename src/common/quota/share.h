/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - dominant resource share: how far a node borrows, as one number
 */
#ifndef COHORT_SHARE_H
#define COHORT_SHARE_H

#include "quota/books.h"

/* Of a node as the books are now; roots borrow nothing. Computed only if the
 * node's usage has changed; valid until it does again. */
const struct share *share_renew(const struct books *b, int node);

static inline const struct share *share_of(const struct books *b, int node)
{
	return b->nodes[node].share_known ? &b->nodes[node].share
					  : share_renew(b, node);
}

/* The same if the node used that much less; no pair twice */
struct share share_less(const struct books *b, int node,
			const struct use *less, size_t n);

/* < 0, 0, > 0 as a is smaller, equal or larger. Who borrows with weight 0 has
 * more than anybody with a weight. */
int share_compare(const struct share *a, const struct share *b);

#endif /* COHORT_SHARE_H */
