/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * between.h - which queue lent to which
 */
#ifndef COHORT_ACCOUNT_BETWEEN_H
#define COHORT_ACCOUNT_BETWEEN_H

#include "account/cells.h"

/* a->between. -1: no memory; between_destroy() follows all the same */
int between_create(struct account *a);
void between_destroy(struct account *a);

/* Before levels of the tree change: what was borrowed until `at` counts. */
void between_settle(struct account *a, int root, int pair, int64_t at);

/* All is settled, and goes on from the time of the account, which is an earlier
 * one. */
void between_set_back(struct account *a);

/* Base units times seconds of two nodes of one tree; NULL: the tree is too large
 * for that, or there are too many */
double *between_sum(const struct account *a, int pair, int lender,
		    int borrower);

#endif /* COHORT_ACCOUNT_BETWEEN_H */
