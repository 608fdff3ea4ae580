/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows.h - sums over time of all cells of a forest
 *
 * A row has the cells of one tree for one pair, parents before children. A cell
 * remembers what the books say, and the sums up to the time of its row. Before
 * anything in a row changes, the row is brought up to now, all at once.
 *
 * What the members of a cohort borrow comes out of its pool: the quota that is
 * set at the cohort itself, and what each member could lend. The part of the
 * pool that is in use is the same for all lenders. The pool may be in use by
 * others above the cohort, too: as much of it as the cohort could lend, times
 * the part that is in use of the pool above.
 *
 * The times of rows never go back: ns of the engine plus `skew`.
 */
#ifndef COHORT_ACCOUNT_ROWS_H
#define COHORT_ACCOUNT_ROWS_H

#include "quota/books.h"

struct cell_sums {
	int64_t nominal;		/* set at the node itself */
	int64_t quota;			/* of its subtree */
	int64_t used;
	int64_t over;			/* borrowed from the parent's pool */
	int64_t offer;			/* could be lent to it */
	__int128 demand, offers;	/* of all children: over, offer */
	double in_use;			/* the part of its pool, at the last look */
	__int128 sum_nominal, sum_own, sum_borrowed;	/* base units * ns */
	double sum_lent, sum_shared, sum_idle;	/* base units * seconds */
	int64_t borrowed_at;		/* up to then `over` was above 0 */
	int64_t at;			/* of a root: that of the row; 0: no time
					 * was told yet */
};

struct rows {
	const struct books *books;	/* copies: the forest alone */
	struct cell_sums *cells;	/* [pair * nnodes + number] */
	bool *waits;			/* by number: does a workload wait? */
	double **between;		/* by number, of roots: [pair][lender]
					 * [borrower]; NULL: not kept */
	int64_t skew;
};

/* -1: no memory; rows_free() follows all the same */
int rows_create(struct rows *t, const struct books *b);
void rows_free(struct rows *t);

/* The nodes of the tree of which this one is the root */
static inline size_t rows_tree_size(const struct rows *t, int root)
{
	const struct node *top = &t->books->nodes[root];

	return (size_t) (top->last_below - top->number) + 1;
}

static inline size_t rows_number(const struct rows *t, int node)
{
	return (size_t) t->books->nodes[node].number;
}

static inline struct cell_sums *rows_cell(const struct rows *t, int node,
					   int pair)
{
	return &t->cells[(size_t) pair * t->books->nnodes + rows_number(t, node)];
}

/* What the borrower has had from the lender, nodes of one tree; NULL: not kept */
double *rows_between(const struct rows *t, int pair, int lender, int borrower);

/* The index of a cohort or queue becomes that of the node. false: there is no
 * such node, or no quota for flavor and resource */
bool rows_find(const struct rows *t, bool is_cohort, int *node, int flavor,
		int resource, int *pair);

/* Adds up the row until then, in the time of rows. */
void rows_advance(const struct rows *t, int root, int pair, int64_t at);

#endif /* COHORT_ACCOUNT_ROWS_H */
