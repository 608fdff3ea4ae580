/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * share.h - dominant resource share: how far a node borrows, as one number
 */
#ifndef COHORT_SHARE_H
#define COHORT_SHARE_H

#include "books.h"

struct share {
	double ratio;		/* borrowed per mille of what is lendable */
	double weight;
	bool borrowing;		/* in any resource, whatever the ratio */
};

/* Of a node as the books are now; roots borrow nothing */
struct share share_of(const struct books *b, int node);

/* < 0, 0, > 0 as a is smaller, equal or larger. Who borrows with weight 0 has
 * more than anybody with a weight. */
int share_compare(struct share a, struct share b);

#endif /* COHORT_SHARE_H */
