/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * between.h - which queue lent to which
 */
#ifndef COHORT_ACCOUNT_BETWEEN_H
#define COHORT_ACCOUNT_BETWEEN_H

#include "account/keep.h"

/* Of one tree */
struct between {
	size_t n;			/* nodes of the tree; 0: not kept */
	int64_t *at;			/* by pair */
	double *sums;			/* [pair][lender][borrower], by number in
					 * the tree: base units * seconds */
};

/* By node: those of roots. NULL: no memory */
struct between *between_create(const struct account_frame *f);
void between_destroy(const struct account_frame *f, struct between *trees);

/* No longer keeps that of one tree. */
void between_drop(struct between *tree);

/* Before levels of the tree change: what was borrowed until `at` counts. */
void between_settle(struct account *a, int root, int pair, int64_t at);

/* The same, of any cells and what belongs to them */
void between_advance(const struct account_cells *t, struct between *trees,
		     int root, int pair, int64_t at);

/* All sums of a pair, as in `from` */
void between_copy(struct between *to, const struct between *from, int pair);

/* Base units times seconds of two nodes of one tree; NULL: the tree is too large
 * for that, or there are too many */
double *between_sum(const struct account_frame *f, const struct between *trees,
		    int pair, int lender, int borrower);

#endif /* COHORT_ACCOUNT_BETWEEN_H */
